// The smallest tree for a truth table, by dynamic programming over its 3^n subcubes. SPEC C3, C6; the source's
// section 2.
//
// subcube   some variables fixed, the others free: a number of n digits to base 3, 0 and 1 where fixed, 2 where free.
// front     of a subcube: the least error, given the subcube, that a tree of 1, 2, ... leaves can have in it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "interrupt.hpp"
#include "query/boolean_tree.hpp"

namespace bristlecone {

inline constexpr std::size_t most_optimal_variables = 12;

// The tree of fewest leaves whose error is at most epsilon up to a relative 1e-12, and of those the one of least error;
// ties go to the lowest variable, then to the smaller left subtree, answers to 0. table, p: as in cube.hpp.
BooleanTree optimal_tree(const std::uint8_t* table, std::size_t n_variables, const double* p, double epsilon,
                         Interrupt* interrupt);

}  // namespace bristlecone

// Influences of a function that is given as a tree, without a table of its 2^n answers.
//
// The influence of a variable is the sum over the nodes that read it of the chance to reach the node, times the chance
// that a fresh draw changes the variable, times the chance that the two subtrees disagree. Subtrees that share no
// variable are independent; others are walked together along consistent pairs of paths: at worst |left| x |right|.
#pragma once

#include "interrupt.hpp"
#include "query/boolean_tree.hpp"
#include "query/cube.hpp"

namespace bristlecone {

// tree: resolved. p: one chance a variable, n_variables of them.
Influences tree_influences(const BooleanTree& tree, std::size_t n_variables, const double* p, Interrupt* interrupt);

}  // namespace bristlecone

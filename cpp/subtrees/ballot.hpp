// The vote of all prunings at every node where a row may stop. SPEC A5.
//
// mass     of a class: the chance that a pruning answers it to a row. A pruning answers with the label of its leaf
// above
//          which the row does not pass; where the row itself stops at an inner node, those that go on answer there too.
// silent   a node without rows: it has no vote, and a row that ends there is answered by what is above it.
// All masses are logarithms: above a silent node they may be as small as they like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "subtrees/own_label.hpp"
#include "subtrees/skeleton.hpp"

namespace bristlecone {

// node, leaf: (n_nodes, n_strengths), as `weigh` fills them.
struct Ballot {
    std::size_t n_strengths = 1;
    std::int32_t n_classes = 1;
    const std::int32_t* label = nullptr;
    const std::uint8_t* silent = nullptr;
    const double* node = nullptr;
    const double* leaf = nullptr;
};

// winner: (n_nodes, n_strengths), the class of most mass for a row that stops at a node. Masses within a relative 1e-12
// are equal, and the lowest class wins.
void elect(const Skeleton& tree, const Ballot& ballot, std::int32_t* winner);

// mass: (n_entries, n_strengths), of the class of each entry for a row that stops at the entry's node; not logarithms.
void masses(const Skeleton& tree, const Ballot& ballot, const Entries& entries, double* mass);

// agreement: (n_nodes, n_strengths), the chance that two prunings answer alike to a row that stops at a node: the sum
// of the squares of all masses. No node is silent here.
void agreements(const Skeleton& tree, const Ballot& ballot, double* agreement);

}  // namespace bristlecone

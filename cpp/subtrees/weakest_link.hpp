// The weakest-link path of cost-complexity pruning: one pass from the leaves up, n log n however deep the tree. SPEC
// B3.
//
// risk      R(t): what node t costs as a leaf. A pruning costs the risks of its leaves plus alpha for each of them.
// drop      of an inner node: its risk minus that of the branch below it, as that branch is just before the node
// becomes
//           a leaf.
// steps     the leaves of that branch, less one.
// link      a(t) = drop / steps: the alpha from which on t is a leaf of the smallest cheapest pruning of its own
// branch. hidden    an inner node that an ancestor's collapse overtakes: no pruning of the path has it as a leaf.
#pragma once

#include <cstdint>
#include <vector>

#include "subtrees/skeleton.hpp"

namespace bristlecone {

// alphas: ascending from 0; at each the tree changes. By node, collapse: the alpha at which it becomes a leaf (a hidden
// one: not before an ancestor; -inf at leaves); covered: the least collapse of its proper ancestors, inf for the root.
// A node is a leaf of the pruning at alpha exactly if collapse <= alpha < covered.
struct WeakestLinks {
    std::vector<double> alphas, collapse, covered;
};

// Every inner node has two children. Two links are equal if they differ by less than a relative 1e-12, or by less than
// rounding can make of their nodes' risks.
WeakestLinks weakest_links(const Skeleton& tree, const double* risk);

// Risks that are counts, of `unit` in all: links are compared exactly, alphas are in shares of the unit. |risk| times
// the number of nodes must stay below 2^62.
WeakestLinks weakest_links(const Skeleton& tree, const std::int64_t* risk, double unit);

}  // namespace bristlecone

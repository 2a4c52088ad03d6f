// All prunings of a tree at once, in one pass up and one pass down over the nodes, however deep it is. SPEC A2.
//
// potential  a number for every node: `leaf` counts where a pruning ends at the node, `inner` where it goes on. A
// pruning
//            has the sum over its leaves and its inner nodes.
// strengths  columns of potentials: what varies in a grid. All arrays are (n_nodes, n_strengths), totals (n_strengths).
// semiring   what is asked of all the sums together: the least (min, +), or the logarithm of the sum of their
//            exponentials (logaddexp, +).
// absent     a child that is not there adds nothing, as the dummy child of SPEC A1 does: potential 0, no choice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "subtrees/skeleton.hpp"

namespace bristlecone {

// inner may be null (0 for all), one number a node, or one a node and strength.
struct Potentials {
    std::size_t n_strengths = 1;
    const double* leaf = nullptr;
    const double* inner = nullptr;
    bool inner_by_strength = false;
};

enum class Place : std::uint8_t { outside = 0, inner = 1, leaf = 2 };

// The pruning of least sum. total: that sum; place: where each node is in the pruning. A node whose own potential is
// not more than a relative 1e-12 above what lies below it is a leaf: ties collapse.
void cheapest(const Skeleton& tree, const Potentials& potentials, double* total, Place* place);

// Prunings drawn with chances in proportion to e^sum. total: the logarithm of the sum of e^sum over all prunings; node,
// leaf: the logarithms of the chance that a pruning has the node, and that it has it as a leaf.
void weigh(const Skeleton& tree, const Potentials& potentials, double* total, double* node, double* leaf);

// Only the pass up of `weigh`: of the branch at every node the logarithm of the sum of e^sum over its prunings.
void log_sums(const Skeleton& tree, const Potentials& potentials, double* branch);

}  // namespace bristlecone

// Prunings weighed row by row, each row after it was predicted. Helmbold and Schapire, 1997; SPEC A8.
//
// value    what a node predicts as a leaf, in [0, 1], and never changes
// U        1 - (1 - beta) |value - y|: what a row leaves of the weight of a pruning that predicts `value`
// A row may stop at an inner node: then prunings that go on there predict its value too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "subtrees/skeleton.hpp"

namespace bristlecone {

// Rows in their order: where each stops, and its class, 0 or 1.
struct Stream {
    std::size_t n_rows = 0;
    const std::int32_t* stop = nullptr;
    const std::uint8_t* y = nullptr;
};

// leaf, inner: the potentials (n_nodes,) before the first row; after the last one when it returns. predicted: (n_rows,)
// the mean of the prunings' predictions by weight, before the row's class was known. beta: above 0.
void weigh_online(const Skeleton& tree, const Stream& rows, const double* value, double beta, double* leaf,
                  double* inner, double* predicted);

}  // namespace bristlecone

// What is grown: the rows, the target, the criterion and the limits. Plain data, checked by the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupt.hpp"
#include "table/codes.hpp"
#include "table/columns.hpp"

namespace bristlecone {

enum class Criterion : std::uint8_t { gini, entropy, gain_ratio, root, squared_error, poisson, absolute_error };

inline bool over_classes(Criterion c) { return c <= Criterion::root; }

struct Limits {
    std::int32_t max_depth = 0x7fffffff;
    std::int64_t min_rows_split = 2;
    std::int64_t min_rows_leaf = 1;
    double min_weight_split = 0.0;
    double min_weight_leaf = 0.0;
    std::int64_t max_leaves = 0;  // 0: depth first; else best first up to so many leaves
    double min_decrease = 0.0;    // of the impurity, times the node's share of the weight
    bool stop_at_zero_gain = false;
};

struct Problem {
    const Columns* columns = nullptr;
    const double* weight = nullptr;       // (n_rows,) or null for ones; zero means absent
    const std::int32_t* label = nullptr;  // (n_rows,) 0..n_classes-1, for criteria over classes
    const double* y = nullptr;            // (n_rows,) otherwise
    std::int32_t n_classes = 0;
    Criterion criterion = Criterion::gini;
    Limits limits;
    std::vector<std::int8_t> monotone;  // a column each: -1, 0, 1; empty when there is none
    std::int32_t n_runners = 0;         // runner-up splits kept a node
    int n_threads = 1;
    std::int64_t small_node = -1;  // rows from which on sorted lists take over; -1: chosen by the library
    CodesCache* codes = nullptr;   // of the columns
    Interrupt* interrupt = nullptr;
};

// The rows that are not absent, ascending.
inline std::vector<std::uint32_t> rows_with_weight(const Problem& problem) {
    std::vector<std::uint32_t> rows;
    rows.reserve(problem.columns->n_rows);
    for (std::size_t row = 0; row < problem.columns->n_rows; ++row)
        if (problem.weight == nullptr || problem.weight[row] > 0) rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

}  // namespace bristlecone

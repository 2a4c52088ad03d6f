// Nodes: what growth writes down, in the order in which nodes are made, and the finished arrays.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace bristlecone {

struct Level {
    std::int32_t code;
    std::uint8_t left;
};

// One way to split a node, as people and routing need it.
struct Split {
    std::int32_t column = -1;
    double threshold = -2.0;  // nan for a level set, +inf for rows with a value | without
    bool missing_left = false;
    bool heuristic = false;
    double gain = 0.0;          // fall of the impurity, per unit of the node's weight
    std::vector<Level> levels;  // of a level set, ascending
};

// What few nodes have.
struct Extras {
    std::vector<Level> levels;                              // of a level set
    std::vector<Split> runners;                             // the other columns' best splits
    double low = -std::numeric_limits<double>::infinity();  // bounds on the answer under monotone constraints
    double high = std::numeric_limits<double>::infinity();
};

// A cache line: there may be as many nodes as rows. The right child of a split follows the left one.
struct Node {
    std::int32_t left = -1;
    std::int32_t column = -1, label = -1;
    bool missing_left = false, heuristic = false;
    std::uint32_t begin = 0, end = 0;  // its rows in the partitioned order
    double threshold = -2.0;
    double impurity = 0.0;  // over classes and absolute error; the rest is computed from the leaves
    double value = std::numeric_limits<double>::quiet_NaN();  // medians, and answers under monotone constraints
    std::unique_ptr<Extras> extras;

    bool is_leaf() const { return left < 0; }
    std::int32_t right() const { return left + 1; }
    Extras& need_extras() {
        if (!extras) extras = std::make_unique<Extras>();
        return *extras;
    }
    void take(Split split) {
        column = split.column;
        threshold = split.threshold;
        missing_left = split.missing_left;
        heuristic = split.heuristic;
        if (!split.levels.empty()) need_extras().levels = std::move(split.levels);
    }
};

struct Grown {
    std::vector<std::int32_t> left, right, feature, label;
    std::vector<double> threshold, impurity, weight, prediction;
    std::vector<std::uint8_t> missing_left, heuristic;
    std::vector<std::int64_t> rows;
    std::vector<std::int64_t> level_ptr;
    std::vector<std::int32_t> level_code;
    std::vector<std::uint8_t> level_left;
    std::vector<std::int64_t> count_ptr;  // class counts of the leaves
    std::vector<std::int32_t> count_class;
    std::vector<double> count_weight;
    std::vector<std::int64_t> count_rows;
    std::vector<std::vector<Split>> runners;
};

}  // namespace bristlecone

// Which column's best split a node takes: the largest gain, or C4.5's ratio; the lowest column on ties.
#pragma once

#include <cmath>
#include <vector>

#include "impurity/entropy.hpp"
#include "search/best.hpp"

namespace bristlecone {

inline constexpr std::size_t no_column = static_cast<std::size_t>(-1);

inline std::size_t largest_gain(const std::vector<ColumnBest>& bests, double tolerance) {
    std::size_t winner = no_column;
    for (std::size_t j = 0; j < bests.size(); ++j)
        if (bests[j].found && (winner == no_column || exceeds(bests[j].gain, bests[winner].gain, tolerance)))
            winner = j;
    return winner;
}

// Gain over the entropy of the split itself, among the columns whose gain is at least the mean of the positive ones
// (SPEC B1). Only the columns' best splits by gain compete.
inline std::size_t largest_gain_ratio(const std::vector<ColumnBest>& bests, double total_weight, double tolerance) {
    double sum = 0;
    std::size_t n_positive = 0, first = no_column;
    for (std::size_t j = 0; j < bests.size(); ++j) {
        if (!bests[j].found) continue;
        if (first == no_column) first = j;
        if (bests[j].gain.value <= tolerance) continue;
        sum += bests[j].gain.value;
        ++n_positive;
    }
    if (n_positive == 0) return first;
    const double least = sum / static_cast<double>(n_positive) * (1 - tie_tolerance);
    std::size_t winner = no_column;
    double best_ratio = 0;
    for (std::size_t j = 0; j < bests.size(); ++j) {
        const double gain = bests[j].gain.value;
        if (!bests[j].found || gain <= tolerance || gain < least) continue;
        const double ratio = gain / -Entropy::pair(bests[j].weight_left, total_weight - bests[j].weight_left);
        if (winner != no_column && ratio <= best_ratio * (1 + tie_tolerance)) continue;
        winner = j;
        best_ratio = ratio;
    }
    return winner;
}

}  // namespace bristlecone

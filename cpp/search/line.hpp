// Levels in a line, where no theorem says which line is right: by first principal component, or by median.
#pragma once

#include <cmath>
#include <vector>

#include "search/classes.hpp"
#include "search/median.hpp"

namespace bristlecone {

// The first principal component of the rows p (n x k, row after row), weighted; the scores of the rows along it.
std::vector<double> first_component_scores(const std::vector<double>& p, const std::vector<double>& weight);

template <class Accumulator, class Groups>
std::vector<double> line_keys(const Accumulator& acc, const Groups& groups) {
    std::vector<double> keys;
    if constexpr (requires { acc.group_median(groups[0].group); }) {
        for (const auto& level : groups) keys.push_back(acc.group_median(level.group));
        return keys;
    } else {
        std::vector<double> table, weight;
        for (const auto& level : groups) {
            weight.push_back(static_cast<double>(level.group.weight));
            for (const std::int64_t c : level.group.by_class) table.push_back(static_cast<double>(c) / weight.back());
        }
        return first_component_scores(table, weight);
    }
}

}  // namespace bristlecone

// Tally: the classes of some rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impurity/gain.hpp"
#include "impurity/gini.hpp"
#include "search/problem.hpp"

namespace bristlecone {

struct ClassSummary {
    double weight = 0.0;
    double impurity = 0.0;    // gini
    std::int32_t label = -1;  // the heaviest class, the lowest on ties
    bool pure = true;
};

class Tally {
public:
    explicit Tally(const Problem& problem) : problem_(&problem), weight_(problem.n_classes, 0.0) {}

    // Sums of a few classes are made anew for every node: no cost depends on how many classes there are.
    ClassSummary of(std::span<const std::uint32_t> rows) {
        present_.clear();
        for (const std::uint32_t row : rows) {
            double& held = weight_[problem_->label[row]];
            if (held == 0) present_.push_back(problem_->label[row]);
            held += problem_->weight ? problem_->weight[row] : 1.0;
        }
        std::sort(present_.begin(), present_.end());
        ClassSummary found;
        found.pure = present_.size() <= 1;
        for (const std::int32_t k : present_) {
            found.weight += weight_[k];
            if (found.label < 0 || heavier(weight_[k], weight_[found.label])) found.label = k;
        }
        double sum = 0;
        for (const std::int32_t k : present_) sum -= Gini::term(weight_[k], found.weight - weight_[k]);
        found.impurity = std::max(0.0, sum / found.weight);
        for (const std::int32_t k : present_) weight_[k] = 0;
        return found;
    }

private:
    static bool heavier(double a, double b) { return a - b > tie_tolerance * b; }

    const Problem* problem_;
    std::vector<double> weight_;  // by class; zeros between two nodes
    std::vector<std::int32_t> present_;
};

}  // namespace bristlecone

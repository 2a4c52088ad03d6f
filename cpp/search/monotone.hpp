// Pairs under monotone constraints: each side answers its mean clipped into the node's bounds, and the gain is that of
// the clipped answers, so that recorded impurities can be recomputed from rows and answers.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "search/pairs.hpp"

namespace bristlecone {

// Bounds on a node's answer, in the region's units.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double clip(double v) const { return std::min(std::max(v, low), high); }
    bool any() const {
        return low > -std::numeric_limits<double>::infinity() || high < std::numeric_limits<double>::infinity();
    }
};

template <class Impurity, class Sum, bool Weighted>
class MonotonePairs : public Pairs<Impurity, Sum, Weighted> {
    using Base = Pairs<Impurity, Sum, Weighted>;

public:
    static constexpr bool passes_over = false;  // clipped answers make the gain anything but convex
    using Base::Base;
    using typename Base::Group;

    template <class Index>
    Measure measure(std::span<const Index> rows) {
        Measure m = Base::measure(rows);
        const double clipped = bounds_.clip(m.value);
        cost_ = cost_of(this->total_, clipped);
        m.impurity += cost_;
        m.clipped = clipped != m.value;
        m.value = clipped;
        m.label = clipped > 0.5;  // read over classes only, where the value is P(class 1)
        this->tolerance_ = tie_tolerance * m.impurity;
        this->noise_ = 0.0;
        return m;
    }

    void set_bounds(const Bounds& bounds) { bounds_ = bounds; }
    void set_direction(int direction) { direction_ = direction; }

    double left_value() const { return value_of(this->left_); }
    double right_value() const { return value_of(this->right()); }

    // Equal answers are in order, rounding apart; the children's bounds keep them so.
    bool admissible() const {
        const double rise = direction_ * (right_value() - left_value());
        return rise >= -tie_tolerance * this->spread_ && Base::admissible();
    }
    double fast() const {
        return Base::gain().value - cost_of(this->left_, left_value()) - cost_of(this->right(), right_value()) + cost_;
    }
    bool may_beat(double floor) const { return fast() > floor; }
    double slack(double) const { return 0.0; }
    double fast_tolerance() const { return this->tolerance_; }
    Gain gain() const { return {fast(), 0, 0}; }

private:
    double value_of(const Group& g) const {
        return bounds_.clip(static_cast<double>(g.sum) / static_cast<double>(g.weight));
    }
    // What it costs a side to answer v instead of its own mean.
    double cost_of(const Group& g, double v) const {
        const auto n = static_cast<double>(g.weight), s = static_cast<double>(g.sum);
        if (v == s / n) return 0.0;
        double score = 0;
        if constexpr (Base::classes)
            score = Impurity::pair_at(s, static_cast<double>(g.weight - g.sum), v);
        else
            score = Impurity::pair_at(n, s, v);
        return std::max(0.0, Base::side(g) - score);
    }

    Bounds bounds_;
    int direction_ = 0;
    double cost_ = 0.0;  // of the node's own clipped answer
};

}  // namespace bristlecone

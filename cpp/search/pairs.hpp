// Two classes, squared error and Poisson: a side of a split is a weight and a sum (of class 1, or of w y).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "impurity/entropy.hpp"
#include "impurity/gain.hpp"
#include "impurity/gini.hpp"
#include "impurity/poisson.hpp"
#include "impurity/variance.hpp"
#include "search/measure.hpp"
#include "search/target.hpp"

namespace bristlecone {

// What a row of this weight and sum scores by itself; 0 where the impurity's bound does not ask for it.
template <class Impurity>
inline constexpr bool has_spread = requires { Impurity::spread(1.0, 1.0); };
template <class Impurity>
double spread_of(double w, double s) {
    if constexpr (has_spread<Impurity>) return Impurity::spread(w, s);
    return 0.0;
}

template <class Impurity>
inline constexpr bool has_chi_square = requires { Impurity::chi_square(1.0, 1.0); };

template <class Impurity, class Sum, bool Weighted>
class Pairs {
public:
    struct Group {
        std::int64_t rows = 0, weight = 0, sum = 0;
    };
    // Levels sorted by their mean: the best split of all is between neighbours in that order, whatever the concave
    // impurity (Breiman et al. 1984, theorem 4.5), and wherever the missing rows go.
    static constexpr bool ordered_levels = true;
    static constexpr bool forbids_sides = std::is_same_v<Impurity, Poisson>;
    static constexpr bool corners_ask_spread = std::is_same_v<Impurity, Variance>;
    static constexpr bool passes_over = Impurity::concave;  // see bound.hpp

    explicit Pairs(const Target& target) : weight_(target.weight.data()) {
        if constexpr (sizeof(Sum) == 1)
            sum_ = target.indicator.data();
        else
            sum_ = target.sum.data();
    }

    template <class Index>
    Measure measure(std::span<const Index> rows) {
        Group total;
        for (const Index row : rows) add_to(total, row);
        return enter(total, rows);
    }

    void clear() { left_ = {}; }
    void add(std::uint32_t row) { add_to(left_, row); }
    void add(const Group& group) { shift(group, 1); }
    void remove(const Group& group) { shift(group, -1); }
    void add_to(Group& group, std::uint32_t row) const {
        ++group.rows;
        group.weight += Weighted ? weight_[row] : 1;
        group.sum += sum_[row];
    }
    Group group() const { return {}; }
    double spread(std::uint32_t row) const {
        return spread_of<Impurity>(Weighted ? static_cast<double>(weight_[row]) : 1.0, static_cast<double>(sum_[row]));
    }

    const Group& left() const { return left_; }
    const Group& total() const { return total_; }
    double tolerance() const { return tolerance_; }
    // The same in the units of fast().
    double fast_tolerance() const { return quadratic ? tolerance_ * static_cast<double>(total_.weight) : tolerance_; }
    // A Poisson child needs a positive mean: it is a rate, and its logarithm is taken.
    bool admissible() const {
        if constexpr (std::is_same_v<Impurity, Poisson>) return left_.sum > 0 && left_.sum < total_.sum;
        return true;
    }

    // Whether fast() > floor, without a division; what rounding takes is given back.
    bool may_beat(double floor) const {
        const auto n = static_cast<double>(left_.weight);
        if constexpr (Impurity::rational && !Weighted) {
            const auto d = static_cast<double>(exact_difference());
            return d * d > floor * (n * static_cast<double>(right_weight()));
        }
        return squares_may_beat(n, static_cast<double>(left_.sum), floor) && (quadratic || fast() > floor);
    }
    double fast() const {
        const auto n_left = static_cast<double>(left_.weight), n_right = static_cast<double>(right_weight());
        if constexpr (quadratic) {
            const double d = difference();
            return d * d / (n_left * n_right);
        }
        if constexpr (std::is_same_v<Impurity, Entropy>) {
            const std::int64_t n = left_.weight, s = left_.sum, m = right_weight(), t = total_.sum - s;
            return x_log_x(s) + x_log_x(n - s) - x_log_x(n) + x_log_x(t) + x_log_x(m - t) - x_log_x(m);
        }
        return score();
    }
    // fast() if so much more weight and sum were on the left: a corner of a bound, not a split.
    double fast_at(double more_weight, double more_sum) const {
        const double n = static_cast<double>(left_.weight) + more_weight, s = static_cast<double>(left_.sum) + more_sum;
        const double m = static_cast<double>(total_.weight) - n, t = static_cast<double>(total_.sum) - s;
        if constexpr (!quadratic) return corner(n, s) + corner(m, t);
        if (n <= 0 || m <= 0) return (n <= 0 ? s : t) == 0 ? 0.0 : std::numeric_limits<double>::infinity();
        const double a = s * static_cast<double>(total_.weight), b = static_cast<double>(total_.sum) * n;
        const double d = std::abs(a - b) + rounding * (std::abs(a) + std::abs(b));
        return d * d / (n * m);
    }
    // fast() of parting the node into the left side, each of the group's rows, and the rest.
    double fast_apart(const Group& group, double spread) const {
        const double score =
            side(left_) + spread + side(right_weight() - group.weight, total_.sum - left_.sum - group.sum);
        const auto sum = static_cast<double>(total_.sum);
        return std::is_same_v<Impurity, Variance> ? score * static_cast<double>(total_.weight) - sum * sum : score;
    }
    // Whether fast_at() > floor, without a division where there is none in the impurity.
    bool may_beat_at(double more_weight, double more_sum, double floor) const {
        const double n = static_cast<double>(left_.weight) + more_weight, s = static_cast<double>(left_.sum) + more_sum;
        return squares_may_beat(n, s, floor) && (quadratic || fast_at(more_weight, more_sum) > floor);
    }
    double slack(double fast) const { return 1e-13 * std::abs(fast) + noise_; }

    Gain gain() const {
        const auto n = static_cast<double>(total_.weight);
        if constexpr (std::is_same_v<Impurity, Poisson>) return {poisson_gain(), 0, 0};
        if constexpr (!quadratic) return {score() - parent_score_, 0, 0};
        Gain gain{fast() / n * (std::is_same_v<Impurity, Gini> ? 2 : 1), 0, 0};
        if (exact_) {
            const std::int64_t d = exact_difference();
            const auto size = static_cast<u128>(d < 0 ? -d : d);
            gain.numerator = size * size;
            gain.denominator = static_cast<std::uint64_t>(left_.weight) * static_cast<std::uint64_t>(right_weight());
        }
        return gain;
    }

    // Equal but for the rounding of targets and weights.
    bool same_mean(const Group& a, const Group& b) const {
        if (exact_) return static_cast<i128>(a.sum) * b.weight == static_cast<i128>(b.sum) * a.weight;
        const double apart = static_cast<double>(a.sum) / static_cast<double>(a.weight) -
                             static_cast<double>(b.sum) / static_cast<double>(b.weight);
        return std::abs(apart) <= tie_tolerance * spread_;
    }
    static bool comes_before(const Group& a, const Group& b) {
        return static_cast<i128>(a.sum) * b.weight < static_cast<i128>(b.sum) * a.weight;
    }

protected:
    static constexpr double rounding = 4e-16;
    static constexpr bool classes = !std::is_same_v<Impurity, Variance> && !std::is_same_v<Impurity, Poisson>;
    static constexpr bool quadratic = std::is_same_v<Impurity, Gini> || std::is_same_v<Impurity, Variance>;

    // Whether fast() with this weight and sum on the left may exceed the floor, as far as squares tell: all there is to
    // tell for a quadratic impurity; elsewhere the chi-square, which a divergence never exceeds, and no logarithm.
    bool squares_may_beat(double n, double s, double floor) const {
        if constexpr (!quadratic && !has_chi_square<Impurity>) return true;
        const auto all = static_cast<double>(total_.weight);
        const double a = s * all, b = static_cast<double>(total_.sum) * n;
        const double d = std::abs(a - b) + rounding * (std::abs(a) + std::abs(b));
        if constexpr (quadratic) return d * d > floor * (n * (all - n));
        return d * d * chi_square_ > (floor - parent_score_) * (n * (all - n));
    }

    // A corner where nothing is divided among nobody bounds nothing; a node without weight has no impurity.
    static double corner(double n, double s) {
        if (n > 0) return side(n, s);
        return s > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    }
    double score() const { return side(left_) + side(right()); }
    Group right() const { return {total_.rows - left_.rows, right_weight(), total_.sum - left_.sum}; }
    // One side's part of the score. Over classes it is a function of the two classes' weights.
    static double side(const Group& g) {
        if constexpr (classes)
            return Impurity::pair(static_cast<double>(g.sum), static_cast<double>(g.weight - g.sum));
        else
            return Impurity::pair(static_cast<double>(g.weight), static_cast<double>(g.sum));
    }
    static double side(double n, double s) {
        if constexpr (classes)
            return Impurity::pair(s, n - s);
        else
            return Impurity::pair(n, s);
    }
    // Gains of rates that differ little from the parent's cancel; with d the relative difference a side of weight n
    // gains n m ((1 + d) ln(1 + d) - d).
    double poisson_gain() const {
        const auto n = static_cast<double>(total_.weight), mean = static_cast<double>(total_.sum) / n;
        const double more = static_cast<double>(wide_difference()) / n;  // on the left, beyond its share
        const double left = static_cast<double>(left_.weight) * mean,
                     right = static_cast<double>(right_weight()) * mean;
        return left * excess(more / left) + right * excess(-more / right);
    }
    static double excess(double d) {
        if (d <= -1) return 1;
        if (std::abs(d) > 1e-3) return (1 + d) * std::log1p(d) - d;
        return d * d * (1.0 / 2 - d * (1.0 / 6 - d * (1.0 / 12 - d * (1.0 / 20 - d / 30))));
    }
    std::int64_t right_weight() const { return total_.weight - left_.weight; }
    std::int64_t exact_difference() const { return left_.sum * total_.weight - total_.sum * left_.weight; }
    // Weight times weight times the difference of the means of the two sides. The products may agree in many digits.
    double difference() const {
        if (exact_) return static_cast<double>(exact_difference());
        return static_cast<double>(wide_difference());
    }
    i128 wide_difference() const {
        return static_cast<i128>(left_.sum) * total_.weight - static_cast<i128>(total_.sum) * left_.weight;
    }
    void shift(const Group& by, std::int64_t sign) {
        left_.rows += sign * by.rows;
        left_.weight += sign * by.weight;
        left_.sum += sign * by.sum;
    }

    template <class Index>
    Measure enter(const Group& total, std::span<const Index> rows) {
        total_ = total;
        left_ = {};
        exact_ = Impurity::rational && total.weight < exact_weight_limit;
        const auto n = static_cast<double>(total.weight), s = static_cast<double>(total.sum);
        parent_score_ = side(total);
        const double impurity = impurity_of(rows);
        if constexpr (has_chi_square<Impurity>) chi_square_ = Impurity::chi_square(n, s);
        tolerance_ = tie_tolerance * impurity;
        spread_ = std::is_same_v<Impurity, Poisson> ? s / n : std::sqrt(impurity / n);
        noise_ = quadratic ? 0.0 : 1e-13 * (std::abs(parent_score_) + std::abs(s));
        if constexpr (std::is_same_v<Impurity, Entropy>) noise_ = 1e-14 * x_log_x(total.weight);
        const bool pure = total.sum == 0 || total.sum == total.weight;
        const bool more_ones = static_cast<double>(2 * total.sum - total.weight) > tie_tolerance * n;
        return {total.rows, n, impurity, n > 0 ? s / n : 0.0, more_ones, pure};
    }

    // The node's summed impurity. Over classes it is the score; otherwise the rows' own spread around the mean.
    template <class Index>
    double impurity_of(std::span<const Index> rows) const {
        if constexpr (classes) return std::max(0.0, -parent_score_);
        const double mean = static_cast<double>(total_.sum) / static_cast<double>(total_.weight);
        double impurity = 0;
        for (const Index row : rows) {
            const double w = Weighted ? static_cast<double>(weight_[row]) : 1.0, s = static_cast<double>(sum_[row]);
            if constexpr (std::is_same_v<Impurity, Variance>)
                impurity += (s - w * mean) * ((s - w * mean) / w);
            else if (mean > 0)
                impurity += w * mean * excess(s / (w * mean) - 1);
        }
        return impurity;
    }

    const Sum* sum_ = nullptr;
    const std::int64_t* weight_ = nullptr;
    Group total_, left_;
    double parent_score_ = 0.0, tolerance_ = 0.0, noise_ = 0.0, spread_ = 0.0, chi_square_ = 0.0;
    bool exact_ = false;
};

}  // namespace bristlecone

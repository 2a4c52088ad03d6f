// Three classes or more: a side of a split is a weight for each class.
//
// Moving one row changes two class weights, so Gini and entropy are kept up to date in constant time a row; the square
// root impurity mixes class and node weight and is summed over the node's classes where it is asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "impurity/entropy.hpp"
#include "impurity/gain.hpp"
#include "impurity/gini.hpp"
#include "search/lanes.hpp"
#include "search/measure.hpp"
#include "search/target.hpp"

namespace bristlecone {

template <class Impurity, bool Weighted>
class Classes {
public:
    struct Group {
        std::int64_t rows = 0, weight = 0;
        std::vector<std::int64_t> by_class;
    };
    static constexpr bool ordered_levels = false;
    static constexpr bool forbids_sides = false;
    static constexpr bool passes_over = false;  // a bound costs as much as the rows it would save

    Classes(const Target& target, std::int32_t n_classes)
        : label_(target.label.data()), weight_(target.weight.data()), total_(n_classes), left_(n_classes) {}

    template <class Index>
    Measure measure(std::span<const Index> rows) {
        for (const std::uint32_t k : present_) total_[k] = left_[k] = 0;
        present_.clear();
        n_rows_ = static_cast<std::int64_t>(rows.size());
        n_ = 0;
        for (const Index row : rows) count(label_[row], Weighted ? weight_[row] : 1);
        return enter();
    }

    void clear() {
        for (const std::uint32_t k : present_) left_[k] = 0;
        rows_left_ = n_left_ = 0;
        left_sum_ = 0;
        right_sum_ = total_sum_;
    }
    void add(std::uint32_t row) {
        ++rows_left_;
        shift(label_[row], Weighted ? weight_[row] : 1);
    }

    // Few classes may be counted in lanes instead; groups and score() are not kept up to date then.
    static constexpr bool by_lanes = std::is_same_v<Impurity, Gini> && !Weighted;
    bool few_classes() const { return present_.size() <= n_lanes && n_rows_ <= most_lane_rows; }
    Lanes lanes_left() const {
        Lanes lanes{};
        for (std::size_t i = 0; i < present_.size(); ++i) lanes.set(i, left_[present_[i]]);
        return lanes;
    }
    const std::uint32_t* labels() const { return label_; }
    const Lanes* lanes_by_class() const { return lane_.data(); }
    void set_left(const Lanes& left, std::size_t n_more) {
        rows_left_ += static_cast<std::int64_t>(n_more);
        n_left_ += static_cast<std::int64_t>(n_more);
        left_sum_ = sum_of_squares(left);
        right_sum_ = sum_of_squares(total_lanes_.minus(left));
    }

    void add(const Group& group) { shift(group, 1); }
    void remove(const Group& group) { shift(group, -1); }
    void add_to(Group& group, std::uint32_t row) const {
        const std::int64_t w = Weighted ? weight_[row] : 1;
        ++group.rows;
        group.weight += w;
        group.by_class[slot_[label_[row]]] += w;
    }
    // A group holds the classes of this node only, in the order of present().
    Group group() const { return {0, 0, std::vector<std::int64_t>(present_.size())}; }

    struct Side {
        std::int64_t rows, weight;
    };
    Side left() const { return {rows_left_, n_left_}; }
    Side total() const { return {n_rows_, n_}; }
    double tolerance() const { return tolerance_; }
    // The same in the units of fast().
    double fast_tolerance() const { return tolerance_; }
    bool admissible() const { return true; }

    double fast() const {
        const auto n_left = static_cast<double>(n_left_), n_right = static_cast<double>(n_ - n_left_);
        if constexpr (gini) return static_cast<double>(left_sum_) / n_left + static_cast<double>(right_sum_) / n_right;
        if constexpr (entropy) return left_sum_ - x_log_x(n_left_) + right_sum_ - x_log_x(n_ - n_left_);
        return score();
    }
    bool may_beat(double floor) const { return fast() > floor; }
    double slack(double fast) const {
        return (gini ? 1e-15 : 1e-15 * static_cast<double>(n_rows_)) * std::abs(fast) + noise_;
    }

    // An upper bound on fast() for any part of the group added to the left: see bound.hpp.
    double bound(const Group& group) const {
        double sum = gini ? static_cast<double>(n_) : 0.0;
        for (std::size_t i = 0; i < present_.size(); ++i) {
            const std::uint32_t k = present_[i];
            const auto c = static_cast<double>(left_[k]), rest = static_cast<double>(n_left_ - left_[k]);
            const auto more = static_cast<double>(group.by_class[i]),
                       more_rest = static_cast<double>(group.weight) - more;
            const auto all = static_cast<double>(total_[k]);
            sum += std::max({two_sides(c, rest, all), two_sides(c + more, rest, all),
                             two_sides(c, rest + more_rest, all), two_sides(c + more, rest + more_rest, all)});
        }
        return sum;
    }
    const std::vector<std::uint32_t>& present() const { return present_; }

    Gain gain() const {
        if constexpr (gini) {
            if (exact_) return exact_gain();
            // Where most of the weight is impurity the running sums keep their digits; ties are many with many classes.
            if (-parent_score_ > mostly * static_cast<double>(n_))
                return {fast() - static_cast<double>(n_) - parent_score_, 0, 0};
        }
        return {score() - parent_score_, 0, 0};
    }

private:
    static constexpr bool gini = std::is_same_v<Impurity, Gini>;
    static constexpr double mostly = 0.1;
    static constexpr bool entropy = std::is_same_v<Impurity, Entropy>;
    // The running sum over classes: of squares (whole numbers, below 2^62 unless weighted), or of c log2 c.
    using Sum = std::conditional_t<gini, std::conditional_t<Weighted, u128, std::uint64_t>, double>;

    static Sum part(std::int64_t c) {
        if constexpr (gini) return static_cast<Sum>(c) * static_cast<Sum>(c);
        if constexpr (entropy) return x_log_x(c);
        return 0;
    }

    void count(std::uint32_t k, std::int64_t w) {
        if (total_[k] == 0) present_.push_back(k);
        total_[k] += w;
        n_ += w;
    }

    void shift(std::uint32_t k, std::int64_t w) {
        const std::int64_t before = left_[k], rest = total_[k] - before;
        left_[k] = before + w;
        n_left_ += w;
        if constexpr (gini) {  // squares, by their differences
            left_sum_ += static_cast<Sum>(w) * static_cast<Sum>(2 * before + w);
            right_sum_ -= static_cast<Sum>(w) * static_cast<Sum>(2 * rest - w);
        } else {
            left_sum_ += part(before + w) - part(before);
            right_sum_ += part(rest - w) - part(rest);
        }
    }

    void shift(const Group& group, std::int64_t sign) {
        rows_left_ += sign * group.rows;
        for (std::size_t i = 0; i < present_.size(); ++i)
            if (group.by_class[i] != 0) shift(present_[i], sign * group.by_class[i]);
    }

    Measure enter() {
        std::sort(present_.begin(), present_.end());
        if (slot_.size() < total_.size()) slot_.resize(total_.size());
        if constexpr (by_lanes) set_lanes();
        Measure m{n_rows_, static_cast<double>(n_), 0.0, 0.0, -1, present_.size() <= 1};
        total_sum_ = 0;
        parent_score_ = 0;
        for (std::size_t i = 0; i < present_.size(); ++i) {
            const std::uint32_t k = present_[i];
            slot_[k] = static_cast<std::uint32_t>(i);
            total_sum_ += part(total_[k]);
            parent_score_ += term(total_[k], n_);
            if (m.label < 0 || heavier(total_[k], total_[m.label])) m.label = static_cast<std::int32_t>(k);
        }
        clear();
        m.impurity = std::max(0.0, -parent_score_);
        exact_ = gini && n_ < exact_weight_limit;
        tolerance_ = tie_tolerance * m.impurity;
        noise_ = gini ? 0.0 : 1e-15 * static_cast<double>(n_rows_) * x_log_x(n_);
        return m;
    }

    void set_lanes() {
        if (!few_classes()) return;
        lane_.resize(total_.size());
        total_lanes_ = Lanes{};
        for (std::size_t i = 0; i < present_.size(); ++i) {
            lane_[present_[i]] = Lanes{};
            lane_[present_[i]].set(i, 1);
            total_lanes_.set(i, total_[present_[i]]);
        }
    }

    // One class's part of the score when c of its weight and `rest` of the others' are on the left.
    double two_sides(double c, double rest, double all) const {
        return Impurity::term(c, rest) + Impurity::term(all - c, static_cast<double>(n_) - all - rest);
    }

    static double term(std::int64_t c, std::int64_t n) {
        return Impurity::term(static_cast<double>(c), static_cast<double>(n - c));
    }
    static bool heavier(std::int64_t a, std::int64_t b) {
        return static_cast<double>(a - b) > tie_tolerance * static_cast<double>(b);
    }

    // Minus the summed impurity of the two sides.
    double score() const {
        double sum = 0;
        for (const std::uint32_t k : present_)
            sum += term(left_[k], n_left_) + term(total_[k] - left_[k], n_ - n_left_);
        return sum;
    }

    // gain = numerator / (denominator * n), in whole numbers: L / l + R / r - T / n for sums of squares L, R, T.
    Gain exact_gain() const {
        Gain gain;
        const auto l = static_cast<std::uint64_t>(n_left_), n = static_cast<std::uint64_t>(n_), r = n - l;
        gain.denominator = l * r;
        const u128 sides = static_cast<u128>(left_sum_) * r + static_cast<u128>(right_sum_) * l;
        gain.numerator = sides * n - static_cast<u128>(total_sum_) * gain.denominator;
        gain.value =
            static_cast<double>(gain.numerator) / (static_cast<double>(gain.denominator) * static_cast<double>(n));
        return gain;
    }

    const std::uint32_t* label_;
    const std::int64_t* weight_;
    std::vector<std::int64_t> total_, left_;
    std::vector<std::uint32_t> present_, slot_;
    std::vector<Lanes> lane_;  // of each class of the node
    Lanes total_lanes_{};
    std::int64_t n_rows_ = 0, n_ = 0, rows_left_ = 0, n_left_ = 0;
    Sum left_sum_ = 0, right_sum_ = 0, total_sum_ = 0;
    double parent_score_ = 0.0, tolerance_ = 0.0, noise_ = 0.0;
    bool exact_ = false;
};

}  // namespace bristlecone

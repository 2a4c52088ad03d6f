// median cut   between two neighbouring values of the node, the weights of the two sides as equal as can be; of two
//                cuts that are equally good the lower one
#include "grow/kd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grow/space_grower.hpp"

namespace bristlecone {
namespace {

struct Weighted {
    double value, weight;
};

// Finds the median cut of one column; the working memory is kept from node to node.
class MedianCut {
public:
    // Whether there is one, and the values beside it.
    bool find(const Problem& problem, const double* cells, std::span<const std::uint32_t> rows) {
        entries_.clear();
        for (const std::uint32_t row : rows) entries_.push_back({cells[row], problem.weight ? problem.weight[row] : 1});
        const double median = problem.weight ? by_weight() : by_rows();
        constexpr double infinity = std::numeric_limits<double>::infinity();
        double below = 0, at = 0, above = 0, next_below = -infinity, next_above = infinity;
        for (const Weighted& entry : entries_) {
            if (entry.value < median) {
                below += entry.weight;
                next_below = std::max(next_below, entry.value);
            } else if (entry.value > median) {
                above += entry.weight;
                next_above = std::min(next_above, entry.value);
            } else {
                at += entry.weight;
            }
        }
        if (below == 0 && above == 0) return false;
        // Differences of the sides, which never overflow.
        const double before = std::abs(below - (at + above)), after = std::abs((below + at) - above);
        const double tie = tie_tolerance * (below + at + above);
        const bool cut_before = above == 0 || (below > 0 && before <= after + tie);
        low_ = cut_before ? next_below : median;
        high_ = cut_before ? median : next_above;
        return true;
    }

    double threshold() const { return threshold_between(low_, high_); }

private:
    static bool less(const Weighted& a, const Weighted& b) { return a.value < b.value; }

    double by_rows() {
        const auto middle = entries_.begin() + static_cast<std::ptrdiff_t>((entries_.size() - 1) / 2);
        std::nth_element(entries_.begin(), middle, entries_.end(), less);
        return middle->value;
    }

    // The first value at which half of the weight is reached: each step decides which half of the rows holds it.
    double by_weight() {
        double total = 0, before = 0;
        for (const Weighted& entry : entries_) total += entry.weight;
        auto first = entries_.begin(), last = entries_.end();
        while (last - first > 1) {
            const auto middle = first + (last - first) / 2;
            std::nth_element(first, middle, last, less);
            double weight = before;
            for (auto at = first; at != middle; ++at) weight += at->weight;
            if (weight >= total - weight) {
                last = middle;
            } else {
                before = weight;
                first = middle;
            }
        }
        return first->value;
    }

    std::vector<Weighted> entries_;
    double low_ = 0.0, high_ = 0.0;
};

// How far apart rows lie in each column, in standard deviations of the column. Numbers are brought near one by powers
// of two, which change no digit: squares stay in the range of floats.
class Spreads {
public:
    Spreads(const Problem& problem, const Numbers& numbers, std::span<const std::uint32_t> rows)
        : numbers_(&numbers), exponent_(numbers.n_columns(), 0), deviation_(numbers.n_columns(), 0.0) {
        for (std::size_t j = 0; j < numbers.n_columns(); ++j)
            if (!numbers.constant(j)) measure(problem, j, rows);
    }

    // The column of the largest spread, the lowest on ties; -1 when all are constant here.
    std::int32_t widest(std::span<const std::uint32_t> rows) const {
        std::int32_t best = -1;
        double best_spread = 0;
        for (std::size_t j = 0; j < deviation_.size(); ++j) {
            if (deviation_[j] == 0) continue;
            const double* cells = numbers_->column(j);
            double low = cells[rows[0]], high = low;
            for (const std::uint32_t row : rows) {
                low = std::min(low, cells[row]);
                high = std::max(high, cells[row]);
            }
            if (low == high) continue;
            const double spread = std::max(least, (scaled(j, high) - scaled(j, low)) / deviation_[j]);
            if (spread > best_spread * (1 + tie_tolerance)) {
                best = static_cast<std::int32_t>(j);
                best_spread = spread;
            }
        }
        return best;
    }

private:
    // Stands for what is larger than zero and too small for a float.
    static constexpr double least = std::numeric_limits<double>::denorm_min();

    double scaled(std::size_t j, double x) const { return std::ldexp(x, exponent_[j]); }

    void measure(const Problem& problem, std::size_t j, std::span<const std::uint32_t> rows) {
        const Numbers::Range& range = numbers_->range(j);
        int e = 0;
        std::frexp(std::max(std::abs(range.low), std::abs(range.high)), &e);
        exponent_[j] = -e;
        const double* cells = numbers_->column(j);
        const double low = scaled(j, range.low);
        double total = 0;
        for (const std::uint32_t row : rows) total += problem.weight ? problem.weight[row] : 1;
        const auto mean_of = [&](const auto& of) {
            double mean = 0;
            for (const std::uint32_t row : rows)
                mean += (problem.weight ? problem.weight[row] : 1) / total * of(scaled(j, cells[row]) - low);
            return mean;
        };
        const double mean = mean_of([](double x) { return x; });
        deviation_[j] = std::max(least, std::sqrt(mean_of([&](double x) { return (x - mean) * (x - mean); })));
    }

    const Numbers* numbers_;
    std::vector<int> exponent_;
    std::vector<double> deviation_;  // 0: the column is constant
};

class KdRule {
public:
    struct Place {};

    KdRule(const Problem& problem, const Numbers& numbers, const Spreads* spreads)
        : problem_(&problem), numbers_(&numbers), spreads_(spreads) {}

    void enter(const Place&, std::int32_t depth) { depth_ = depth; }

    Cut choose(std::span<const std::uint32_t> rows) {
        if (spreads_ != nullptr) {
            const std::int32_t column = spreads_->widest(rows);
            return column < 0 ? Cut{} : cut_at(column, rows);
        }
        const auto n = static_cast<std::int32_t>(numbers_->n_columns());
        for (std::int32_t passed = 0; passed < n; ++passed) {
            const std::int32_t column = (depth_ % n + passed) % n;
            if (numbers_->constant(column)) continue;
            if (const Cut cut = cut_at(column, rows); cut.column >= 0) return cut;
        }
        return {};
    }

    Place beside(bool) const { return {}; }
    KdRule restart(std::int32_t) const { return {*problem_, *numbers_, spreads_}; }

private:
    Cut cut_at(std::int32_t column, std::span<const std::uint32_t> rows) {
        if (!median_.find(*problem_, numbers_->column(column), rows)) return {};
        return {column, median_.threshold()};
    }

    const Problem* problem_;
    const Numbers* numbers_;
    const Spreads* spreads_;  // null: the columns take turns
    MedianCut median_;
    std::int32_t depth_ = 0;
};

}  // namespace

Grown grow_kd(const Problem& problem, Axis axis, const KdLimits& limits) {
    std::vector<std::uint32_t> rows = rows_with_weight(problem);
    const Numbers numbers(problem, rows);
    const Space space{&problem, &numbers, {limits.max_depth, limits.stop_pure}, rows};
    if (axis == Axis::cycle) return grow_space(space, KdRule(problem, numbers, nullptr));
    const Spreads spreads(problem, numbers, rows);
    return grow_space(space, KdRule(problem, numbers, &spreads));
}

}  // namespace bristlecone

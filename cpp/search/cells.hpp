// Cells of a histogram: what the rows of one code add up to, laid out for the kind of target.
//
// The protocol of a layout: Cell (or a run of words), contribution of a row, and fill(), which turns a cell into the
// accumulator's Group. All sums are whole numbers, so a node's histogram minus a child's is the other child's.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "search/classes.hpp"
#include "search/pairs.hpp"
#include "search/target.hpp"

namespace bristlecone {

// Two classes, unit weights: rows in the low half, rows of class 1 in the high half.
struct PackedCell {
    std::uint64_t both = 0;
    PackedCell& operator+=(const PackedCell& o) {
        both += o.both;
        return *this;
    }
    PackedCell& operator-=(const PackedCell& o) {
        both -= o.both;
        return *this;
    }
    static PackedCell of(const Target& target, std::uint32_t row) {
        return {1 + (static_cast<std::uint64_t>(target.indicator[row]) << 32)};
    }
    template <class Group>
    void fill(Group& group) const {
        group.rows = group.weight = static_cast<std::int64_t>(both & 0xffffffffu);
        group.sum = static_cast<std::int64_t>(both >> 32);
    }
    bool empty() const { return both == 0; }
};

// Regression, unit weights. spread, what the rows score one by one, serves a bound only and may be rounded.
template <class Impurity>
struct UnitCell {
    std::int64_t rows = 0, sum = 0;
    double spread = 0.0;
    UnitCell& operator+=(const UnitCell& o) {
        rows += o.rows;
        sum += o.sum;
        spread += o.spread;
        return *this;
    }
    UnitCell& operator-=(const UnitCell& o) {
        rows -= o.rows;
        sum -= o.sum;
        spread -= o.spread;
        return *this;
    }
    static UnitCell of(const Target& target, std::uint32_t row) {
        const auto s = static_cast<double>(target.sum[row]);
        return {1, target.sum[row], spread_of<Impurity>(1.0, s)};
    }
    template <class Group>
    void fill(Group& group) const {
        group.rows = group.weight = rows;
        group.sum = sum;
    }
    std::int64_t total_weight() const { return rows; }
    bool empty() const { return rows == 0; }
};

template <class Impurity>
struct WeightedCell {
    std::int64_t rows = 0, weight = 0, sum = 0;
    double spread = 0.0;
    WeightedCell& operator+=(const WeightedCell& o) {
        rows += o.rows;
        weight += o.weight;
        sum += o.sum;
        spread += o.spread;
        return *this;
    }
    WeightedCell& operator-=(const WeightedCell& o) {
        rows -= o.rows;
        weight -= o.weight;
        sum -= o.sum;
        spread -= o.spread;
        return *this;
    }
    static WeightedCell of(const Target& target, std::uint32_t row) {
        const auto s = static_cast<double>(target.sum[row]);
        return {1, target.weight[row], target.sum[row],
                spread_of<Impurity>(static_cast<double>(target.weight[row]), s)};
    }
    template <class Group>
    void fill(Group& group) const {
        group.rows = rows;
        group.weight = weight;
        group.sum = sum;
    }
    std::int64_t total_weight() const { return weight; }
    bool empty() const { return rows == 0; }
};

template <class Cell>
class PairLayout {
public:
    using Histogram = std::vector<Cell>;

    explicit PairLayout(std::int32_t) {}
    std::size_t width() const { return 1; }
    // codes: of the row, one a column; offsets: where the columns' cells begin.
    static void count(Histogram& histogram, const Target& target, std::uint32_t row, const std::uint8_t* codes,
                      const std::vector<std::uint32_t>& offsets) {
        const Cell cell = Cell::of(target, row);
        for (std::size_t j = 0; j + 1 < offsets.size(); ++j) histogram[offsets[j] + codes[j]] += cell;
    }
    bool empty(const Cell* cell) const { return cell->empty(); }
    template <class Accumulator>
    void fill(const Cell* cell, const Accumulator&, typename Accumulator::Group& group) const {
        cell->fill(group);
    }
};

// Many classes: a count for each class, and with weights the rows besides.
template <bool Weighted>
class ClassLayout {
public:
    using Word = std::conditional_t<Weighted, std::int64_t, std::uint32_t>;
    using Histogram = std::vector<Word>;

    explicit ClassLayout(std::int32_t n_classes) : n_classes_(static_cast<std::size_t>(n_classes)) {}
    std::size_t width() const { return n_classes_ + (Weighted ? 1 : 0); }
    void count(Histogram& histogram, const Target& target, std::uint32_t row, const std::uint8_t* codes,
               const std::vector<std::uint32_t>& offsets) const {
        const std::size_t k = target.label[row], w = width();
        for (std::size_t j = 0; j + 1 < offsets.size(); ++j) {
            Word* cell = histogram.data() + (offsets[j] + codes[j]) * w;
            if constexpr (Weighted) {
                cell[k] += target.weight[row];
                ++cell[n_classes_];
            } else {
                ++cell[k];
            }
        }
    }
    bool empty(const Word* cell) const {
        if constexpr (Weighted) return cell[n_classes_] == 0;
        for (std::size_t k = 0; k < n_classes_; ++k)
            if (cell[k] != 0) return false;
        return true;
    }
    template <class Accumulator>
    void fill(const Word* cell, const Accumulator& acc, typename Accumulator::Group& group) const {
        group.weight = 0;
        const auto& present = acc.present();
        group.by_class.resize(present.size());
        for (std::size_t i = 0; i < present.size(); ++i) {
            group.by_class[i] = static_cast<std::int64_t>(cell[present[i]]);
            group.weight += group.by_class[i];
        }
        group.rows = Weighted ? static_cast<std::int64_t>(cell[width() - 1]) : group.weight;
    }

private:
    std::size_t n_classes_;
};

}  // namespace bristlecone

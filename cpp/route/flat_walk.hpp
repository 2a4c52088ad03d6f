// Many rows down a FlatTree at once, without a branch that hangs on a cell.
//
// A round takes the rows that still walk a few levels down, `lanes` of them side by side, so that their reads and
// comparisons overlap; then the rows that have reached a leaf leave the list. Rows that do not fill the lanes wait for
// the next round, and the last few of a block walk one by one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "route/flat_tree.hpp"

namespace bristlecone {

inline constexpr std::size_t lanes = 16;
inline constexpr std::size_t levels_a_round = 6;
inline constexpr std::size_t most_rows = 256;  // of a block: few enough that its cells stay near

template <class Cells>
class FlatWalk {
public:
    explicit FlatWalk(const FlatTree& tree) : tree_(tree), nodes_(tree.nodes.data()) {}

    // stops[i] becomes the leaf of row i, for at most most_rows rows, which n_next rows follow. Returns whether one of
    // them may have met a missing value: it has gone to the side of the missing.
    bool walk(const Cells& cells, std::size_t n_rows, std::size_t n_next, std::int64_t* stops) {
        met_missing_ = false;
        n_walking_ = n_rows;
        for (std::size_t i = 0; i < n_rows; ++i) rows_[i] = static_cast<std::uint32_t>(i);
        std::fill_n(at_.begin(), n_rows, 0);
        for (std::size_t levels = tree_.first_levels; n_walking_ >= lanes; levels = levels_a_round) {
            for (std::size_t i = 0; i + lanes <= n_walking_; i += lanes) {
                if (i + lanes <= n_next) cells.fetch(n_rows + i, lanes);
                advance(cells, i, levels);
            }
            n_next = 0;
            leave(stops);
        }
        for (std::size_t i = 0; i < n_walking_; ++i) stops[rows_[i]] = finish(cells, i);
        return met_missing_;
    }

private:
    void advance(const Cells& cells, std::size_t i, std::size_t levels) {
        if (!expects_missing_) {
            std::array<std::uint32_t, lanes> before;
            std::copy_n(at_.begin() + i, lanes, before.begin());
            if (descend<false>(cells, i, levels)) return;
            // From here on every comparison pays for missing values: where there is one there are more.
            expects_missing_ = true;
            std::copy_n(before.begin(), lanes, at_.begin() + i);
        }
        met_missing_ = true;
        descend<true>(cells, i, levels);
    }

    // Returns false where a missing value may have gone the wrong way, which with_missing rules out.
    template <bool with_missing>
    bool descend(const Cells& cells, std::size_t i, std::size_t levels) {
        std::array<typename Cells::Place, lanes> place;
        std::array<std::uint32_t, lanes> at;
        std::array<double, 4> sums{};  // NaN once a cell is; several, since additions wait for each other
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            place[lane] = cells.place(rows_[i + lane]);
            at[lane] = at_[i + lane];
        }
        for (std::size_t level = 0; level < levels; ++level)
#pragma GCC unroll 16  // so that `at` lies in registers
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const FlatNode& node = nodes_[at[lane]];
                const double x = cells.at(place[lane], node.feature);
                std::uint32_t left = !(x >= node.threshold);
                if constexpr (with_missing)
                    left &= ~(static_cast<std::uint32_t>(std::isnan(x)) & tree_.missing_right[at[lane]]);
                else
                    sums[lane % sums.size()] += x;
                at[lane] = node.base + left;
            }
        std::copy_n(at.begin(), lanes, at_.begin() + i);
        return !std::isnan((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }

    void leave(std::int64_t* stops) {
        const std::size_t n_moved = n_walking_ - n_walking_ % lanes;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < n_moved; ++i) {
            const std::uint32_t row = rows_[i], at = at_[i];
            stops[row] = node_of_leaf(nodes_[at]);  // of use once it is one
            rows_[kept] = row;
            at_[kept] = at;
            kept += !is_leaf(nodes_[at], at);
        }
        std::copy(rows_.begin() + n_moved, rows_.begin() + n_walking_, rows_.begin() + kept);
        std::copy(at_.begin() + n_moved, at_.begin() + n_walking_, at_.begin() + kept);
        n_walking_ = kept + n_walking_ % lanes;
    }

    // Alone, a row is quicker where the processor may guess the way.
    std::int64_t finish(const Cells& cells, std::size_t i) {
        const auto place = cells.place(rows_[i]);
        std::uint32_t at = at_[i];
        while (!is_leaf(nodes_[at], at)) {
            const FlatNode& node = nodes_[at];
            const double x = cells.at(place, node.feature);
            if (x >= node.threshold) {
                at = node.base;
            } else if (x < node.threshold) {
                at = node.base + 1;
            } else {
                met_missing_ = true;
                at = node.base + !tree_.missing_right[at];
            }
        }
        return node_of_leaf(nodes_[at]);
    }

    const FlatTree& tree_;
    const FlatNode* nodes_;
    bool expects_missing_ = false;
    bool met_missing_ = false;
    std::size_t n_walking_ = 0;
    std::array<std::uint32_t, most_rows> rows_, at_;  // of the rows that still walk
};

}  // namespace bristlecone

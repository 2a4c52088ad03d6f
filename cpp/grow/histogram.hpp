// The histogram of one node: for every column and code, what the node's rows add up to.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "grow/coded_rows.hpp"
#include "grow/region.hpp"
#include "search/target.hpp"
#include "table/codes.hpp"
#include "threads.hpp"

namespace bristlecone {

template <class Layout>
class NodeHistogram : public HistogramBase {
    using Cells = typename Layout::Histogram;

public:
    using Word = typename Cells::value_type;

    static std::shared_ptr<NodeHistogram> count(const Layout& layout, const CodedRows& codes, const Target& target,
                                                std::span<const std::uint32_t> rows, int n_threads) {
        const std::size_t n_shares = shares_of(rows.size(), n_threads);
        std::vector<std::shared_ptr<NodeHistogram>> parts(n_shares);
        run_tasks(n_threads, n_shares, [&](std::size_t share) {
            parts[share] = std::make_shared<NodeHistogram>(layout, codes.plan());
            const std::size_t begin = rows.size() * share / n_shares, end = rows.size() * (share + 1) / n_shares;
            parts[share]->add_rows(layout, codes, target, rows.subspan(begin, end - begin));
        });
        for (std::size_t share = 1; share < n_shares; ++share) parts[0]->add(*parts[share]);
        parts[0]->measure_spread();
        return parts[0];
    }

    NodeHistogram(const Layout& layout, const Codes& codes)
        : codes_(codes), width_(layout.width()), cells_(codes.n_cells() * width_) {}

    // How far the cells' spreads may be off: they are sums of floating-point numbers, less such sums.
    double spread_error() const { return spread_error_; }
    const Word* column(std::size_t j) const { return cells_.data() + codes_.offset(j) * width_; }

    void add(const NodeHistogram& other) {
        for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] += other.cells_[i];
    }
    void subtract(const NodeHistogram& other) {
        for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] -= other.cells_[i];
    }

private:
    // The parent's is kept by what remains of it: subtracting leaves the parent's rounding.
    void measure_spread() {
        if constexpr (requires(Word word) { word.spread; }) {
            const std::size_t end = codes_.n_columns() > 0 ? codes_.offset(1) : 0;
            for (std::size_t i = 0; i < end; ++i)
                spread_error_ += 1e-9 * (std::abs(cells_[i].spread) + static_cast<double>(cells_[i].total_weight()));
        }
    }
    void add_rows(const Layout& layout, const CodedRows& codes, const Target& target,
                  std::span<const std::uint32_t> rows) {
        constexpr std::size_t ahead = 16;  // rows of a node lie far apart
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i + ahead < rows.size()) __builtin_prefetch(codes.codes(rows[i + ahead]));
            layout.count(cells_, target, rows[i], codes.codes(rows[i]), codes_.offsets());
        }
    }

    const Codes& codes_;
    std::size_t width_;
    Cells cells_;
    double spread_error_ = 0.0;
};

}  // namespace bristlecone

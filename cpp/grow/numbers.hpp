// Numbers: the table as contiguous float64 columns, every cell of a row with weight finite.
//
// A copy: space trees read a column again at every level, and the caller's rows may lie far apart or change meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"

namespace bristlecone {

class Numbers {
public:
    struct Range {
        double low = 0.0, high = 0.0;
    };

    // Throws std::invalid_argument naming row and column for a cell of one of these rows that is not finite.
    Numbers(const Problem& problem, std::span<const std::uint32_t> rows);

    const double* column(std::size_t j) const { return cells_.data() + j * n_rows_; }
    std::size_t n_columns() const { return ranges_.size(); }
    // The smallest and the largest cell of a column among those rows.
    const Range& range(std::size_t j) const { return ranges_[j]; }
    bool constant(std::size_t j) const { return ranges_[j].low == ranges_[j].high; }

private:
    void copy(const Columns& columns, int n_threads);

    std::size_t n_rows_;
    std::vector<double> cells_;
    std::vector<Range> ranges_;
};

}  // namespace bristlecone

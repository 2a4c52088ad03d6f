#include "grow/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t block_rows = 256;  // of wide rows too they stay near while their columns are copied

}  // namespace

Numbers::Numbers(const Problem& problem, std::span<const std::uint32_t> rows)
    : n_rows_(problem.columns->n_rows), cells_(n_rows_ * problem.columns->size()), ranges_(problem.columns->size()) {
    copy(*problem.columns, problem.n_threads);
    run_tasks(problem.n_threads, ranges_.size(), [&](std::size_t j) {
        const double* cells = column(j);
        Range range{cells[rows[0]], cells[rows[0]]};
        for (const std::uint32_t row : rows) {
            if (!std::isfinite(cells[row]))
                throw std::invalid_argument("row " + std::to_string(row) + ", column " + std::to_string(j) +
                                            ": the cell is missing or infinite");
            range.low = std::min(range.low, cells[row]);
            range.high = std::max(range.high, cells[row]);
        }
        ranges_[j] = range;
    });
}

void Numbers::copy(const Columns& columns, int n_threads) {
    run_tasks(n_threads, (n_rows_ + block_rows - 1) / block_rows, [&](std::size_t block) {
        const std::size_t first = block * block_rows, end = std::min(n_rows_, first + block_rows);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            double* cells = cells_.data() + j * n_rows_;
            for (std::size_t row = first; row < end; ++row) cells[row] = columns[j].number(row);
        }
    });
}

}  // namespace bristlecone

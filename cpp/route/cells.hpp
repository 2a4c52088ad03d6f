// Where the walk finds the numeric cells of a block of rows: in rows of one array, or column by column.
//
// Both give a row's `Place` and the cell of a column at that place, as double; both know nothing of missing values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "table/columns.hpp"

namespace bristlecone {

inline constexpr std::ptrdiff_t line_bytes = 64;
inline constexpr std::ptrdiff_t widest_fetched = 8 * line_bytes;

// Rows of one C-order array, or of a part of its columns.
template <class T>
struct RowCells {
    using Place = std::uintptr_t;  // the address of the row: as a number the compiler keeps it in one piece

    const char* first = nullptr;  // the cell of column 0 in the block's first row
    std::ptrdiff_t stride = 0;    // in bytes, from row to row

    RowCells from(std::size_t i) const { return {row(i), stride}; }
    const char* row(std::size_t i) const { return first + static_cast<std::ptrdiff_t>(i) * stride; }
    Place place(std::size_t i) const { return reinterpret_cast<Place>(row(i)); }

    // Bids the memory bring some rows. Of wide rows little is read: they are left to the walk.
    void fetch(std::size_t i, std::size_t n_rows) const {
        if (stride < 0 || stride > widest_fetched) return;
        for (const char *line = row(i), *end = row(i + n_rows); line < end; line += line_bytes)
            __builtin_prefetch(line, 0, 2);
    }
    double at(Place place_of_row, std::int32_t column) const {
        return static_cast<double>(
            *reinterpret_cast<const T*>(place_of_row + static_cast<std::uint32_t>(column) * sizeof(T)));
    }
};

// Whether a cell is infinite in a block of rows that lie without gaps. Afterwards the cells are near.
template <class T>
bool any_infinite(const RowCells<T>& rows, std::size_t n_rows) {
    const auto n = n_rows * static_cast<std::size_t>(rows.stride) / sizeof(T);
    const T* cells = reinterpret_cast<const T*>(rows.first);
    std::array<T, line_bytes / sizeof(T)> sums{}, largest{};
    const std::size_t n_whole = n - n % sums.size();
    for (std::size_t i = 0; i < n_whole; i += sums.size())
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += cells[i + k];
    const T sum = std::accumulate(cells + n_whole, cells + n, std::accumulate(sums.begin(), sums.end(), T{0}));
    if (std::isfinite(sum)) return false;
    // A missing cell, or a sum too large: a second look decides. NaN is never the larger one.
    for (std::size_t i = 0; i < n_whole; i += largest.size())
        for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = std::max(largest[k], std::fabs(cells[i + k]));
    return std::any_of(largest.begin(), largest.end(), [](T x) { return std::isinf(x); }) ||
           std::any_of(cells + n_whole, cells + n, [](T x) { return std::isinf(x); });
}

// Contiguous float64 runs, one a column.
struct ColumnCells {
    using Place = std::size_t;

    const double* const* columns = nullptr;

    Place place(std::size_t row) const { return row; }
    void fetch(std::size_t, std::size_t) const {}  // runs are fetched by themselves
    double at(Place row, std::int32_t column) const { return columns[column][row]; }
};

// The used columns as rows of one array, when they are that.
template <class T>
std::optional<RowCells<T>> as_rows(const Columns& columns, const std::vector<std::int32_t>& used) {
    const Column& first = columns[used[0]];
    const auto width = static_cast<std::ptrdiff_t>(sizeof(T));
    if (first.type != (sizeof(T) == sizeof(double) ? CellType::float64 : CellType::float32)) return {};
    for (const std::int32_t j : used) {
        const Column& column = columns[j];
        const std::ptrdiff_t apart = (j - used[0]) * width;
        if (column.type != first.type || column.stride != first.stride || column.data - first.data != apart) return {};
    }
    return RowCells<T>{first.data - used[0] * width, first.stride};
}

// Whether the columns are those of one array whose rows lie without gaps.
inline bool whole_rows(const Columns& columns) {
    const Column& first = columns[0];
    const std::ptrdiff_t width = first.type == CellType::float64 ? sizeof(double) : sizeof(float);
    if (first.categorical() || first.stride != width * static_cast<std::ptrdiff_t>(columns.size())) return false;
    for (std::size_t j = 1; j < columns.size(); ++j)
        if (columns[j].type != first.type || columns[j].stride != first.stride ||
            columns[j].data - first.data != width * static_cast<std::ptrdiff_t>(j))
            return false;
    return true;
}

// The used columns of one block after the other as contiguous float64: where they lie, or copied.
class ColumnBlock {
public:
    ColumnBlock(const Columns& columns, const std::vector<std::int32_t>& used, std::size_t most_rows)
        : columns_(columns), used_(used), most_rows_(most_rows), runs_(columns.size()) {
        std::size_t n_copied = 0;
        for (const std::int32_t j : used) n_copied += !lies_well(columns[j]);
        copies_.resize(n_copied * most_rows);
    }

    ColumnCells read(std::size_t first_row, std::size_t n_rows) {
        double* copy = copies_.data();
        for (const std::int32_t j : used_) {
            const Column& column = columns_[j];
            if (lies_well(column)) {
                runs_[j] = reinterpret_cast<const double*>(column.data) + first_row;
                continue;
            }
            if (column.type == CellType::float32)
                copy_run<float>(column, first_row, n_rows, copy);
            else
                copy_run<double>(column, first_row, n_rows, copy);
            runs_[j] = copy;
            copy += most_rows_;
        }
        return {runs_.data()};
    }

private:
    static bool lies_well(const Column& column) {
        return column.type == CellType::float64 && column.stride == static_cast<std::ptrdiff_t>(sizeof(double));
    }

    template <class T>
    static void copy_run(const Column& column, std::size_t first_row, std::size_t n_rows, double* copy) {
        const char* cell = column.data + static_cast<std::ptrdiff_t>(first_row) * column.stride;
        for (std::size_t row = 0; row < n_rows; ++row, cell += column.stride)
            copy[row] = static_cast<double>(*reinterpret_cast<const T*>(cell));
    }

    const Columns& columns_;
    const std::vector<std::int32_t>& used_;
    std::size_t most_rows_;
    std::vector<const double*> runs_;  // by column; null where no split reads it
    std::vector<double> copies_;
};

}  // namespace bristlecone

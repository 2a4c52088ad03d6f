// Columns: the rows as the core sees them, column by column, without a copy.
//
// A numeric column is a strided run of float64 or float32; NaN is a missing cell.
// A categorical column is a strided run of int32 codes 0..n_levels-1; -1 is a missing cell,
// -2 a level that the training table did not have. Everything is read as double or as int.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bristlecone {

enum class CellType : std::uint8_t { float64, float32, code };

inline constexpr std::int32_t missing_level = -1;
inline constexpr std::int32_t unseen_level = -2;

struct Column {
    const char* data = nullptr;
    std::ptrdiff_t stride = 0;  // in bytes
    CellType type = CellType::float64;
    std::int32_t n_levels = 0;  // of a categorical column

    bool categorical() const { return type == CellType::code; }

    // Adding 0.0 turns -0.0 into 0.0, so that equal numbers have equal bits.
    double number(std::size_t row) const {
        const char* cell = data + static_cast<std::ptrdiff_t>(row) * stride;
        if (type == CellType::float64) return *reinterpret_cast<const double*>(cell) + 0.0;
        return static_cast<double>(*reinterpret_cast<const float*>(cell)) + 0.0;
    }
    // Asks for a row's cell before it is read.
    void prefetch(std::size_t row) const { __builtin_prefetch(data + static_cast<std::ptrdiff_t>(row) * stride); }
    std::int32_t code(std::size_t row) const {
        return *reinterpret_cast<const std::int32_t*>(data + static_cast<std::ptrdiff_t>(row) * stride);
    }
    bool missing(std::size_t row) const { return categorical() ? code(row) == missing_level : std::isnan(number(row)); }
};

struct Columns {
    std::vector<Column> columns;
    std::size_t n_rows = 0;

    std::size_t size() const { return columns.size(); }
    const Column& operator[](std::size_t j) const { return columns[j]; }
};

}  // namespace bristlecone

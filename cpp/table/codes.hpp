// Codes: every cell of a table as one byte, row after row, in the order of its column's values.
//
// A column of at most 255 values gets a code a value, and a histogram over its codes says all there is to say (exact).
// Other numeric columns get up to 255 quantile bins; a categorical column of more than 255 levels gets none (wide).
// Codes are made once a table and serve every tree that is grown from it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "interrupt.hpp"
#include "table/columns.hpp"

namespace bristlecone {

inline constexpr std::size_t codes_per_column = 256;

struct ColumnCodes {
    bool wide = false;
    bool exact = false;
    std::size_t n_codes = 0;     // at most 255
    std::vector<double> values;  // of an exact numeric column, ascending, a code each
    std::vector<double> cuts;    // of a binned column: the code of x is the number of cuts <= x

    // The code of a missing cell comes after all others.
    std::size_t missing() const { return n_codes; }
    // Codes below it hold values below t only, codes above it values from t on.
    std::size_t code_at(double t) const;
};

class Codes {
public:
    Codes(const Columns& columns, int n_threads, Interrupt* interrupt = nullptr);

    std::size_t n_columns() const { return columns_.size(); }
    const ColumnCodes& operator[](std::size_t j) const { return columns_[j]; }
    // Where a column's cells begin in a histogram, and how many cells all columns need.
    std::size_t offset(std::size_t j) const { return offsets_[j]; }
    const std::vector<std::uint32_t>& offsets() const { return offsets_; }
    std::size_t n_cells() const { return offsets_.back(); }
    // n_columns() codes; a wide column's are 0.
    const std::uint8_t* row(std::size_t i) const { return cells_.data() + i * columns_.size(); }

private:
    // Returns the columns in which some value has no code.
    std::vector<std::size_t> encode(const Columns& columns, const std::vector<std::size_t>& which, int n_threads,
                                    Interrupt* interrupt);

    std::vector<ColumnCodes> columns_;
    std::vector<std::uint32_t> offsets_;  // one more than columns
    std::vector<std::uint8_t> cells_;
};

// Makes a table's codes when they are first asked for.
class CodesCache {
public:
    const Codes& get(const Columns& columns, int n_threads, Interrupt* interrupt) {
        const std::scoped_lock lock(guard_);
        if (!codes_) codes_ = std::make_unique<Codes>(columns, n_threads, interrupt);
        return *codes_;
    }

private:
    std::mutex guard_;
    std::unique_ptr<Codes> codes_;
};

}  // namespace bristlecone

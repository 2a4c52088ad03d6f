#include "table/codes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t max_codes = 255;
constexpr std::size_t sample_size = 16384;
constexpr std::size_t block_rows = 2048;
constexpr std::size_t search_size = 256;  // cuts and values are padded to this, for a search without branches

// The number of keys <= x among 255 ascending keys, padded with +inf.
std::size_t count_not_above(const double* keys, double x) {
    std::size_t at = 0;
    for (std::size_t step = search_size / 2; step > 0; step /= 2) at += keys[at + step - 1] <= x ? step : 0;
    return at;
}

std::vector<double> padded(std::vector<double> keys) {
    keys.resize(search_size, std::numeric_limits<double>::infinity());
    return keys;
}

// Evenly spaced rows, sorted; missing cells left out.
std::vector<double> sorted_sample(const Column& column, std::size_t n_rows) {
    std::vector<double> sample;
    const std::size_t step = std::max<std::size_t>(1, n_rows / sample_size);
    for (std::size_t row = 0; row < n_rows; row += step) {
        const double x = column.number(row);
        if (!std::isnan(x)) sample.push_back(x);
    }
    std::sort(sample.begin(), sample.end());
    return sample;
}

// All values of the column, ascending, if they are few; otherwise false.
bool few_values(const Column& column, std::size_t n_rows, std::vector<double> values, std::vector<double>& found) {
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() > max_codes) return false;
    std::vector<double> keys = padded(values);
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = column.number(row);
        const std::size_t at = count_not_above(keys.data(), x);
        if (std::isnan(x) || (at > 0 && keys[at - 1] == x)) continue;
        if (values.size() == max_codes) return false;
        values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), x);
        keys = padded(values);
    }
    found = std::move(values);
    return true;
}

std::vector<double> quantile_cuts(const std::vector<double>& sample) {
    std::vector<double> cuts;
    for (std::size_t i = 1; i < max_codes; ++i) {
        const double cut = sample[i * sample.size() / max_codes];
        if (cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
    }
    return cuts;
}

ColumnCodes plan(const Column& column, std::size_t n_rows) {
    ColumnCodes codes;
    if (column.categorical()) {
        codes.n_codes = static_cast<std::size_t>(column.n_levels);
        codes.wide = codes.n_codes > max_codes;
        codes.exact = !codes.wide;
        return codes;
    }
    std::vector<double> sample = sorted_sample(column, n_rows);
    if (few_values(column, n_rows, sample, codes.values)) {
        codes.exact = true;
        codes.n_codes = std::max<std::size_t>(1, codes.values.size());
    } else {
        codes.cuts = quantile_cuts(sample);
        codes.n_codes = codes.cuts.size() + 1;
    }
    return codes;
}

void encode_levels(const Column& column, std::size_t begin, std::size_t end, std::uint8_t* out, std::size_t stride) {
    for (std::size_t row = begin; row < end; ++row, out += stride) {
        const std::int32_t level = column.code(row);
        *out = level < 0 ? missing_code : static_cast<std::uint8_t>(level);
    }
}

// keys: cuts (the code is the count) or values (the code is the count less one).
void encode_numbers(const Column& column, const std::vector<double>& keys, std::size_t less, std::size_t begin,
                    std::size_t end, std::uint8_t* out, std::size_t stride) {
    for (std::size_t row = begin; row < end; ++row, out += stride) {
        const double x = column.number(row);
        *out = std::isnan(x) ? missing_code : static_cast<std::uint8_t>(count_not_above(keys.data(), x) - less);
    }
}

}  // namespace

std::size_t ColumnCodes::code_at(double t) const {
    if (exact) return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), t) - values.begin());
    return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), t) - cuts.begin());
}

Codes::Codes(const Columns& columns, int n_threads)
    : columns_(columns.size()), cells_(columns.n_rows * columns.size(), 0) {
    const std::size_t d = columns.size();
    std::vector<std::vector<double>> keys(d);
    run_tasks(n_threads, d, [&](std::size_t j) {
        columns_[j] = plan(columns[j], columns.n_rows);
        keys[j] = padded(columns_[j].exact ? columns_[j].values : columns_[j].cuts);
    });
    run_tasks(n_threads, (columns.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
        const std::size_t begin = block * block_rows, end = std::min(columns.n_rows, begin + block_rows);
        for (std::size_t j = 0; j < d; ++j) {
            std::uint8_t* out = cells_.data() + begin * d + j;
            if (columns_[j].wide) continue;
            if (columns[j].categorical())
                encode_levels(columns[j], begin, end, out, d);
            else
                encode_numbers(columns[j], keys[j], columns_[j].exact ? 1 : 0, begin, end, out, d);
        }
    });
}

}  // namespace bristlecone

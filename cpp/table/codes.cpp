#include "table/codes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t max_codes = 255;
constexpr std::size_t sample_size = 8192;
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

// Evenly spaced rows of every column, sorted; missing cells left out. Row by row, as most tables lie in memory.
std::vector<std::vector<double>> sorted_samples(const Columns& columns, int n_threads) {
    std::vector<std::vector<double>> samples(columns.size());
    const std::size_t step = std::max<std::size_t>(1, columns.n_rows / sample_size);
    for (std::size_t row = 0; row < columns.n_rows; row += step)
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (columns[j].categorical()) continue;
            const double x = columns[j].number(row);
            if (!std::isnan(x)) samples[j].push_back(x);
        }
    run_tasks(n_threads, samples.size(), [&](std::size_t j) { std::sort(samples[j].begin(), samples[j].end()); });
    return samples;
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

ColumnCodes plan_levels(const Column& column) {
    ColumnCodes codes;
    codes.n_codes = static_cast<std::size_t>(column.n_levels);
    codes.wide = codes.n_codes > max_codes;
    codes.exact = !codes.wide;
    return codes;
}

ColumnCodes plan_values(std::vector<double> values) {
    ColumnCodes codes;
    codes.exact = true;
    codes.n_codes = std::max<std::size_t>(1, values.size());
    codes.values = std::move(values);
    return codes;
}

ColumnCodes plan_bins(const std::vector<double>& sample) {
    ColumnCodes codes;
    codes.cuts = quantile_cuts(sample);
    codes.n_codes = codes.cuts.size() + 1;
    return codes;
}

void encode_levels(const Column& column, std::size_t begin, std::size_t end, std::uint8_t* out, std::size_t stride) {
    for (std::size_t row = begin; row < end; ++row, out += stride) {
        const std::int32_t level = column.code(row);
        *out = level < 0 ? missing_code : static_cast<std::uint8_t>(level);
    }
}

void encode_bins(const Column& column, const std::vector<double>& cuts, std::size_t begin, std::size_t end,
                 std::uint8_t* out, std::size_t stride) {
    for (std::size_t row = begin; row < end; ++row, out += stride) {
        const double x = column.number(row);
        *out = std::isnan(x) ? missing_code : static_cast<std::uint8_t>(count_not_above(cuts.data(), x));
    }
}

// False when a row has a value that the sample did not show.
bool encode_values(const Column& column, const std::vector<double>& values, std::size_t begin, std::size_t end,
                   std::uint8_t* out, std::size_t stride) {
    bool known = true;
    for (std::size_t row = begin; row < end; ++row, out += stride) {
        const double x = column.number(row);
        const std::size_t at = count_not_above(values.data(), x);
        known = known && (std::isnan(x) || (at > 0 && values[at - 1] == x));
        *out = std::isnan(x) ? missing_code : static_cast<std::uint8_t>(at - 1);
    }
    return known;
}

}  // namespace

std::size_t ColumnCodes::code_at(double t) const {
    if (exact) return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), t) - values.begin());
    return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), t) - cuts.begin());
}

Codes::Codes(const Columns& columns, int n_threads)
    : columns_(columns.size()), cells_(columns.n_rows * columns.size(), 0) {
    std::vector<std::vector<double>> samples = sorted_samples(columns, n_threads);
    for (std::size_t j = 0; j < columns.size(); ++j) {
        if (columns[j].categorical()) {
            columns_[j] = plan_levels(columns[j]);
            continue;
        }
        std::vector<double> distinct = samples[j];
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        columns_[j] = distinct.size() <= max_codes ? plan_values(std::move(distinct)) : plan_bins(samples[j]);
    }
    std::vector<std::size_t> all(columns.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::size_t> again = encode(columns, all, n_threads);
    // The sample had missed a value: look at every row.
    run_tasks(n_threads, again.size(), [&](std::size_t i) {
        const std::size_t j = again[i];
        std::vector<double> values;
        columns_[j] = few_values(columns[j], columns.n_rows, columns_[j].values, values) ? plan_values(std::move(values))
                                                                                         : plan_bins(samples[j]);
    });
    if (!again.empty()) encode(columns, again, n_threads);
}

std::vector<std::size_t> Codes::encode(const Columns& columns, const std::vector<std::size_t>& which, int n_threads) {
    const std::size_t d = columns_.size();
    std::vector<std::vector<double>> keys(d);
    for (const std::size_t j : which) keys[j] = padded(columns_[j].exact ? columns_[j].values : columns_[j].cuts);
    std::vector<std::atomic<bool>> unknown(d);
    run_tasks(n_threads, (columns.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
        const std::size_t begin = block * block_rows, end = std::min(columns.n_rows, begin + block_rows);
        for (const std::size_t j : which) {
            std::uint8_t* out = cells_.data() + begin * d + j;
            if (columns_[j].wide) continue;
            if (columns[j].categorical())
                encode_levels(columns[j], begin, end, out, d);
            else if (!columns_[j].exact)
                encode_bins(columns[j], keys[j], begin, end, out, d);
            else if (!encode_values(columns[j], keys[j], begin, end, out, d))
                unknown[j] = true;
        }
    });
    std::vector<std::size_t> again;
    for (const std::size_t j : which)
        if (unknown[j]) again.push_back(j);
    return again;
}

}  // namespace bristlecone

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

// The number of keys <= x among 255 ascending keys, padded with NaN, which is <= nothing.
std::size_t count_not_above(const double* keys, double x) {
    std::size_t at = 0;
    for (std::size_t step = search_size / 2; step > 0; step /= 2) at += keys[at + step - 1] <= x ? step : 0;
    return at;
}

std::vector<double> padded(std::vector<double> keys) {
    keys.resize(search_size, std::numeric_limits<double>::quiet_NaN());
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

// One column's codes of the rows [begin, end), stride bytes apart.
struct Encoder {
    const Column& column;
    const ColumnCodes& codes;
    const std::vector<double>& keys;  // the column's cuts or values, padded
    std::size_t stride;

    void levels(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        for (std::size_t row = begin; row < end; ++row, out += stride) {
            const std::int32_t level = column.code(row);
            *out = static_cast<std::uint8_t>(level < 0 ? codes.missing() : static_cast<std::size_t>(level));
        }
    }

    void bins(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        for (std::size_t row = begin; row < end; ++row, out += stride) {
            const double x = column.number(row);
            *out = static_cast<std::uint8_t>(std::isnan(x) ? codes.missing() : count_not_above(keys.data(), x));
        }
    }

    // False when a row has a value that the sample did not show.
    bool values(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        bool known = true;
        for (std::size_t row = begin; row < end; ++row, out += stride) {
            const double x = column.number(row);
            const std::size_t at = count_not_above(keys.data(), x);
            known = known && (std::isnan(x) || (at > 0 && keys[at - 1] == x));
            *out = static_cast<std::uint8_t>(std::isnan(x) ? codes.missing() : at - 1);
        }
        return known;
    }

    // The same for whole numbers that follow each other: the code is the distance from the first.
    bool run(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        bool known = true;
        const double first = keys[0];
        const auto last = static_cast<double>(codes.n_codes - 1);
        for (std::size_t row = begin; row < end; ++row, out += stride) {
            const double x = column.number(row), distance = x - first;
            const bool inside = distance >= 0 && distance <= last;
            const auto code = static_cast<std::int32_t>(inside ? distance : 0.0);
            known = known && (std::isnan(x) || (inside && static_cast<double>(code) == distance));
            *out = static_cast<std::uint8_t>(std::isnan(x) ? codes.missing() : static_cast<std::size_t>(code));
        }
        return known;
    }
};

bool follow_each_other(const std::vector<double>& values) {
    if (values.empty() || values[0] != std::floor(values[0]) || std::abs(values[0]) > 1e15) return false;
    return values.back() - values[0] == static_cast<double>(values.size() - 1) &&
           std::all_of(values.begin(), values.end(), [](double x) { return x == std::floor(x); });
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
        columns_[j] = few_values(columns[j], columns.n_rows, columns_[j].values, values)
                          ? plan_values(std::move(values))
                          : plan_bins(samples[j]);
    });
    if (!again.empty()) encode(columns, again, n_threads);
    offsets_.push_back(0);
    for (const ColumnCodes& codes : columns_)
        offsets_.push_back(offsets_.back() + (codes.wide ? 1 : static_cast<std::uint32_t>(codes.n_codes + 1)));
}

std::vector<std::size_t> Codes::encode(const Columns& columns, const std::vector<std::size_t>& which, int n_threads) {
    const std::size_t d = columns_.size();
    std::vector<std::vector<double>> keys(d);
    std::vector<std::uint8_t> runs(d);
    for (const std::size_t j : which) {
        keys[j] = padded(columns_[j].exact ? columns_[j].values : columns_[j].cuts);
        runs[j] = follow_each_other(columns_[j].values);
    }
    std::vector<std::atomic<bool>> unknown(d);
    run_tasks(n_threads, (columns.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
        const std::size_t begin = block * block_rows, end = std::min(columns.n_rows, begin + block_rows);
        for (const std::size_t j : which) {
            std::uint8_t* out = cells_.data() + begin * d + j;
            if (columns_[j].wide) continue;
            const Encoder encoder{columns[j], columns_[j], keys[j], d};
            if (columns[j].categorical())
                encoder.levels(begin, end, out);
            else if (!columns_[j].exact)
                encoder.bins(begin, end, out);
            else if (!(runs[j] ? encoder.run(begin, end, out) : encoder.values(begin, end, out)))
                unknown[j] = true;
        }
    });
    std::vector<std::size_t> again;
    for (const std::size_t j : which)
        if (unknown[j]) again.push_back(j);
    return again;
}

}  // namespace bristlecone

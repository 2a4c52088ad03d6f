#include "table/codes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "table/radix_sort.hpp"
#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t max_codes = 255;
constexpr std::size_t sample_size = 8192;
constexpr std::size_t ahead = 128;          // rows; memory is slow to give a column of a row-major table
constexpr std::size_t block_bytes = 16384;  // of a block of rows: all columns read it while it is in the nearest cache

// How many of a column's ascending keys are <= x, fast: x falls into one of many equal intervals, and the few keys in
// that interval are searched without branches.
class KeySearch {
public:
    KeySearch() = default;
    explicit KeySearch(const std::vector<double>& keys) : keys_(keys) {
        if (!keys_.empty()) {
            low_ = keys_.front();
            scale_ = static_cast<double>(n_intervals) / (keys_.back() - low_);
        }
        std::size_t most = 0, at = 0;
        for (std::size_t interval = 0; interval < n_intervals; ++interval) {
            start_[interval] = static_cast<std::uint8_t>(at);
            while (at < keys_.size() && interval_of(keys_[at]) == interval) ++at;
            most = std::max(most, at - start_[interval]);
        }
        n_steps_ = std::bit_width(most);
        keys_.resize(search_size, std::numeric_limits<double>::quiet_NaN());  // which is <= nothing
    }

    std::size_t count_not_above(double x) const {
        std::size_t at = start_[interval_of(x)];
        for (std::size_t step = std::size_t{1} << n_steps_; step > 1;) {
            step /= 2;
            at += keys_[at + step - 1] <= x ? step : 0;
        }
        return at;
    }
    double key(std::size_t i) const { return keys_[i]; }

private:
    static constexpr std::size_t n_intervals = 2048;
    static constexpr std::size_t search_size = 2 * codes_per_column;

    // Never falls as x rises; NaN, as from 0 times infinity, counts as the first.
    std::size_t interval_of(double x) const {
        double at = (x - low_) * scale_;
        at = at > 0 ? at : 0.0;
        at = at < n_intervals - 1 ? at : static_cast<double>(n_intervals - 1);
        return static_cast<std::size_t>(static_cast<std::int32_t>(at));
    }

    std::vector<double> keys_;
    double low_ = 0.0, scale_ = 0.0;
    int n_steps_ = 0;
    std::array<std::uint8_t, n_intervals> start_{};
};

std::vector<double> sorted(const std::vector<double>& numbers) {
    std::vector<std::uint64_t> keys;
    for (const double x : numbers) keys.push_back(sort_key(x));
    RowSorter sorter;
    std::vector<double> result;
    for (const auto& place : sorter.sort(keys)) result.push_back(numbers[place.row]);
    return result;
}

// The distinct ones of some numbers, ascending, if they are whole and lie close together.
std::optional<std::vector<double>> distinct_whole(const std::vector<double>& numbers) {
    constexpr std::int32_t most = 4096;
    constexpr double reach = 1e9;
    if (numbers.empty()) return std::nullopt;
    std::vector<std::int32_t> whole(numbers.size());
    std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = std::numeric_limits<std::int32_t>::min();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        whole[i] = static_cast<std::int32_t>(std::max(-reach, std::min(reach, numbers[i])));
        low = std::min(low, whole[i]);
        high = std::max(high, whole[i]);
    }
    if (high - low >= most) return std::nullopt;
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(high - low) + 1, 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (static_cast<double>(whole[i]) != numbers[i]) return std::nullopt;
        seen[static_cast<std::size_t>(whole[i] - low)] = 1;
    }
    std::vector<double> distinct;
    for (std::size_t place = 0; place < seen.size(); ++place)
        if (seen[place]) distinct.push_back(low + static_cast<double>(place));
    return distinct;
}

// Evenly spaced rows of every column; missing cells left out. Row by row, as most tables lie in memory.
std::vector<std::vector<double>> take_samples(const Columns& columns) {
    const std::size_t step = std::max<std::size_t>(1, columns.n_rows / sample_size);
    const std::size_t most = (columns.n_rows + step - 1) / step;
    std::vector<std::vector<double>> samples(columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
        if (!columns[j].categorical()) samples[j].resize(most);
    std::vector<std::size_t> n_taken(columns.size(), 0);
    for (std::size_t row = 0; row < columns.n_rows; row += step)
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (columns[j].categorical()) continue;
            columns[j].prefetch(std::min(columns.n_rows - 1, row + 8 * step));
            const double x = columns[j].number(row);
            samples[j][n_taken[j]] = x;
            n_taken[j] += !std::isnan(x);
        }
    for (std::size_t j = 0; j < columns.size(); ++j) samples[j].resize(n_taken[j]);
    return samples;
}

// All values of the column, ascending, if they are few; otherwise false.
bool few_values(const Column& column, std::size_t n_rows, std::vector<double> values, std::vector<double>& found) {
    if (values.size() > max_codes) return false;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double x = column.number(row);
        const auto at = std::lower_bound(values.begin(), values.end(), x);
        if (std::isnan(x) || (at != values.end() && *at == x)) continue;
        if (values.size() == max_codes) return false;
        values.insert(at, x);
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

// sample: ascending.
ColumnCodes plan_bins(const std::vector<double>& sample) {
    ColumnCodes codes;
    codes.cuts = quantile_cuts(sample);
    codes.n_codes = codes.cuts.size() + 1;
    return codes;
}

ColumnCodes plan_numbers(const std::vector<double>& sample) {
    if (auto whole = distinct_whole(sample); whole && whole->size() <= max_codes) return plan_values(*std::move(whole));
    const std::vector<double> ascending = sorted(sample);
    std::vector<double> distinct = ascending;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return distinct.size() <= max_codes ? plan_values(std::move(distinct)) : plan_bins(ascending);
}

// One column's codes of the rows [begin, end), stride bytes apart.
struct Encoder {
    static constexpr std::size_t block_size = 128;

    const Column& column;
    const ColumnCodes& codes;
    const KeySearch& keys;  // of the column's cuts or values
    std::size_t stride;

    void levels(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        write(begin, end, out, [&](std::size_t row) {
            const std::int32_t level = column.code(row);
            return level < 0 ? codes.missing() : static_cast<std::size_t>(level);
        });
    }

    void bins(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        write(begin, end, out, [&](std::size_t row) {
            const double x = column.number(row);
            const std::size_t at = keys.count_not_above(x);
            return std::isnan(x) ? codes.missing() : at;
        });
    }

    // False when a row has a value that the sample did not show.
    bool values(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        bool known = true;
        write(begin, end, out, [&](std::size_t row) {
            const double x = column.number(row);
            const std::size_t at = keys.count_not_above(x);
            known = known && (std::isnan(x) || (at > 0 && keys.key(at - 1) == x));
            return std::isnan(x) ? codes.missing() : at - 1;
        });
        return known;
    }

    // The same for whole numbers that follow each other: the code is the distance from the first. Each loop does one
    // thing, so that the middle one is vectorised.
    bool run(std::size_t begin, std::size_t end, std::uint8_t* out) const {
        const double first = codes.values[0];
        const auto last = static_cast<double>(codes.n_codes - 1);
        const auto missing = static_cast<double>(codes.missing());
        std::array<double, block_size> distance;
        std::array<std::int32_t, block_size> code;
        bool known = true;
        while (begin < end) {
            const std::size_t n = std::min(block_size, end - begin);
            for (std::size_t i = 0; i < n; ++i) {
                column.prefetch(begin + ahead + i);
                distance[i] = column.number(begin + i) - first;
            }
            for (std::size_t i = 0; i < n; ++i) {
                const double d = distance[i];
                const double inside = std::min(d > 0 ? d : 0.0, last);
                code[i] = static_cast<std::int32_t>(std::isnan(d) ? missing : inside);
            }
            for (std::size_t i = 0; i < n; ++i, out += stride) {
                *out = static_cast<std::uint8_t>(code[i]);
                known = known && (static_cast<double>(code[i]) == distance[i] || std::isnan(distance[i]));
            }
            begin += n;
        }
        return known;
    }

    // For all that the compiler knows a byte written to the codes may change anything that code_of reads; a byte of a
    // local block may not.
    template <class CodeOf>
    void write(std::size_t begin, std::size_t end, std::uint8_t* out, CodeOf&& code_of) const {
        std::array<std::uint8_t, block_size> block;
        while (begin < end) {
            const std::size_t n = std::min(block_size, end - begin);
            for (std::size_t i = 0; i < n; ++i) {
                column.prefetch(begin + ahead + i);
                block[i] = static_cast<std::uint8_t>(code_of(begin + i));
            }
            for (std::size_t i = 0; i < n; ++i, out += stride) *out = block[i];
            begin += n;
        }
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

Codes::Codes(const Columns& columns, int n_threads, Interrupt* interrupt)
    : columns_(columns.size()), cells_(columns.n_rows * columns.size(), 0) {
    const std::vector<std::vector<double>> samples = take_samples(columns);
    run_tasks(n_threads, columns.size(), [&](std::size_t j) {
        if (columns[j].categorical()) {
            columns_[j] = plan_levels(columns[j]);
            return;
        }
        columns_[j] = plan_numbers(samples[j]);
    });
    std::vector<std::size_t> all(columns.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<std::size_t> again = encode(columns, all, n_threads, interrupt);
    // The sample had missed a value: look at every row.
    run_tasks(n_threads, again.size(), [&](std::size_t i) {
        const std::size_t j = again[i];
        std::vector<double> values;
        columns_[j] = few_values(columns[j], columns.n_rows, columns_[j].values, values)
                          ? plan_values(std::move(values))
                          : plan_bins(sorted(samples[j]));
    });
    if (!again.empty()) encode(columns, again, n_threads, interrupt);
    offsets_.push_back(0);
    for (const ColumnCodes& codes : columns_)
        offsets_.push_back(offsets_.back() + (codes.wide ? 1 : static_cast<std::uint32_t>(codes.n_codes + 1)));
}

std::vector<std::size_t> Codes::encode(const Columns& columns, const std::vector<std::size_t>& which, int n_threads,
                                       Interrupt* interrupt) {
    const std::size_t d = columns_.size();
    std::vector<KeySearch> keys(d);
    std::vector<std::uint8_t> runs(d);
    for (const std::size_t j : which) {
        runs[j] = follow_each_other(columns_[j].values);
        if (!runs[j]) keys[j] = KeySearch(columns_[j].exact ? columns_[j].values : columns_[j].cuts);
    }
    std::vector<std::atomic<bool>> unknown(d);
    const std::size_t block_rows =
        std::clamp<std::size_t>(block_bytes / (sizeof(double) * std::max<std::size_t>(1, d)), 64, 2048);
    run_tasks(n_threads, (columns.n_rows + block_rows - 1) / block_rows, [&](std::size_t block) {
        check(interrupt);
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

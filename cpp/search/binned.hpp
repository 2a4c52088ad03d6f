// The best split of a numeric column from its histogram, and the bins that have to be opened for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "search/best.hpp"
#include "search/bound.hpp"
#include "search/cells.hpp"
#include "table/codes.hpp"
#include "table/radix_sort.hpp"
#include "threads.hpp"

namespace bristlecone {

// The rows of the bins that a bound could not close, by column and bin.
class OpenedBins {
public:
    struct Cell {
        double value;
        std::uint32_t row;
    };
    using Bin = std::vector<Cell>;

    explicit OpenedBins(std::size_t n_columns) : columns_(n_columns) {}

    // flags: codes_per_column marks, or none.
    void flag(std::size_t j, std::vector<std::uint8_t> flags) { columns_[j].flags = std::move(flags); }
    bool any(std::size_t j) const { return j < columns_.size() && !columns_[j].flags.empty(); }
    bool opened(std::size_t j, std::size_t bin) const { return any(j) && columns_[j].flags[bin]; }
    const Bin& bin(std::size_t j, std::size_t b) const { return columns_[j].bins[b]; }

    // One pass over the node's rows serves all columns. codes(row): a code a column.
    template <class CodesOf>
    void gather(std::span<const std::uint32_t> rows, int n_threads, CodesOf&& codes) {
        std::vector<std::size_t> involved;
        std::vector<std::uint8_t> flags;  // side by side: this loop reads every code of the node
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            if (!any(j)) continue;
            involved.push_back(j);
            columns_[j].bins.resize(codes_per_column);
            flags.insert(flags.end(), columns_[j].flags.begin(), columns_[j].flags.end());
        }
        if (involved.empty()) return;
        std::vector<std::vector<Found>> shares(shares_of(rows.size(), n_threads));
        run_tasks(n_threads, shares.size(), [&](std::size_t share) {
            const std::size_t end = rows.size() * (share + 1) / shares.size();
            for (std::size_t i = rows.size() * share / shares.size(); i < end; ++i) {
                if (i + ahead < rows.size()) __builtin_prefetch(codes(rows[i + ahead]));
                const std::uint8_t* code = codes(rows[i]);
                for (std::size_t at = 0; at < involved.size(); ++at) {
                    const std::uint8_t bin = code[involved[at]];
                    if (flags[at * codes_per_column + bin])
                        shares[share].push_back({rows[i], static_cast<std::uint32_t>(involved[at]), bin});
                }
            }
        });
        for (const auto& share : shares)
            for (const Found& found : share) columns_[found.column].bins[found.bin].push_back({0.0, found.row});
    }

    // id(row): its number in the table.
    template <class Id>
    void sort(std::size_t j, const Column& column, Id&& id) {
        thread_local RowSorter sorter;
        std::vector<std::uint64_t> keys;
        Bin cells;
        for (Bin& bin : columns_[j].bins) {
            keys.resize(bin.size());
            for (std::size_t i = 0; i < bin.size(); ++i) {
                if (i + ahead < bin.size()) column.prefetch(id(bin[i + ahead].row));
                bin[i].value = column.number(id(bin[i].row));
                keys[i] = sort_key(bin[i].value);
            }
            cells.clear();
            for (const auto& place : sorter.sort(keys)) cells.push_back(bin[place.row]);
            bin.swap(cells);
        }
    }

private:
    static constexpr std::size_t ahead = 16;  // rows of a node lie far apart
    struct Found {
        std::uint32_t row, column;
        std::uint8_t bin;
    };
    struct OfColumn {
        std::vector<std::uint8_t> flags;
        std::vector<Bin> bins;
    };
    std::vector<OfColumn> columns_;
};

// The node's groups of one column: bins with rows, and behind the last bin the rows without a value.
template <class Accumulator, class Layout, class Word>
struct BinReader {
    Accumulator& acc;
    const Layout& layout;
    const Word* cells;
    typename Accumulator::Group group;

    BinReader(Accumulator& a, const Layout& l, const Word* c) : acc(a), layout(l), cells(c), group(a.group()) {}
    const Word* cell(std::size_t code) const { return cells + code * layout.width(); }
    bool empty(std::size_t code) const { return layout.empty(cell(code)); }
    const typename Accumulator::Group& read(std::size_t code) {
        layout.fill(cell(code), acc, group);
        return group;
    }
    double spread(std::size_t code) const {
        if constexpr (requires { cell(code)->spread; }) return cell(code)->spread;
        return 0.0;
    }
};

// Whether some place inside the bin leaves enough rows on both sides.
template <class Accumulator>
bool room_inside(const Accumulator& acc, std::int64_t rows, const LeafLimits& limits) {
    return acc.left().rows + rows > limits.rows && acc.total().rows - acc.left().rows > limits.rows;
}

// Places inside an opened bin, value by value; the bin's end is an edge and tried by the caller.
template <class Accumulator>
void scan_bin(Accumulator& acc, const OpenedBins::Bin& bin, const LeafLimits& limits, ColumnBest& best) {
    for (std::size_t i = 0; i < bin.size(); ++i) {
        acc.add(bin[i].row);
        if (i + 1 == bin.size() || bin[i].value == bin[i + 1].value) continue;
        if (!offer(acc, limits, best)) continue;
        best.inside = true;
        best.low = bin[i].value;
        best.high = bin[i + 1].value;
        best.cut = static_cast<std::size_t>(acc.left().rows);
    }
}

template <class Reader>
ColumnBest scan_bins(Reader& reader, const std::vector<std::size_t>& bins, const LeafLimits& limits,
                     const OpenedBins& opened, std::size_t j, double floor) {
    ColumnBest best;
    best.floor = floor;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (opened.opened(j, bins[i]))
            scan_bin(reader.acc, opened.bin(j, bins[i]), limits, best);
        else
            reader.acc.add(reader.read(bins[i]));
        if (i + 1 == bins.size() || !offer(reader.acc, limits, best)) continue;
        best.inside = false;
        best.last = bins[i];
        best.next = bins[i + 1];
        best.cut = static_cast<std::size_t>(reader.acc.left().rows);
    }
    return best;
}

template <class Reader>
std::vector<std::size_t> bins_with_rows(const Reader& reader, std::size_t n_codes) {
    std::vector<std::size_t> bins;
    for (std::size_t b = 0; b < n_codes; ++b)
        if (!reader.empty(b)) bins.push_back(b);
    return bins;
}

// The best of the edges and of the places inside opened bins, with the missing rows on either side.
template <class Accumulator, class Layout, class Word>
ColumnBest search_bins(Accumulator& acc, const Layout& layout, const Word* cells, std::size_t n_codes,
                       const LeafLimits& limits, const OpenedBins& opened, std::size_t j, double floor) {
    BinReader<Accumulator, Layout, Word> reader(acc, layout, cells);
    const std::vector<std::size_t> bins = bins_with_rows(reader, n_codes);
    const bool has_missing = !reader.empty(n_codes);
    ColumnBest best;
    acc.clear();
    if (!has_missing) {
        best = scan_bins(reader, bins, limits, opened, j, floor);
    } else {
        acc.add(reader.read(n_codes));
        const auto n_missing = static_cast<std::size_t>(acc.left().rows);
        ColumnBest left = scan_bins(reader, bins, limits, opened, j, floor);
        if (left.found) left.cut -= n_missing;
        acc.clear();
        ColumnBest right = scan_bins(reader, bins, limits, opened, j, floor);
        right.missing = Side::right;
        best = better_of(std::move(left), std::move(right), acc.tolerance());
        acc.clear();
        for (const std::size_t b : bins) acc.add(reader.read(b));
        if (!bins.empty() && offer(acc, limits, best)) {
            best.present_split = true;
            best.missing = Side::right;
        }
        best.saw_missing = true;
    }
    best.varies = bins.size() + has_missing > 1;
    return best;
}

// Marks the bins that may hold a better split than floor, the best fast() so far; empty when there is none.
// spread_error: how far the cells' spreads may be off.
template <class Accumulator, class Layout, class Word>
std::vector<std::uint8_t> open_bins(Accumulator& acc, const Layout& layout, const Word* cells, std::size_t n_codes,
                                    const LeafLimits& limits, double floor, double spread_error) {
    BinReader<Accumulator, Layout, Word> reader(acc, layout, cells);
    const double least = std::isinf(floor) ? floor : floor - 1e-9 * std::abs(floor) - acc.slack(floor);
    std::vector<std::uint8_t> flags;
    const auto mark = [&](bool missing_left) {
        acc.clear();
        if (missing_left) acc.add(reader.read(n_codes));
        for (std::size_t b = 0; b < n_codes; ++b) {
            if (reader.empty(b)) continue;
            const auto& group = reader.read(b);
            if (group.rows > 1 && room_inside(acc, group.rows, limits) &&
                bound_inside(acc, group, reader.spread(b) + spread_error, limits) > least) {
                flags.resize(codes_per_column, 0);
                flags[b] = 1;
            }
            acc.add(group);
        }
    };
    mark(false);
    if (!reader.empty(n_codes)) mark(true);
    return flags;
}

}  // namespace bristlecone

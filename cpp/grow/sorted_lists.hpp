// Sorted lists: the rows of a region in the order of each column, sorted once and split stably on the way down.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "search/entries.hpp"
#include "stable_split.hpp"
#include "table/codes.hpp"
#include "table/columns.hpp"
#include "table/radix_sort.hpp"
#include "threads.hpp"

namespace bristlecone {

template <class Entry>
class SortedLists {
public:
    // ids: the region's rows; a row's number in the region is its place in ids. codes may be null.
    SortedLists(const Columns& columns, const Codes* codes, std::span<const std::uint32_t> ids, int n_threads,
                Interrupt* interrupt)
        : n_(ids.size()), entries_(ids.size() * columns.size()) {
        run_tasks(n_threads, columns.size(), [&](std::size_t j) {
            check(interrupt);
            if (codes != nullptr && (*codes)[j].exact)
                sort_codes(*codes, j, ids, whole(j));
            else if (columns[j].categorical())
                sort_levels(columns[j], ids, whole(j));
            else
                sort_numbers(columns[j], ids, whole(j));
        });
    }

    std::span<const Entry> of(std::size_t column, std::size_t begin, std::size_t end) const {
        return {entries_.data() + column * n_ + begin, end - begin};
    }

    // Rows whose side is 1 go left; both sides keep their order.
    void partition(std::size_t column, std::size_t begin, std::size_t end, const std::vector<std::uint8_t>& goes_left) {
        Entry* list = entries_.data() + column * n_;
        stable_split(list + begin, list + end, [&](Entry e) { return goes_left[row_of(e)]; });
    }

    // Keeps the rows of one side only, at that side's end of the range; the other side's entries are lost.
    void keep_left(std::size_t column, std::size_t begin, std::size_t end, const std::vector<std::uint8_t>& goes_left) {
        Entry* list = entries_.data() + column * n_;
        for (std::size_t i = begin, at = begin; i < end; ++i) {
            list[at] = list[i];
            at += goes_left[row_of(list[i])];
        }
    }
    void keep_right(std::size_t column, std::size_t begin, std::size_t end,
                    const std::vector<std::uint8_t>& goes_left) {
        Entry* list = entries_.data() + column * n_;
        for (std::size_t i = end, at = end; i-- > begin;) {
            list[at - 1] = list[i];
            at -= 1 - goes_left[row_of(list[i])];
        }
    }

private:
    std::span<Entry> whole(std::size_t column) { return {entries_.data() + column * n_, n_}; }

    static void sort_levels(const Column& column, std::span<const std::uint32_t> ids, std::span<Entry> list) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::int32_t code = column.code(ids[i]);
            const std::uint32_t rank = code < 0 ? missing_rank<Entry> : static_cast<std::uint32_t>(code);
            list[i] = make_entry<Entry>(rank, static_cast<std::uint32_t>(i));
        }
        std::sort(list.begin(), list.end());
    }

    // The codes of an exact column are ranks already; rows without a value come last.
    static void sort_codes(const Codes& codes, std::size_t j, std::span<const std::uint32_t> ids,
                           std::span<Entry> list) {
        std::array<std::uint32_t, codes_per_column> start{};
        const std::size_t missing = codes[j].missing();
        for (const std::uint32_t id : ids) ++start[codes.row(id)[j]];
        std::uint32_t at = 0;
        for (std::uint32_t& s : start) at += std::exchange(s, at);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::uint8_t code = codes.row(ids[i])[j];
            const std::uint32_t rank = code == missing ? missing_rank<Entry> : code;
            list[start[code]++] = make_entry<Entry>(rank, static_cast<std::uint32_t>(i));
        }
    }

    static void sort_numbers(const Column& column, std::span<const std::uint32_t> ids, std::span<Entry> list) {
        thread_local std::vector<std::uint64_t> keys;
        thread_local RowSorter sorter;
        keys.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i + ahead < ids.size()) column.prefetch(ids[i + ahead]);
            const double x = column.number(ids[i]);
            keys[i] = std::isnan(x) ? missing_key : sort_key(x);
        }
        std::uint32_t rank = 0;
        const auto places = sorter.sort(keys);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::uint32_t row = places[i].row;
            if (keys[row] == missing_key)
                rank = missing_rank<Entry>;
            else
                rank += i > 0 && (places[i].lead != places[i - 1].lead || keys[row] != keys[places[i - 1].row]);
            list[i] = make_entry<Entry>(rank, row);
        }
    }

    static constexpr std::size_t ahead = 16;  // a region's rows lie far apart
    // After every number.
    static constexpr std::uint64_t missing_key = ~std::uint64_t{0};

    std::size_t n_;
    std::vector<Entry> entries_;  // column after column
};

}  // namespace bristlecone

// Entries: one row in the sorted list of a column, its rank (or level code) above its number in the region.
//
// 32-bit entries hold 65,535 ranks and 65,536 rows and are the fast ones; 64-bit entries serve larger regions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace bristlecone {

template <class Entry>
inline constexpr unsigned rank_shift = sizeof(Entry) * 4;

template <class Entry>
inline constexpr std::uint32_t missing_rank = static_cast<std::uint32_t>((Entry{1} << rank_shift<Entry>)-1);

template <class Entry>
Entry make_entry(std::uint32_t rank, std::uint32_t row) {
    return static_cast<Entry>(static_cast<Entry>(rank) << rank_shift<Entry>) | row;
}
template <class Entry>
std::uint32_t row_of(Entry entry) {
    return static_cast<std::uint32_t>(entry & ((Entry{1} << rank_shift<Entry>)-1));
}
template <class Entry>
std::uint32_t rank_of(Entry entry) {
    return static_cast<std::uint32_t>(entry >> rank_shift<Entry>);
}

// Rows without a value stand at the end of a list.
template <class Entry>
std::size_t count_present(std::span<const Entry> list) {
    if (list.empty() || rank_of(list.back()) != missing_rank<Entry>) return list.size();
    const auto first =
        std::partition_point(list.begin(), list.end(), [](Entry e) { return rank_of(e) != missing_rank<Entry>; });
    return static_cast<std::size_t>(first - list.begin());
}

}  // namespace bristlecone

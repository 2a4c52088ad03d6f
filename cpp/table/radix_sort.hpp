// Sorting numbers with their row, by the bytes of the number: three to six times as fast as comparing.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bristlecone {

struct KeyedRow {
    std::uint64_t key;
    std::uint32_t row;
};

// Unsigned integers in the order of the numbers; not for NaN. -0.0 must have become 0.0.
inline std::uint64_t sort_key(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Stable. Bytes that are the same in all keys (whole numbers and float32 have many) cost nothing.
inline void radix_sort(std::vector<KeyedRow>& cells, std::vector<KeyedRow>& spare) {
    constexpr std::size_t n_bytes = 8, n_values = 256;
    std::array<std::array<std::uint32_t, n_values>, n_bytes> counts{};
    for (const KeyedRow& cell : cells)
        for (std::size_t byte = 0; byte < n_bytes; ++byte) ++counts[byte][cell.key >> (8 * byte) & 0xff];
    spare.resize(cells.size());
    for (std::size_t byte = 0; byte < n_bytes; ++byte) {
        auto& count = counts[byte];
        if (cells.empty() || count[cells[0].key >> (8 * byte) & 0xff] == cells.size()) continue;
        std::uint32_t start = 0;
        for (std::uint32_t& c : count) start += std::exchange(c, start);
        for (const KeyedRow& cell : cells) spare[count[cell.key >> (8 * byte) & 0xff]++] = cell;
        cells.swap(spare);
    }
}

}  // namespace bristlecone

// Lanes: the rows of up to 16 classes counted side by side, a class a lane.
//
// Counting class by class in memory waits for the last count to be written where one class follows itself, as it does
// in most small nodes; vectors that stay in registers do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bristlecone {

inline constexpr std::size_t n_lanes = 16;
// Counts and the sum of their squares stay within 16 and 31 bits.
inline constexpr std::int64_t most_lane_rows = 32767;

struct Lanes {
    using Half = std::int16_t __attribute__((vector_size(n_lanes)));
    Half low{}, high{};

    void set(std::size_t i, std::int64_t count) {
        (i < n_lanes / 2 ? low : high)[i % (n_lanes / 2)] = static_cast<std::int16_t>(count);
    }
    void add(const Lanes& more) {
        low += more.low;
        high += more.high;
    }
    Lanes minus(const Lanes& less) const { return {low - less.low, high - less.high}; }
};

inline std::uint64_t sum_of_squares(const Lanes& lanes) {
    std::int16_t counts[n_lanes];
    std::memcpy(counts, &lanes, sizeof counts);
    std::int32_t sum = 0;
    for (const std::int16_t count : counts) sum += std::int32_t{count} * count;
    return static_cast<std::uint64_t>(sum);
}

}  // namespace bristlecone

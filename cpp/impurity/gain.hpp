// Gain: how much a split lowers the node's summed impurity, and how two gains of one node compare.
//
// Where weights are counts, Gini gains are rational numbers and are compared exactly, as numerator / denominator
// over a factor that all splits of the node share. Elsewhere two gains are equal when they differ by less than a
// relative 1e-12 of the node's own impurity (SPEC B2).
#pragma once

#include <cstdint>

namespace bristlecone {

__extension__ using u128 = unsigned __int128;
__extension__ using i128 = __int128;

// Sums below this keep every product of the exact comparison inside 128 bits.
inline constexpr std::int64_t exact_weight_limit = std::int64_t{1} << 31;
inline constexpr double tie_tolerance = 1e-12;

struct Gain {
    double value = 0.0;             // in the units of the region's target
    u128 numerator = 0;             // only read when both gains are exact
    std::uint64_t denominator = 0;  // 0: not exact

    bool exact() const { return denominator != 0; }
    bool positive(double tolerance) const { return exact() ? numerator > 0 : value > tolerance; }
};

namespace detail {
struct Wide {
    u128 high;
    std::uint64_t low;
};
inline Wide multiply(u128 a, std::uint64_t b) {
    const u128 low = static_cast<u128>(static_cast<std::uint64_t>(a)) * b;
    const u128 high = static_cast<u128>(static_cast<std::uint64_t>(a >> 64)) * b + (low >> 64);
    return {high, static_cast<std::uint64_t>(low)};
}
}  // namespace detail

// True when a is larger than b by more than a tie.
inline bool exceeds(const Gain& a, const Gain& b, double tolerance) {
    if (!a.exact() || !b.exact()) return a.value > b.value + tolerance;
    const auto left = detail::multiply(a.numerator, b.denominator);
    const auto right = detail::multiply(b.numerator, a.denominator);
    return left.high != right.high ? left.high > right.high : left.low > right.low;
}

}  // namespace bristlecone

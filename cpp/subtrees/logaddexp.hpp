// What ln(e^a + e^b) needs: e^x of x in [lowest, 0] and ln(1 + y) of y in [0, 1], to about one unit in the last place.
//
// Our own, because they have no branches and no tables: the compiler makes vectors of them. After an exact reduction
// each is a polynomial through the Chebyshev points of the reduced range, off by less than a sixth of a unit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace bristlecone::logs {

// c[0] + c[1] x + ... + c[9] x^9, in pairs of terms: fewer steps wait for one another.
inline double polynomial(const double (&c)[10], double x) {
    const double x2 = x * x, x4 = x2 * x2;
    const double first = (c[0] + x * c[1]) + x2 * (c[2] + x * c[3]);
    const double second = (c[4] + x * c[5]) + x2 * (c[6] + x * c[7]);
    return first + x4 * (second + x4 * (c[8] + x * c[9]));
}

// Below it e^x is 0.
inline constexpr double lowest = -750.0;

// e^x = 2^k e^r, |r| <= ln(2) / 2.
inline double exp_of_negative(double x) {
    constexpr double log2e = 0x1.71547652b82fep+0;
    constexpr double ln2_high = 0x1.62e42fefa38p-1;  // 42 digits: k times it is exact
    constexpr double ln2_low = 0x1.ef35793c7673p-45;
    constexpr double to_whole = 0x1.8p52;  // its sum with a small number ends in that number, rounded
    constexpr double far_down = 0x1p-100;  // the result may be subnormal, 2^(k + 100) is not
    // (e^r - 1 - r) / r^2
    constexpr double series[] = {0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d68p-5,
                                 0x1.11111111109b5p-7,  0x1.6c16c17889ef1p-10, 0x1.a01a01a7c2efep-13,
                                 0x1.a019b9149a41cp-16, 0x1.71de0db2f6b19p-19, 0x1.28917c89a43a7p-22,
                                 0x1.af389ecfc4b9cp-26};

    const double shifted = x * log2e + to_whole, k = shifted - to_whole;
    const double r = (x - k * ln2_high) - k * ln2_low;
    const double e = 1.0 + (r + r * r * polynomial(series, r));
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) + (1023 + 100);
    return e * std::bit_cast<double>(exponent << 52) * far_down;
}

// With s = y / (2 + y) <= 1/3: ln(1 + y) = 2 artanh s = y - s (y - 2 s^2 (1/3 + s^2/5 + ...)).
inline double log1p_of_unit(double y) {
    constexpr double series[] = {0x1.5555555555555p-1, 0x1.999999999a3ddp-2, 0x1.24924923d44c6p-2, 0x1.c71c727143318p-3,
                                 0x1.745cf0b0e03bdp-3, 0x1.3b18b294bebf9p-3, 0x1.10ac75dc602b1p-3, 0x1.eb905e8575054p-4,
                                 0x1.687a6e7c95176p-4, 0x1.4b0a26c5f2aefp-3};
    const double s = y / (2.0 + y), z = s * s;
    return y - s * (y - z * polynomial(series, z));
}

// ln(e^a + e^b); either may be -infinity.
inline double sum(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    if (low == -std::numeric_limits<double>::infinity()) return high;
    return high + log1p_of_unit(exp_of_negative(std::max(low - high, lowest)));
}

}  // namespace bristlecone::logs

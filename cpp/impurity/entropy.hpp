// Entropy in bits: - sum over classes of p log2 p, 0 log 0 = 0. SPEC B1. The protocol stands in gini.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace bristlecone {

// c log2 c of whole c, from a table as far as it reaches: the logarithm is most of the cost of a scan.
inline double x_log_x(std::int64_t c) {
    static const std::vector<double> table = [] {
        std::vector<double> values(1 << 16);
        for (std::size_t x = 2; x < values.size(); ++x)
            values[x] = static_cast<double>(x) * std::log2(static_cast<double>(x));
        return values;
    }();
    if (static_cast<std::size_t>(c) < table.size()) return table[static_cast<std::size_t>(c)];
    return static_cast<double>(c) * std::log2(static_cast<double>(c));
}

struct Entropy {
    static constexpr bool rational = false;
    static constexpr bool concave = true;
    // log1p keeps the digits of a class that fills almost the whole node.
    static double term(double c, double rest) {
        if (c <= 0 || rest <= 0) return 0.0;
        const double n = c + rest;
        const double ln = c > rest ? std::log1p(-rest / n) : std::log(c / n);
        return c * ln * std::numbers::log2e;
    }
    static double pair(double a, double b) { return term(a, b) + term(b, a); }
    // As in poisson.hpp, with the weights s and n - s of two classes.
    static double chi_square(double n, double s) { return std::numbers::log2e * n / (s * (n - s)); }
    static double pair_at(double a, double b, double v) { return part(a, v) + part(b, 1 - v); }

private:
    static double part(double c, double v) { return c > 0 ? c * std::log2(v) : 0.0; }
};

}  // namespace bristlecone

// Square root impurity: 2 sqrt(p (1 - p)) with two classes, summed one-vs-rest with more. SPEC D1.
// The protocol stands in gini.hpp.
#pragma once

#include <algorithm>
#include <cmath>

namespace bristlecone {

struct Root {
    static constexpr bool rational = false;
    static double term(double c, double n) { return -2 * std::sqrt(std::max(0.0, c * (n - c))); }
    static double pair(double n, double s) { return term(s, n); }
    static double pair_at(double n, double s, double v) {
        const double odds = v / (1 - v);
        return -(part(s, 1 / odds) + part(n - s, odds));
    }

private:
    static double part(double c, double odds) { return c > 0 ? c * std::sqrt(odds) : 0.0; }
};

}  // namespace bristlecone

// Square root impurity: 2 sqrt(p (1 - p)) with two classes, summed one-vs-rest with more. SPEC D1.
// The protocol stands in gini.hpp.
#pragma once

#include <algorithm>
#include <cmath>

namespace bristlecone {

struct Root {
    static constexpr bool rational = false;
    static constexpr bool concave = true;
    static double term(double c, double rest) { return -2 * std::sqrt(std::max(0.0, c * rest)); }
    static double pair(double a, double b) { return term(a, b); }
    static double pair_at(double a, double b, double v) {
        const double odds = v / (1 - v);
        return -(part(a, 1 / odds) + part(b, odds));
    }

private:
    static double part(double c, double odds) { return c > 0 ? c * std::sqrt(odds) : 0.0; }
};

}  // namespace bristlecone

// Half Poisson deviance: the sum of w (y ln(y / mean) - y + mean). n is a node's weight, s its sum of w y >= 0.
//
// The score leaves out what no split changes.
#pragma once

#include <cmath>

namespace bristlecone {

struct Poisson {
    static constexpr bool rational = false;
    static constexpr bool concave = true;
    // The score of a row by itself.
    static double spread(double w, double s) { return s > 0 ? s * std::log(s / w) : 0.0; }
    static double pair(double n, double s) { return s > 0 ? s * std::log(s / n) : 0.0; }
    // gain <= chi_square(n, s) d^2 / (l r) of a node of weight n and sum s parted into weights l and r, where d is l r
    // times the difference of their means: s ln(s / m) - s + m <= (s - m)^2 / m.
    static double chi_square(double, double s) { return 1 / s; }
    static double pair_at(double n, double s, double v) { return s + (s > 0 ? s * std::log(v) : 0.0) - n * v; }
};

}  // namespace bristlecone

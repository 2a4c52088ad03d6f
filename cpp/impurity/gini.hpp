// Gini: sum over classes of p (1 - p); two classes: 2 p (1 - p). SPEC B1.
//
// The protocol of an impurity over classes. n is a node's weight, c the weight of one class in it (with two classes
// s is the weight of class 1). Scores are summed impurities with a minus sign, so that larger is better:
//   term(c, n)            one class's part of the score; concave impurity = convex term, jointly in (c, n - c)
//   pair(n, s)            the score with two classes
//   pair_at(n, s, v)      the score when the node must answer v = P(class 1) instead of s / n
#pragma once

#include <cmath>

namespace bristlecone {

struct Gini {
    static constexpr bool rational = true;
    static double term(double c, double n) { return n > 0 ? -c * ((n - c) / n) : 0.0; }
    static double pair(double n, double s) { return 2 * term(s, n); }
    static double pair_at(double n, double s, double v) { return -2 * (s * (1 - v) * (1 - v) + (n - s) * v * v); }
};

}  // namespace bristlecone

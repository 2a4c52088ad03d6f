// Gini: sum over classes of p (1 - p); two classes: 2 p (1 - p). SPEC B1.
//
// The protocol of an impurity over classes. Scores are summed impurities with a minus sign, so that larger is better.
// Weights come as the class's own and the rest's, never as a difference, which keeps the digits of a rare class.
//   concave            whether the impurity is: then the term is convex, jointly in its two weights, and bounds hold
//   term(c, rest)      one class's part of the score
//   pair(a, b)         the score with two classes of these weights
//   pair_at(a, b, v)   the score when the node must answer v = P(first) instead of a / (a + b)
#pragma once

namespace bristlecone {

struct Gini {
    static constexpr bool rational = true;
    static constexpr bool concave = true;
    static double term(double c, double rest) { return c > 0 ? -c * (rest / (c + rest)) : 0.0; }
    static double pair(double a, double b) { return 2 * term(a, b); }
    static double pair_at(double a, double b, double v) { return -2 * (a * (1 - v) * (1 - v) + b * v * v); }
};

}  // namespace bristlecone

// Squared error: the sum of w (y - mean)^2. SPEC B1. n is a node's weight, s its sum of w y.
//
// The score leaves out the sum of w y^2, which no split changes.
#pragma once

namespace bristlecone {

struct Variance {
    static constexpr bool rational = false;
    static constexpr bool concave = true;
    // The score of a row by itself.
    static double spread(double w, double s) { return s * s / w; }
    static double pair(double n, double s) { return n > 0 ? s * (s / n) : 0.0; }
    static double pair_at(double n, double s, double v) { return v * (2 * s - v * n); }
};

}  // namespace bristlecone

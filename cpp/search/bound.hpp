// An upper bound on what any split inside a bin can gain, without looking at its rows.
//
// A concave impurity, times weight, is concave in the weights of a side (a perspective), so the gain is convex in what
// the left side holds: on the set of things that the left side can hold inside the bin it is largest at a corner.
//   two classes    the box between the bin's edges, in the weights of the two classes
//   many classes   for each class the box in (its weight, the rest's); the classes' largest parts are added up
//   squared error  a bin of weight a and scatter V = sum w (y - mean)^2 cannot stray from the straight line between
//                  its edges by more than sqrt(a V) / 2
//   Poisson        the sum rises from edge to edge, because y >= 0
// The edges themselves are candidates of their own; the bound is over the other corners.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/best.hpp"
#include "search/classes.hpp"
#include "search/pairs.hpp"

namespace bristlecone {

template <class Impurity, class Sum, bool Weighted>
double corners(const Pairs<Impurity, Sum, Weighted>& acc, const typename Pairs<Impurity, Sum, Weighted>::Group& group,
               double squares) {
    if constexpr (std::is_same_v<Impurity, Variance>) {
        const auto a = static_cast<double>(group.weight), s = static_cast<double>(group.sum);
        // The squares were added and subtracted in floating point: a margin covers what that may have lost.
        const double scatter = std::max(0.0, squares - s * s / a) + 1e-9 * squares;
        const double stray = std::sqrt(a * scatter) / 2;
        return std::max(
            {acc.fast_at(0.0, stray), acc.fast_at(0.0, -stray), acc.fast_at(a, s + stray), acc.fast_at(a, s - stray)});
    } else if constexpr (std::is_same_v<Impurity, Poisson>) {
        return std::max(acc.fast_at(0.0, static_cast<double>(group.sum)),
                        acc.fast_at(static_cast<double>(group.weight), 0.0));
    } else {
        const auto ones = static_cast<double>(group.sum), zeros = static_cast<double>(group.weight - group.sum);
        return std::max(acc.fast_at(ones, ones), acc.fast_at(zeros, 0.0));
    }
}

// The accumulator stands at the bin's left edge; group is what the bin holds. Comparable with fast().
template <class Impurity, class Sum, bool Weighted>
double bound_inside(Pairs<Impurity, Sum, Weighted>& acc, const typename Pairs<Impurity, Sum, Weighted>::Group& group,
                    double squares, const LeafLimits& limits) {
    double bound = corners(acc, group, squares);
    // An edge that may not be taken bounds the places beside it all the same.
    if (!fits(acc, limits)) bound = std::max(bound, acc.fast_at(0.0, 0.0));
    acc.add(group);
    if (!fits(acc, limits)) bound = std::max(bound, acc.fast_at(0.0, 0.0));
    acc.remove(group);
    return bound;
}

template <class Impurity, bool Weighted>
double bound_inside(Classes<Impurity, Weighted>& acc, const typename Classes<Impurity, Weighted>::Group& group, double,
                    const LeafLimits&) {
    return acc.bound(group);
}

}  // namespace bristlecone

// An upper bound on what any split inside a bin can gain, without looking at its rows.
//
// A concave impurity, times weight, is concave in the weights of a side (a perspective), so the gain is convex in what
// the left side holds: on the set of things that the left side can hold inside the bin it is largest at a corner.
//   two classes    the box between the bin's edges, in the weights of the two classes
//   many classes   for each class the box in (its weight, the rest's); the classes' largest parts are added up
//   squared error  a bin of weight a and scatter V = sum w (y - mean)^2 cannot stray from the straight line between
//                  its edges by more than sqrt(a V) / 2
//   Poisson        the sum rises from edge to edge, because y >= 0
// The edges themselves are candidates of their own; the bound is over the other corners. And parting a node further
// never gains less: no split inside the bin gains more than parting off what is left of it, what is right of it and
// each of its rows. Corners bound nothing in the first and the last bin of a numeric target; this does.
#pragma once

#include <algorithm>
#include <cmath>

#include "search/best.hpp"
#include "search/classes.hpp"
#include "search/pairs.hpp"

namespace bristlecone {

// visit(more weight, more sum on the left) at the corners other than the bin's two edges.
template <class Impurity, class Sum, bool Weighted, class Visit>
void visit_corners(const Pairs<Impurity, Sum, Weighted>&, const typename Pairs<Impurity, Sum, Weighted>::Group& group,
                   double spread, Visit&& visit) {
    const auto a = static_cast<double>(group.weight), s = static_cast<double>(group.sum);
    if constexpr (Pairs<Impurity, Sum, Weighted>::corners_ask_spread) {
        const double stray = std::sqrt(a * std::max(0.0, spread - s * s / a)) / 2;
        visit(0.0, stray);
        visit(0.0, -stray);
        visit(a, s + stray);
        visit(a, s - stray);
    } else if constexpr (std::is_same_v<Impurity, Poisson>) {
        visit(0.0, s);
        visit(a, 0.0);
    } else {
        visit(s, s);
        visit(a - s, 0.0);
    }
}

// The accumulator stands at the bin's left edge; group is what the bin holds, spread what its rows score one by one,
// or more. Comparable with fast().
template <class Impurity, class Sum, bool Weighted>
double bound_inside(Pairs<Impurity, Sum, Weighted>& acc, const typename Pairs<Impurity, Sum, Weighted>::Group& group,
                    double spread, const LeafLimits& limits) {
    double bound = nothing;
    visit_corners(acc, group, spread, [&](double n, double s) { bound = std::max(bound, acc.fast_at(n, s)); });
    if constexpr (has_spread<Impurity>) bound = std::min(bound, acc.fast_apart(group, spread));
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

// From the criterion and the kind of weights to the accumulator's type, in one place.
#pragma once

#include <cstdint>
#include <utility>

#include "grow/region.hpp"
#include "impurity/entropy.hpp"
#include "impurity/gini.hpp"
#include "impurity/poisson.hpp"
#include "impurity/root.hpp"
#include "impurity/variance.hpp"

namespace bristlecone {

template <class T>
struct Type {
    using type = T;
};

template <class Visit>
auto visit_class_impurity(Criterion criterion, Visit&& visit) {
    switch (criterion) {
        case Criterion::gini:
            return visit(Type<Gini>{});
        case Criterion::root:
            return visit(Type<Root>{});
        default:
            return visit(Type<Entropy>{});
    }
}

// Accumulator<Impurity, Sum, Weighted>, for two classes and for regression.
template <template <class, class, bool> class Accumulator, class Visit>
auto visit_pairs(const Growth& growth, Visit&& visit) {
    const bool weighted = growth.weighing.kind != WeightKind::unit;
    const Criterion criterion = growth.problem->criterion;
    const auto regression = [&](auto impurity) {
        using Impurity = typename decltype(impurity)::type;
        if (weighted) return visit(Type<Accumulator<Impurity, std::int64_t, true>>{});
        return visit(Type<Accumulator<Impurity, std::int64_t, false>>{});
    };
    if (criterion == Criterion::squared_error) return regression(Type<Variance>{});
    if (criterion == Criterion::poisson) return regression(Type<Poisson>{});
    return visit_class_impurity(criterion, [&](auto impurity) {
        using Impurity = typename decltype(impurity)::type;
        if (weighted) return visit(Type<Accumulator<Impurity, std::int64_t, true>>{});
        return visit(Type<Accumulator<Impurity, std::uint8_t, false>>{});
    });
}

}  // namespace bristlecone

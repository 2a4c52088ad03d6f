// Measuring a node: its totals in whole numbers, whose units are made finer where the node's range has become small.
#pragma once

#include <algorithm>
#include <span>

#include "grow/region.hpp"

namespace bristlecone {

// Fresh integers sum up to between 2^59 and 2^61; a node whose sums have fallen below this is rounded afresh, so that
// rounding stays far below what is taken for a tie.
inline constexpr double coarse_sum = 4503599627370496.0;  // 2^52

// Bounds on answers in the node's own units.
inline Bounds in_units(const Open& open) {
    const double scale = open.units.weight / open.units.sum;
    return {(open.bounds.low - open.units.centre) * scale, (open.bounds.high - open.units.centre) * scale};
}

// range: of the node's targets; 0 over classes.
inline bool is_coarse(const Weighing& weighing, const Open& open, const Measure& m, double range) {
    if (weighing.kind == WeightKind::real && m.weight < coarse_sum) return true;
    return range > 0 && range * m.weight * (open.units.weight / open.units.sum) < coarse_sum;
}

// rows: numbers in the region; y: targets by those numbers, or null; refine: rounds those rows afresh.
template <class Accumulator, class Refine>
Measure measure_node(const Weighing& weighing, Accumulator& acc, Open& open, std::span<const std::uint32_t> rows,
                     const double* y, Refine&& refine) {
    double low = 0, high = 0;
    if (y != nullptr && !rows.empty()) {
        low = high = y[rows[0]];
        for (const std::uint32_t row : rows) {
            low = std::min(low, y[row]);
            high = std::max(high, y[row]);
        }
    }
    if constexpr (requires { acc.set_bounds(Bounds{}); }) acc.set_bounds(in_units(open));
    Measure m = acc.measure(rows);
    if (is_coarse(weighing, open, m, high - low)) {
        refine();
        if constexpr (requires { acc.set_bounds(Bounds{}); }) acc.set_bounds(in_units(open));
        m = acc.measure(rows);
    }
    if (y != nullptr) m.pure = low == high;
    return m;
}

}  // namespace bristlecone

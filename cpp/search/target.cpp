#include "search/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "impurity/gain.hpp"
#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr int sum_bits = 61;
constexpr int most_bits = 1000;                     // a unit of weight stays a normal number
constexpr double count_limit = 9007199254740992.0;  // 2^53

// The largest e with total * 2^e < 2^sum_bits.
int exponent_for(double total) {
    int e = 0;
    std::frexp(total, &e);
    return sum_bits - e;
}

bool two_classes(const Problem& problem) { return over_classes(problem.criterion) && problem.n_classes <= 2; }

}  // namespace

Weighing Weighing::of(const Problem& problem, std::span<const std::uint32_t> rows) {
    Weighing weighing;
    weighing.total = static_cast<double>(rows.size());
    if (problem.weight == nullptr || rows.empty()) return weighing;
    const double first = problem.weight[rows[0]];
    bool equal = true, whole = true;
    long double total = 0;
    for (const std::uint32_t row : rows) {
        const double w = problem.weight[row];
        equal = equal && w == first;
        whole = whole && w == std::floor(w);
        total += w;
    }
    weighing.total = static_cast<double>(total);
    if (equal) {
        weighing.factor = first;
        weighing.total = first * static_cast<double>(rows.size());
    } else {
        // A regression's targets share their bits with the weights.
        const double limit = over_classes(problem.criterion) ? count_limit : static_cast<double>(exact_weight_limit);
        weighing.kind = whole && total < limit ? WeightKind::counts : WeightKind::real;
    }
    return weighing;
}

void Target::resize(const Problem& problem, const Weighing& weighing, std::size_t n) {
    const bool unit = weighing.kind == WeightKind::unit;
    if (!unit) weight.resize(n);
    if (!over_classes(problem.criterion) || (two_classes(problem) && !unit)) sum.resize(n);
    if (over_classes(problem.criterion) && !two_classes(problem)) label.resize(n);
    if (two_classes(problem) && unit) indicator.resize(n);
}

double Target::quantise_weights(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                                const std::uint32_t* place) {
    if (weighing.kind == WeightKind::unit) return weighing.factor;
    int e = 0;
    if (weighing.kind == WeightKind::real) {
        double total = 0;
        for (const std::uint32_t row : rows) total += problem.weight[row];
        e = std::min(exponent_for(total + static_cast<double>(rows.size()) * std::numeric_limits<double>::min()),
                     most_bits);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double scaled = std::ldexp(problem.weight[rows[i]], e);
        weight[place ? place[i] : i] = std::max<std::int64_t>(1, std::llround(scaled));
    }
    return std::ldexp(1.0, -e);
}

void Target::quantise_sums(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                           const std::uint32_t* place, Units& units) {
    if (rows.empty()) return;
    const bool real = weighing.kind == WeightKind::real;
    double low = problem.y[rows[0]], high = low;
    for (const std::uint32_t row : rows) {
        low = std::min(low, problem.y[row]);
        high = std::max(high, problem.y[row]);
    }
    // A value that a row has as centre keeps whole targets whole.
    double nearest = low;
    const double middle = low / 2 + high / 2;
    for (const std::uint32_t row : rows)
        if (std::abs(problem.y[row] - middle) < std::abs(nearest - middle)) nearest = problem.y[row];
    units.centre = problem.criterion == Criterion::poisson ? 0.0 : nearest;
    const double reach = std::max(high - units.centre, units.centre - low);
    double bulk = reach;  // what the absolute sum cannot exceed
    if (weighing.kind == WeightKind::unit) bulk *= static_cast<double>(rows.size());
    if (weighing.kind == WeightKind::counts) {
        double total = 0;
        for (const std::uint32_t row : rows) total += problem.weight[row];
        bulk *= total;
    }
    if (real) {
        bulk = 0;
        for (const std::uint32_t row : rows) bulk += problem.weight[row] * reach;
    }
    const int e = bulk > 0 ? exponent_for(bulk) - 1 : 0;
    const double scale = std::ldexp(1.0, e / 2), rest = std::ldexp(1.0, e - e / 2);  // 2^e may be out of reach
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t at = place ? place[i] : i;
        double centred = problem.y[rows[i]] - units.centre;
        if (real) centred *= problem.weight[rows[i]];
        const std::int64_t q = std::llround(centred * scale * rest);
        sum[at] = weighing.kind == WeightKind::counts ? q * weight[at] : q;
    }
    units.sum = std::ldexp(weighing.kind == WeightKind::unit ? weighing.factor : 1.0, -e);
}

Units Target::quantise(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                       const std::uint32_t* place) {
    Units units;
    units.weight = quantise_weights(problem, weighing, rows, place);
    if (!over_classes(problem.criterion)) {
        quantise_sums(problem, weighing, rows, place, units);
        return units;
    }
    units.sum = units.weight;
    const std::size_t n_shares = shares_of(rows.size(), problem.n_threads);
    run_tasks(problem.n_threads, n_shares, [&](std::size_t share) {
        const std::size_t end = rows.size() * (share + 1) / n_shares;
        for (std::size_t i = rows.size() * share / n_shares; i < end; ++i) {
            const std::size_t at = place ? place[i] : i;
            const auto k = static_cast<std::uint32_t>(problem.label[rows[i]]);
            if (!label.empty()) label[at] = k;
            if (!indicator.empty()) indicator[at] = static_cast<std::uint8_t>(k);
            if (!sum.empty()) sum[at] = k ? weight[at] : 0;
        }
    });
    return units;
}

}  // namespace bristlecone

// Weights and targets as integers, so that every sum over rows is exact: growth then depends neither on the order of
// rows nor on the number of threads, and a histogram minus its part is exact too.
//
// Equal weights become 1 and whole weights stay what they are; other weights, and the targets of a regression, are
// rounded to multiples of a power of two that leaves their sum below 2^61. Rows of a node whose range has become
// small in those units are rounded afresh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"

namespace bristlecone {

enum class WeightKind : std::uint8_t { unit, counts, real };

// What the integers of one node stand for: weight = integer * weight, w * (y - centre) = integer * sum.
struct Units {
    double weight = 1.0;
    double sum = 1.0;
    double centre = 0.0;
};

// Which kind of weights the rows have, found once.
struct Weighing {
    WeightKind kind = WeightKind::unit;
    double factor = 1.0;  // the weight of every row, of unit weights
    double total = 0.0;   // in the caller's units

    static Weighing of(const Problem& problem, std::span<const std::uint32_t> rows);
};

// The integers of some rows. place[i] is where row rows[i] stands; without places, at i.
struct Target {
    std::vector<std::int64_t> weight;     // empty: ones
    std::vector<std::int64_t> sum;        // regression: w (y - centre)
    std::vector<std::uint32_t> label;     // classes
    std::vector<std::uint8_t> indicator;  // two classes, unit weights: 1 for class 1

    Units quantise(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                   const std::uint32_t* place);
    void resize(const Problem& problem, const Weighing& weighing, std::size_t n);
    // Whether the rows at two places are of one class.
    bool same_class(std::size_t a, std::size_t b) const {
        if (!label.empty()) return label[a] == label[b];
        return indicator.empty() ? (sum[a] == 0) == (sum[b] == 0) : indicator[a] == indicator[b];
    }

private:
    double quantise_weights(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                            const std::uint32_t* place);
    void quantise_sums(const Problem& problem, const Weighing& weighing, std::span<const std::uint32_t> rows,
                       const std::uint32_t* place, Units& units);
};

}  // namespace bristlecone

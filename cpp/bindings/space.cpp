#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/growing.hpp"
#include "bindings/module.hpp"
#include "grow/dyadic.hpp"
#include "grow/kd.hpp"

namespace bristlecone {
namespace {

using Labels = InArray<std::int32_t>;
using Weights = std::optional<InArray<double>>;

Problem space_problem(const HeldColumns& columns, const Labels& label, std::int32_t n_classes, const Weights& weight,
                      int n_threads) {
    Problem problem;
    problem.columns = &columns.columns;
    const std::size_t n = columns.columns.n_rows;
    problem.label = column_of_rows(label, n, "label");
    if (weight) problem.weight = column_of_rows(*weight, n, "weight");
    problem.n_classes = n_classes;
    problem.n_threads = n_threads;
    require(n_threads >= 1, "n_threads must be >= 1");
    check_rows(problem);
    for (std::size_t j = 0; j < columns.columns.size(); ++j)
        require(!columns.columns[j].categorical(), "column " + std::to_string(j) + " is a category");
    return problem;
}

std::vector<Numbers::Range> ranges_of(const std::optional<InArray<double>>& given, std::size_t n_columns) {
    std::vector<Numbers::Range> ranges;
    if (!given) return ranges;
    require(given->shape(0) == 2 * n_columns, "ranges must have two numbers a column");
    for (std::size_t j = 0; j < n_columns; ++j) {
        // Adding 0.0 turns -0.0 into 0.0, as in the cells.
        const double low = given->data()[2 * j] + 0.0, high = given->data()[2 * j + 1] + 0.0;
        require(std::isfinite(low) && std::isfinite(high) && low <= high,
                "the range of column " + std::to_string(j) + " is not finite and ascending");
        ranges.push_back({low, high});
    }
    return ranges;
}

nb::dict dyadic(HeldColumns& columns, Labels label, std::int32_t n_classes, Weights weight,
                std::optional<InArray<double>> ranges, std::int32_t max_depth, std::int32_t turns, bool stop_pure,
                int n_threads) {
    Problem problem = space_problem(columns, label, n_classes, weight, n_threads);
    const std::vector<Numbers::Range> cells = ranges_of(ranges, columns.columns.size());
    require(max_depth >= -1 && turns >= 0 && turns < 4096, "max_depth must be >= -1 and turns from 0 to 4095");
    return to_python(grow_released(problem, [&] { return grow_dyadic(problem, cells, {max_depth, turns, stop_pure}); }),
                     false);
}

nb::dict kd(HeldColumns& columns, Labels label, std::int32_t n_classes, Weights weight, const std::string& axis,
            std::int32_t max_depth, bool stop_pure, int n_threads) {
    Problem problem = space_problem(columns, label, n_classes, weight, n_threads);
    require(axis == "cycle" || axis == "spread", "axis must be 'cycle' or 'spread'");
    require(max_depth >= 0, "max_depth must be >= 0");
    const Axis rule = axis == "cycle" ? Axis::cycle : Axis::spread;
    return to_python(grow_released(problem, [&] { return grow_kd(problem, rule, {max_depth, stop_pure}); }), false);
}

}  // namespace

void bind_space(nb::module_& module) {
    module.def("grow_dyadic", &dyadic, nb::arg("columns"), nb::arg("label").noconvert(), nb::arg("n_classes"),
               nb::arg("weight").none().noconvert(), nb::arg("ranges").none().noconvert(), nb::arg("max_depth"),
               nb::arg("turns"), nb::arg("stop_pure"), nb::arg("n_threads"),
               "The dyadic tree's arrays, as `grow` gives them. ranges: low and high of every column, or None for the "
               "rows' own; max_depth: -1 for `turns` cuts a column.");
    module.def("grow_kd", &kd, nb::arg("columns"), nb::arg("label").noconvert(), nb::arg("n_classes"),
               nb::arg("weight").none().noconvert(), nb::arg("axis"), nb::arg("max_depth"), nb::arg("stop_pure"),
               nb::arg("n_threads"), "The k-d tree's arrays, as `grow` gives them. axis: 'cycle' or 'spread'.");
}

}  // namespace bristlecone

#include "grow/grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/growing.hpp"
#include "bindings/module.hpp"

namespace bristlecone {
namespace {

Criterion criterion_of(const std::string& name) {
    if (name == "gini") return Criterion::gini;
    if (name == "entropy") return Criterion::entropy;
    if (name == "gain_ratio") return Criterion::gain_ratio;
    if (name == "sqrt") return Criterion::root;
    if (name == "squared_error") return Criterion::squared_error;
    if (name == "poisson") return Criterion::poisson;
    if (name == "absolute_error") return Criterion::absolute_error;
    throw nb::value_error(("unknown criterion: " + name).c_str());
}

Limits limits_of(nb::dict options) {
    Limits limits;
    limits.max_depth = nb::cast<std::int32_t>(options["max_depth"]);
    limits.min_rows_split = nb::cast<std::int64_t>(options["min_samples_split"]);
    limits.min_rows_leaf = nb::cast<std::int64_t>(options["min_samples_leaf"]);
    limits.min_weight_split = nb::cast<double>(options["min_weight_split"]);
    limits.min_weight_leaf = nb::cast<double>(options["min_weight_leaf"]);
    limits.max_leaves = nb::cast<std::int64_t>(options["max_leaf_nodes"]);
    limits.min_decrease = nb::cast<double>(options["min_impurity_decrease"]);
    limits.stop_at_zero_gain = nb::cast<bool>(options["stop_at_zero_gain"]);
    require(limits.min_rows_leaf >= 1 && limits.min_rows_leaf < (std::int64_t{1} << 62),
            "min_samples_leaf must be at least 1 and below 2^62");
    require(limits.min_weight_split >= 0 && limits.min_weight_leaf >= 0 && limits.min_decrease >= 0,
            "min_weight_split, min_weight_leaf and min_impurity_decrease must be >= 0");
    return limits;
}

nb::dict grow_tree(HeldColumns& columns, const std::string& criterion, std::optional<InArray<std::int32_t>> label,
                   std::int32_t n_classes, std::optional<InArray<double>> y, std::optional<InArray<double>> weight,
                   nb::dict options) {
    Problem problem;
    problem.columns = &columns.columns;
    problem.criterion = criterion_of(criterion);
    problem.n_classes = n_classes;
    const std::size_t n = columns.columns.n_rows;
    require(over_classes(problem.criterion) ? label.has_value() : y.has_value(), "the criterion's target is not given");
    if (over_classes(problem.criterion))
        problem.label = column_of_rows(*label, n, "label");
    else
        problem.y = column_of_rows(*y, n, "y");
    if (weight) problem.weight = column_of_rows(*weight, n, "weight");
    problem.limits = limits_of(options);
    problem.monotone = nb::cast<std::vector<std::int8_t>>(options["monotone"]);
    require(problem.monotone.empty() || problem.monotone.size() == columns.columns.size(),
            "monotone must have one entry a column");
    require(problem.monotone.empty() || n_classes <= 2, "monotone constraints need two classes or a regression");
    problem.n_runners = nb::cast<std::int32_t>(options["n_runners"]);
    problem.n_threads = nb::cast<int>(options["n_threads"]);
    require(problem.n_runners >= 0 && problem.n_threads >= 1, "n_runners must be >= 0 and n_threads >= 1");
    for (const std::int8_t direction : problem.monotone)
        require(direction >= -1 && direction <= 1, "monotone must hold -1, 0 or 1");
    problem.small_node = nb::cast<std::int64_t>(options["small_node"]);
    problem.codes = &columns.codes;
    check_rows(problem);
    return to_python(grow_released(problem, [&] { return grow(problem); }), !over_classes(problem.criterion));
}

}  // namespace

void bind_grow(nb::module_& module) {
    module.def("grow", &grow_tree, nb::arg("columns"), nb::arg("criterion"), nb::arg("label").none().noconvert(),
               nb::arg("n_classes"), nb::arg("y").none().noconvert(), nb::arg("weight").none().noconvert(),
               nb::arg("options"),
               "Grows a tree and returns its arrays by name, as bytes, and its runners-up. Called by bristlecone.grow, "
               "which names the parameters.");
}

}  // namespace bristlecone

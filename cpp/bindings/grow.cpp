#include "grow/grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>
#include <string>

#include "bindings/arrays.hpp"
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

void require(bool holds, const std::string& what) {
    if (!holds) throw nb::value_error(what.c_str());
}

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
    throw nb::value_error(("row " + std::to_string(row) + ": " + what).c_str());
}

template <class T>
const T* column_of_rows(const InArray<T>& array, std::size_t n_rows, const char* name) {
    require(array.shape(0) == n_rows, std::string(name) + " has length " + std::to_string(array.shape(0)) +
                                          ", expected " + std::to_string(n_rows));
    return array.data();
}

void check_rows(const Problem& problem) {
    const std::size_t n = problem.columns->n_rows;
    require(n < (std::size_t{1} << 30), "more than 1,073,741,823 rows");
    require(problem.columns->size() > 0, "no columns");
    bool any = false;
    for (std::size_t row = 0; row < n; ++row) {
        if (problem.weight != nullptr && !(std::isfinite(problem.weight[row]) && problem.weight[row] >= 0))
            refuse_row(row, "weight is not a finite number >= 0");
        any = any || problem.weight == nullptr || problem.weight[row] > 0;
        if (problem.label != nullptr && !(problem.label[row] >= 0 && problem.label[row] < problem.n_classes))
            refuse_row(row, "label out of range");
        if (problem.y != nullptr && !std::isfinite(problem.y[row])) refuse_row(row, "target is not finite");
        if (problem.criterion == Criterion::poisson && problem.y[row] < 0) refuse_row(row, "target is negative");
    }
    require(any, "no row has a positive weight");
    for (const Column& column : problem.columns->columns)
        for (std::size_t row = 0; column.categorical() && row < n; ++row)
            if (column.code(row) < missing_level || column.code(row) >= column.n_levels)
                refuse_row(row, "a level without a code");
}

nb::list runners_to_python(const std::vector<std::vector<Split>>& runners) {
    nb::list nodes;
    for (const auto& splits : runners) {
        nb::list node;
        for (const Split& split : splits) {
            nb::list levels;
            for (const Level& level : split.levels)
                if (level.left) levels.append(level.code);
            node.append(nb::make_tuple(split.column, split.threshold, nb::tuple(levels), split.gain));
        }
        nodes.append(nb::tuple(node));
    }
    return nodes;
}

// Sums of huge targets may leave the range of floats; all else that makes these arrays a tree holds by construction.
void check_finite(const std::vector<double>& values, const char* what) {
    for (std::size_t v = 0; v < values.size(); ++v)
        if (!std::isfinite(values[v]))
            throw nb::value_error(("node " + std::to_string(v) + ": " + what + std::to_string(values[v])).c_str());
}

// Bytes: numpy shows them as an array faster than it takes one over, and nobody can write to them.
template <class T>
nb::bytes to_bytes(std::vector<T>&& values) {
    const std::vector<T> held = std::move(values);
    return nb::bytes(held.data(), held.size() * sizeof(T));
}

nb::dict to_python(Grown&& grown, bool numeric) {
    check_finite(grown.weight, "weighted_n_node_samples is ");
    check_finite(grown.impurity, "impurity is ");
    if (numeric) check_finite(grown.prediction, "predicts ");
    nb::dict arrays;
    arrays["children_left"] = to_bytes(std::move(grown.left));
    arrays["children_right"] = to_bytes(std::move(grown.right));
    arrays["feature"] = to_bytes(std::move(grown.feature));
    arrays["threshold"] = to_bytes(std::move(grown.threshold));
    arrays["missing_go_to_left"] = to_bytes(std::move(grown.missing_left));
    arrays["level_ptr"] = to_bytes(std::move(grown.level_ptr));
    arrays["level_code"] = to_bytes(std::move(grown.level_code));
    arrays["level_left"] = to_bytes(std::move(grown.level_left));
    arrays["heuristic"] = to_bytes(std::move(grown.heuristic));
    arrays["n_node_samples"] = to_bytes(std::move(grown.rows));
    arrays["weighted_n_node_samples"] = to_bytes(std::move(grown.weight));
    arrays["impurity"] = to_bytes(std::move(grown.impurity));
    arrays["prediction"] = to_bytes(std::move(grown.prediction));
    arrays["label"] = to_bytes(std::move(grown.label));
    arrays["count_ptr"] = to_bytes(std::move(grown.count_ptr));
    arrays["count_class"] = to_bytes(std::move(grown.count_class));
    arrays["count_weight"] = to_bytes(std::move(grown.count_weight));
    arrays["count_rows"] = to_bytes(std::move(grown.count_rows));
    arrays["runners"] = nb::tuple(runners_to_python(grown.runners));
    return arrays;
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

// The signal's own error, KeyboardInterrupt for Ctrl-C, is the one that Python sees.
Grown grow_or_raise(const Problem& problem) {
    try {
        return grow(problem);
    } catch (const Interrupted&) {
        const nb::gil_scoped_acquire acquire;
        throw nb::python_error();
    }
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
    Grown grown;
    {
        // Safe: growth touches only plain memory, which the arguments keep alive.
        nb::gil_scoped_release release;
        Interrupt interrupt([] {
            const nb::gil_scoped_acquire acquire;
            return PyErr_CheckSignals() != 0;
        });
        problem.interrupt = &interrupt;
        grown = grow_or_raise(problem);
    }
    return to_python(std::move(grown), !over_classes(problem.criterion));
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

#include "bindings/growing.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace bristlecone {
namespace {

[[noreturn]] void refuse_row(std::size_t row, const std::string& what) {
    throw nb::value_error(("row " + std::to_string(row) + ": " + what).c_str());
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

}  // namespace

void require(bool holds, const std::string& what) {
    if (!holds) throw nb::value_error(what.c_str());
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

}  // namespace bristlecone

#include "route/route.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/children.hpp"
#include "bindings/module.hpp"

namespace bristlecone {
namespace {

// The first nodes that split a column by threshold and by level set; -1 for none.
struct FirstSplits {
    std::int32_t numeric = -1, categorical = -1;
};

// The arrays of one tree, checked once: indices in range, parents before children, one parent each. They are copies:
// nobody can change them after the check.
struct Router {
    // A constructor, so that one that throws leaves nothing behind.
    Router(nb::dict arrays, std::int32_t n_features);

    std::vector<std::int32_t> children_left, children_right, feature, level_code;
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left, heavier_left, level_left;
    std::vector<std::int64_t> level_ptr;
    TreeView view;
    FlatTree flat;
    std::vector<FirstSplits> first_splits;  // by column
};

void check_splits(const TreeView& tree, std::size_t n_level_entries, std::int32_t n_features) {
    if (tree.level_ptr[0] != 0) refuse_node(0, "level_ptr does not start at 0");
    for (std::size_t v = 0; v < tree.n_nodes; ++v) {
        const std::int64_t first = tree.level_ptr[v], last = tree.level_ptr[v + 1];
        if (last < first || static_cast<std::size_t>(last) > n_level_entries)
            refuse_node(v, "level_ptr is out of range");
        if (tree.children_left[v] < 0) continue;
        if (tree.feature[v] < 0 || tree.feature[v] >= n_features)
            refuse_node(v, "feature " + std::to_string(tree.feature[v]) + " is out of range");
        for (std::int64_t i = first; i < last; ++i)
            if (tree.level_code[i] < 0 || (i > first && tree.level_code[i] <= tree.level_code[i - 1]))
                refuse_node(v, "level codes are not ascending");
        if (last == first && std::isnan(tree.threshold[v])) refuse_node(v, "has neither threshold nor levels");
    }
    if (static_cast<std::size_t>(tree.level_ptr[tree.n_nodes]) != n_level_entries)
        refuse_node(tree.n_nodes - 1, "level_ptr does not end at the number of levels");
}

template <class T>
const T* take(std::vector<T>& own, nb::dict arrays, const char* name, std::size_t expected) {
    const auto array = nb::cast<InArray<T>>(arrays[name]);
    if (array.shape(0) != expected)
        throw nb::value_error((std::string(name) + " has length " + std::to_string(array.shape(0)) + ", expected " +
                               std::to_string(expected))
                                  .c_str());
    own.assign(array.data(), array.data() + expected);
    return own.data();
}

std::vector<FirstSplits> first_splits(const TreeView& tree, std::int32_t n_features) {
    std::vector<FirstSplits> found(n_features);
    for (std::size_t v = tree.n_nodes; v-- > 0;)
        if (tree.children_left[v] >= 0) {
            FirstSplits& of_column = found[tree.feature[v]];
            (tree.level_ptr[v + 1] > tree.level_ptr[v] ? of_column.categorical : of_column.numeric) =
                static_cast<std::int32_t>(v);
        }
    return found;
}

Router::Router(nb::dict arrays, std::int32_t n_features) {
    const std::size_t n = nb::len(nb::object(arrays["children_left"]));
    const std::size_t n_levels = nb::len(nb::object(arrays["level_code"]));
    if (n == 0) throw nb::value_error("a tree has at least one node");
    view.n_nodes = n;
    view.children_left = take(children_left, arrays, "children_left", n);
    view.children_right = take(children_right, arrays, "children_right", n);
    view.feature = take(feature, arrays, "feature", n);
    view.threshold = take(threshold, arrays, "threshold", n);
    view.missing_left = take(missing_left, arrays, "missing_go_to_left", n);
    view.heavier_left = take(heavier_left, arrays, "heavier_left", n);
    view.level_ptr = take(level_ptr, arrays, "level_ptr", n + 1);
    view.level_code = take(level_code, arrays, "level_code", n_levels);
    view.level_left = take(level_left, arrays, "level_left", n_levels);
    check_children(view.children_left, view.children_right, n, Single::refused);
    check_splits(view, n_levels, n_features);
    flat = flatten(view);
    first_splits = bristlecone::first_splits(view, n_features);
}

// A split's kind and its column's kind must agree before any row is read.
void check_kinds(const Router& router, const Columns& columns) {
    std::int32_t odd = -1;
    for (std::size_t j = 0; j < router.first_splits.size(); ++j) {
        const auto [numeric, categorical] = router.first_splits[j];
        const bool lacking = j >= columns.size();
        for (const auto& [node, unfit] : {std::pair(numeric, lacking || columns[j].categorical()),
                                          std::pair(categorical, lacking || !columns[j].categorical())})
            if (unfit && node >= 0 && (odd < 0 || node < odd)) odd = node;
    }
    if (odd < 0) return;
    const std::string column = std::to_string(router.view.feature[odd]);
    if (static_cast<std::size_t>(router.view.feature[odd]) >= columns.size())
        refuse_node(odd, "splits on column " + column + " of " + std::to_string(columns.size()));
    refuse_node(odd, "splits column " + column + " as another kind");
}

Unseen unseen_of(const std::string& name) {
    if (name == "stop") return Unseen::stop;
    if (name == "heavier") return Unseen::heavier;
    if (name == "error") return Unseen::error;
    throw nb::value_error("unseen must be 'stop', 'heavier' or 'error'");
}

std::tuple<nb::object, std::int64_t, std::int64_t, std::int32_t, bool> apply(const Router& router,
                                                                             const HeldColumns& columns,
                                                                             const std::string& unseen,
                                                                             bool refuse_missing, bool ask_infinite,
                                                                             int n_threads) {
    check_kinds(router, columns.columns);
    const Unseen rule = unseen_of(unseen);
    auto nodes = std::make_unique_for_overwrite<std::int64_t[]>(columns.columns.n_rows);
    RouteReport report;
    {
        // Safe: the kernel touches only plain memory, which router and columns keep alive.
        nb::gil_scoped_release release;
        report = route(router.view, router.flat, columns.columns, rule,
                       refuse_missing ? Missing::error : Missing::learned, ask_infinite, n_threads, nodes.get());
    }
    return {to_numpy(std::move(nodes), {columns.columns.n_rows}), report.n_unseen, report.refused_row,
            report.refused_column, report.infinite};
}

}  // namespace

void bind_route(nb::module_& module) {
    nb::class_<Router>(
        module, "Router",
        "Sends rows to nodes. arrays: children_left, children_right, feature (int32), threshold "
        "(float64), missing_go_to_left, heavier_left (uint8), level_ptr (int64, n_nodes + 1), level_code "
        "(int32, ascending in a node), level_left (uint8). Raises ValueError for anything but a tree.")
        .def(nb::init<nb::dict, std::int32_t>(), nb::arg("arrays"), nb::arg("n_features"))
        .def("apply", &apply, nb::arg("columns"), nb::arg("unseen"), nb::arg("refuse_missing"), nb::arg("ask_infinite"),
             nb::arg("n_threads"),
             "-> (nodes int64 (n_rows,), rows that met an unknown level, first refused row or -1, its column, with "
             "ask_infinite: whether a cell may be infinite)");
}

}  // namespace bristlecone

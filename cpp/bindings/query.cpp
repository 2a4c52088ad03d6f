#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/children.hpp"
#include "bindings/growing.hpp"
#include "bindings/module.hpp"
#include "query/boolean_tree.hpp"
#include "query/cube.hpp"
#include "query/marks.hpp"
#include "query/optimal.hpp"
#include "query/redraws.hpp"
#include "query/tree_influences.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t most_table_variables = 26;
constexpr std::size_t most_variables = std::size_t{1} << 26;  // a table of them is filled at once

const double* checked_chances(const InArray<double>& p) {
    for (std::size_t i = 0; i < p.shape(0); ++i)
        require(p(i) > 0 && p(i) < 1, "p: variable " + std::to_string(i) + " is not between 0 and 1");
    return p.data();
}

std::size_t checked_table(const InArray<std::uint8_t>& table, const InArray<double>& p, std::size_t most) {
    const std::size_t n = p.shape(0);
    require(n <= most, "a table of more than " + std::to_string(most) + " variables");
    require(table.shape(0) == std::size_t{1} << n, "the table must have 2^n entries");
    return n;
}

// A copy, so that it stays as it was checked while others run.
BareTree checked_bare(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                      const InArray<std::int32_t>& variable, std::size_t n) {
    const std::size_t n_nodes = left.shape(0);
    require(n_nodes > 0 && n_nodes < std::size_t{1} << 31, "a tree has at least one node");
    require(right.shape(0) == n_nodes && variable.shape(0) == n_nodes, "arrays of a tree differ in length");
    BareTree tree{{left.data(), left.data() + n_nodes},
                  {right.data(), right.data() + n_nodes},
                  {variable.data(), variable.data() + n_nodes}};
    check_children(tree.left.data(), tree.right.data(), n_nodes, Single::refused);
    for (std::size_t v = 0; v < n_nodes; ++v)
        if (tree.left[v] >= 0 && (tree.variable[v] < 0 || static_cast<std::size_t>(tree.variable[v]) >= n))
            refuse_node(v, "it reads no variable");
    return tree;
}

BooleanTree checked_tree(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                         const InArray<std::int32_t>& variable, const InArray<std::uint8_t>& answer,
                         std::size_t n_variables) {
    require(answer.shape(0) == left.shape(0), "arrays of a tree differ in length");
    BareTree bare = checked_bare(left, right, variable, n_variables);
    BooleanTree tree{std::move(bare.left),
                     std::move(bare.right),
                     std::move(bare.variable),
                     {answer.data(), answer.data() + answer.shape(0)}};
    for (std::size_t v = 0; v < tree.size(); ++v) {
        if (tree.answer[v] > 1) refuse_node(v, "its answer is not 0 or 1");
        if (tree.leaf(v)) tree.variable[v] = -1;
    }
    return tree;
}

using TreeArrays = std::tuple<nb::object, nb::object, nb::object, nb::object>;

TreeArrays to_python(BooleanTree&& tree) {
    return {to_numpy(std::move(tree.left)), to_numpy(std::move(tree.right)), to_numpy(std::move(tree.variable)),
            to_numpy(std::move(tree.answer))};
}

std::tuple<nb::object, double, double> influences_of_table(const InArray<std::uint8_t>& table,
                                                           const InArray<double>& p) {
    const std::size_t n = checked_table(table, p, most_table_variables);
    const double* chances = checked_chances(p);
    CubeInfluences found;
    {
        // Safe: the kernel touches only plain memory, which the arguments keep alive.
        nb::gil_scoped_release release;
        found = cube_influences(table.data(), n, chances);
    }
    return {to_numpy(std::move(found.influence)), found.zeros, found.ones};
}

std::tuple<nb::object, nb::object, double, double> influences_of_tree(const InArray<std::int32_t>& left,
                                                                      const InArray<std::int32_t>& right,
                                                                      const InArray<std::int32_t>& variable,
                                                                      const InArray<std::uint8_t>& answer,
                                                                      const InArray<double>& p) {
    const BooleanTree tree = checked_tree(left, right, variable, answer, p.shape(0));
    const double* chances = checked_chances(p);
    Influences found = released([&](Interrupt* interrupt) {
        return tree_influences(restricted(tree, none_known, false), p.shape(0), chances, interrupt);
    });
    return {to_numpy(std::move(found.rise)), to_numpy(std::move(found.fall)), found.zeros, found.ones};
}

TreeArrays restricted_tree(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                           const InArray<std::int32_t>& variable, const InArray<std::uint8_t>& answer,
                           const InArray<std::uint8_t>& forced, std::int32_t known, bool value) {
    const BooleanTree tree = checked_tree(left, right, variable, answer, most_variables);
    require(known >= none_known && known < static_cast<std::int32_t>(most_variables), "known is no variable");
    require(forced.shape(0) == 0 || forced.shape(0) == tree.size(), "forced must have one entry a node, or none");
    for (std::size_t v = 0; v < forced.shape(0); ++v)
        if (forced(v) > 2) refuse_node(v, "it is forced to no side");
    BooleanTree out;
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        out = restricted(tree, known, value,
                         forced.shape(0) == 0 ? nullptr : reinterpret_cast<const Forced*>(forced.data()));
    }
    return to_python(std::move(out));
}

TreeArrays smallest_tree(const InArray<std::uint8_t>& table, const InArray<double>& p, double epsilon) {
    const std::size_t n = checked_table(table, p, most_optimal_variables);
    require(epsilon >= 0, "epsilon must not be negative");
    const double* chances = checked_chances(p);
    return to_python(
        released([&](Interrupt* interrupt) { return optimal_tree(table.data(), n, chances, epsilon, interrupt); }));
}

using PointRows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::tuple<nb::object, nb::object, nb::object> redraws(const PointRows& points, const PointRows& fresh) {
    const std::size_t m = points.shape(0), n = points.shape(1);
    require(fresh.shape(0) == m && fresh.shape(1) == n, "points and fresh draws differ in shape");
    require(m < std::size_t{1} << 31 && n < std::size_t{1} << 31, "too many points");
    const Points given{points.data(), fresh.data(), m, n};
    std::unique_ptr<std::uint8_t[]> changed;
    std::unique_ptr<std::int32_t[]> row, coordinate;
    std::size_t count = 0;
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        count = count_redraws(given);
        if (n > 0 && count > static_cast<std::size_t>(PTRDIFF_MAX) / n) throw std::bad_alloc();
        changed = std::make_unique_for_overwrite<std::uint8_t[]>(count * n);
        row = std::make_unique_for_overwrite<std::int32_t[]>(count);
        coordinate = std::make_unique_for_overwrite<std::int32_t[]>(count);
        write_redraws(given, changed.get(), row.get(), coordinate.get());
    }
    return {to_numpy(std::move(changed), {count, n}), to_numpy(std::move(row), {count}),
            to_numpy(std::move(coordinate), {count})};
}

nb::object changes(const InArray<std::int64_t>& before, const InArray<std::int64_t>& after,
                   const InArray<std::int32_t>& row, const InArray<std::int32_t>& coordinate, std::size_t n) {
    const std::size_t m = before.shape(0), k = after.shape(0);
    require(row.shape(0) == k && coordinate.shape(0) == k, "redraws and their answers differ in number");
    require(m < std::size_t{1} << 31 && n < std::size_t{1} << 31, "too many points");
    const auto outside = [k](const std::int32_t* of, std::size_t bound) {
        std::uint32_t most = 0;  // what is negative is large
        for (std::size_t r = 0; r < k; ++r) most = std::max(most, static_cast<std::uint32_t>(of[r]));
        return k > 0 && most >= bound;
    };
    require(!outside(row.data(), m) && !outside(coordinate.data(), n), "a redraw is of no point");
    std::vector<std::uint8_t> marks(m * n, 0);
    mark_changes({before.data(), after.data(), row.data(), coordinate.data(), k}, n, marks.data());
    return to_numpy(std::move(marks), {m, n});
}

void check_widths(std::size_t n, std::size_t n_marks) {
    require(n <= most_variables && n_marks <= most_variables, "too many variables or marks");
}

nb::object leaves_reached(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                          const InArray<std::int32_t>& variable, const PointRows& points) {
    const std::size_t m = points.shape(0), n = points.shape(1);
    const BareTree tree = checked_bare(left, right, variable, n);
    auto leaf = std::make_unique_for_overwrite<std::int32_t[]>(m);
    {
        // Safe: as above, and whatever the points are, the tree is a copy.
        nb::gil_scoped_release release;
        for (std::size_t r = 0; r < m; ++r) leaf[r] = tree.leaf_of(points.data() + r * n);
    }
    return to_numpy(std::move(leaf), {m});
}

using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::tuple<nb::object, nb::object, nb::object> marks_by_leaf(const InArray<std::int32_t>& left,
                                                             const InArray<std::int32_t>& right,
                                                             const InArray<std::int32_t>& variable,
                                                             const PointRows& points, const PointRows& marks,
                                                             bool keeps, Counts counts) {
    const std::size_t m = points.shape(0), n = points.shape(1), n_marks = marks.shape(1);
    const BareTree tree = checked_bare(left, right, variable, n);
    require(marks.shape(0) == m, "points and marks differ in number");
    require(counts.shape(0) >= left.shape(0) && counts.shape(1) == n_marks, "counts must be (n_nodes, n_marks)");
    check_widths(n, n_marks);
    check_apart(counts, left, right, variable, points, marks);
    const MarkedPoints given{points.data(), marks.data(), m, n, n_marks};
    ByLeaf found;
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        found = count_by_leaf(tree, tree.left.size(), given, keeps, counts.data());
    }
    const std::size_t bytes = given.packed_bytes();
    const std::size_t rows = found.start.empty() ? 0 : static_cast<std::size_t>(found.start.back());
    return {to_numpy(std::move(found.leaf)), to_numpy(std::move(found.start)),
            to_numpy(std::move(found.packed), {rows, bytes})};
}

std::tuple<nb::object, nb::object> sides_of_marks(const PointRows& packed, const InArray<std::uint32_t>& times,
                                                  std::size_t n, std::size_t n_marks, std::size_t variable) {
    const std::size_t m = packed.shape(0);
    check_widths(n, n_marks);
    require(packed.shape(1) == MarkedPoints{nullptr, nullptr, m, n, n_marks}.packed_bytes() && variable < n,
            "packed points are of other variables");
    require(times.shape(0) == m || times.shape(0) == 0, "times must have one entry a point, or none");
    std::vector<std::uint8_t> high(m);
    std::vector<std::int64_t> counts(2 * n_marks, 0);
    {
        // Safe: as above; no cell decides where another is read.
        nb::gil_scoped_release release;
        count_sides({packed.data(), times.shape(0) == 0 ? nullptr : times.data(), m, n, n_marks}, variable, high.data(),
                    counts.data());
    }
    return {to_numpy(std::move(high)), to_numpy(std::move(counts), {2, n_marks})};
}

}  // namespace

void bind_query(nb::module_& module) {
    module.def(
        "table_influences", &influences_of_table, nb::arg("table"), nb::arg("p"),
        "Re-randomised influences (n,) of a truth table (2^n,) of 0 and 1, and the chances of a 0 and a 1. p (n,).");
    module.def("tree_influences", &influences_of_tree, nb::arg("left"), nb::arg("right"), nb::arg("variable"),
               nb::arg("answer"), nb::arg("p"),
               "Rise (n,), fall (n,) and the chances of a 0 and a 1 of a tree over Boolean variables: influences are "
               "rise + fall.");
    module.def(
        "restrict_tree", &restricted_tree, nb::arg("left"), nb::arg("right"), nb::arg("variable"), nb::arg("answer"),
        nb::arg("forced"), nb::arg("known"), nb::arg("value"),
        "The tree where the variable `known` is `value` (-1: none), without what that decides. forced: empty, or "
        "0, or 1 (left), 2 (right) a node. Four arrays, as given, in pre-order.");
    module.def(
        "redraws", &redraws, nb::arg("points"), nb::arg("fresh"),
        "For each cell of points (m, n) that differs from fresh (m, n): the point with that cell changed, its row "
        "and its column; (k, n), (k,), (k,).");
    module.def("changes", &changes, nb::arg("before"), nb::arg("after"), nb::arg("row"), nb::arg("coordinate"),
               nb::arg("n"),
               "Which of n coordinates changed an answer, (m, n) of 0 and 1: before (m,), and after, row, coordinate "
               "(k,) as `redraws` made them.");
    module.def("leaves_reached", &leaves_reached, nb::arg("left"), nb::arg("right"), nb::arg("variable"),
               nb::arg("points"), "The leaf that each of points (m, n) of 0 and 1 reaches, (m,).");
    module.def("marks_by_leaf", &marks_by_leaf, nb::arg("left"), nb::arg("right"), nb::arg("variable"),
               nb::arg("points"), nb::arg("marks"), nb::arg("keeps"), nb::arg("counts"),
               "Adds marks (m, n_marks) of points (m, n) to counts (n_nodes, n_marks) at their leaves. If kept: those "
               "leaves, where their points start, and the marked points packed, leaf by leaf; else empty.");
    module.def("sides_of_marks", &sides_of_marks, nb::arg("packed"), nb::arg("times"), nb::arg("n"), nb::arg("n_marks"),
               nb::arg("variable"),
               "Whether each packed point has the variable, (m,), and the marks of those that lack it and those that "
               "have it, (2, n_marks). times: how many points each stands for; empty: one.");
    module.def("optimal_tree", &smallest_tree, nb::arg("table"), nb::arg("p"), nb::arg("epsilon"),
               "The smallest tree within epsilon of a truth table of at most 12 variables. Four arrays, in pre-order.");
}

}  // namespace bristlecone

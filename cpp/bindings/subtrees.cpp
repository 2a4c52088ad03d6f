#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"
#include "bindings/skeleton.hpp"
#include "subtrees/fold.hpp"
#include "subtrees/weakest_link.hpp"

namespace bristlecone {
namespace {

// Sums over all nodes stay in the range of the kernel's numbers.
bool summable(double risk, std::size_t) { return std::abs(risk) < 1e290; }
bool summable(std::int64_t risk, std::size_t n_nodes) {
    const std::int64_t most = (std::int64_t{1} << 62) / static_cast<std::int64_t>(n_nodes);
    return risk < most && risk > -most;
}

template <class T>
const T* checked_risk(const InArray<T>& risk, std::size_t n_nodes) {
    if (risk.shape(0) != n_nodes) throw nb::value_error("risk must have one entry a node");
    for (std::size_t v = 0; v < n_nodes; ++v)
        if (!summable(risk(v), n_nodes)) refuse_node(v, "its risk " + std::to_string(risk(v)) + " is out of range");
    return risk.data();
}

using Links = std::tuple<nb::object, nb::object, nb::object>;

Links to_python(WeakestLinks&& links) {
    return {to_numpy(std::move(links.alphas)), to_numpy(std::move(links.collapse)), to_numpy(std::move(links.covered))};
}

Links links_of_floats(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                      const InArray<double>& risk) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const double* checked = checked_risk(risk, tree.n_nodes);
    WeakestLinks links;
    {
        // Safe: the kernel touches only plain memory, which the arguments keep alive.
        nb::gil_scoped_release release;
        links = weakest_links(tree, checked);
    }
    return to_python(std::move(links));
}

Links links_of_counts(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                      const InArray<std::int64_t>& risk, double unit) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const std::int64_t* checked = checked_risk(risk, tree.n_nodes);
    if (!(unit > 0 && std::isfinite(unit))) throw nb::value_error("unit must be a positive number");
    WeakestLinks links;
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        links = weakest_links(tree, checked, unit);
    }
    return to_python(std::move(links));
}

using Grid = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Potentials potentials_of(const Grid& leaf, const std::optional<Grid>& inner, std::size_t n_nodes) {
    if (leaf.shape(0) != n_nodes || leaf.shape(1) == 0) throw nb::value_error("leaf must have one row a node");
    Potentials potentials{leaf.shape(1), leaf.data(), nullptr, false};
    if (!inner) return potentials;
    if (inner->shape(0) != n_nodes || (inner->shape(1) != 1 && inner->shape(1) != leaf.shape(1)))
        throw nb::value_error("inner must have one row a node, and one column or as many as leaf");
    potentials.inner = inner->data();
    potentials.inner_by_strength = inner->shape(1) == leaf.shape(1);
    return potentials;
}

// Results go into arrays that Python makes: numpy asks the system for large pages, which halves the time of large
// folds.
template <class T>
using Out = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
T* room_in(const Out<T>& array, std::size_t n_rows, const Potentials& potentials) {
    if (array.shape(0) != n_rows || array.shape(1) != potentials.n_strengths)
        throw nb::value_error("a result has not the shape of leaf");
    return array.data();
}

void fold_cheapest(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, const Grid& leaf,
                   const std::optional<Grid>& inner, const Out<double>& branch, const Out<std::uint8_t>& place) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    double* sums = room_in(branch, tree.n_nodes, potentials);
    std::uint8_t* places = room_in(place, tree.n_nodes, potentials);
    check_apart(branch, left, right, place);
    check_apart(place, left, right);
    // Safe: as above.
    nb::gil_scoped_release release;
    cheapest(tree, potentials, sums, reinterpret_cast<Place*>(places));
}

void fold_weights(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, const Grid& leaf,
                  const std::optional<Grid>& inner, const Out<double>& total, const Out<double>& node,
                  const Out<double>& end) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    double* totals = room_in(total, 1, potentials);
    double* nodes = room_in(node, tree.n_nodes, potentials);
    double* ends = room_in(end, tree.n_nodes, potentials);
    for (const auto* result : {&total, &node, &end}) check_apart(*result, left, right);
    // Safe: as above.
    nb::gil_scoped_release release;
    weigh(tree, potentials, totals, nodes, ends);
}

void fold_log_sums(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, const Grid& leaf,
                   const std::optional<Grid>& inner, const Out<double>& branch) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    double* sums = room_in(branch, tree.n_nodes, potentials);
    check_apart(branch, left, right);
    // Safe: as above.
    nb::gil_scoped_release release;
    log_sums(tree, potentials, sums);
}

}  // namespace

void bind_subtrees(nb::module_& module) {
    const char* const returns = " -> (alphas (n_alphas,), collapse (n_nodes,), covered (n_nodes,)), all float64.";
    module.def("weakest_links", &links_of_floats, nb::arg("children_left"), nb::arg("children_right"), nb::arg("risk"),
               (std::string("The weakest-link path of risks, (n_nodes,).") + returns).c_str());
    module.def(
        "weakest_links_of_counts", &links_of_counts, nb::arg("children_left"), nb::arg("children_right"),
        nb::arg("risk"), nb::arg("unit"),
        (std::string("The same of whole risks, compared exactly; alphas in shares of `unit`.") + returns).c_str());
    module.def("fold_cheapest", &fold_cheapest, nb::arg("children_left"), nb::arg("children_right"), nb::arg("leaf"),
               nb::arg("inner").none(), nb::arg("branch").noconvert(), nb::arg("place").noconvert(),
               "The pruning of least potential. leaf (n_nodes, n_strengths), inner None, (n_nodes, 1) or as leaf; one "
               "child may be absent (-1). Fills branch, the least sum below each node, and place, uint8: 0 outside, 1 "
               "inner, 2 leaf; both as leaf.");
    module.def(
        "fold_weights", &fold_weights, nb::arg("children_left"), nb::arg("children_right"), nb::arg("leaf"),
        nb::arg("inner").none(), nb::arg("total").noconvert(), nb::arg("node").noconvert(), nb::arg("end").noconvert(),
        "Prunings in proportion to e^potential. Fills total (1, n_strengths), node and end (as leaf): logarithms "
        "of the sum over prunings, and of the chance that one has a node, or has it as a leaf.");
    module.def("fold_log_sums", &fold_log_sums, nb::arg("children_left"), nb::arg("children_right"), nb::arg("leaf"),
               nb::arg("inner").none(), nb::arg("branch").noconvert(),
               "Fills branch, as leaf: the logarithm of the sum over the prunings of the branch at each node.");
}

}  // namespace bristlecone

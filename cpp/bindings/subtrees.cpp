#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/children.hpp"
#include "bindings/module.hpp"
#include "subtrees/fold.hpp"
#include "subtrees/weakest_link.hpp"

namespace bristlecone {
namespace {

Skeleton skeleton_of(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, Single single) {
    const std::size_t n = left.shape(0);
    if (n == 0) throw nb::value_error("a tree has at least one node");
    if (right.shape(0) != n) throw nb::value_error("children_left and children_right differ in length");
    if (n >= (std::size_t{1} << 31)) throw nb::value_error("more than 2,147,483,647 nodes");
    check_children(left.data(), right.data(), n, single);
    return {n, left.data(), right.data()};
}

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

template <class T>
std::unique_ptr<T[]> room_for(const std::vector<std::size_t>& shape) {
    std::size_t n = 1;
    for (const std::size_t side : shape) n *= side;
    return std::make_unique_for_overwrite<T[]>(n);
}

std::tuple<nb::object, nb::object> fold_cheapest(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                                                 const Grid& leaf, const std::optional<Grid>& inner) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    const std::vector<std::size_t> strengths = {potentials.n_strengths}, grid = {tree.n_nodes, potentials.n_strengths};
    auto total = room_for<double>(strengths);
    auto place = room_for<std::uint8_t>(grid);
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        cheapest(tree, potentials, total.get(), reinterpret_cast<Place*>(place.get()));
    }
    return {to_numpy(std::move(total), strengths), to_numpy(std::move(place), grid)};
}

std::tuple<nb::object, nb::object, nb::object> fold_weights(const InArray<std::int32_t>& left,
                                                            const InArray<std::int32_t>& right, const Grid& leaf,
                                                            const std::optional<Grid>& inner) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    const std::vector<std::size_t> strengths = {potentials.n_strengths}, grid = {tree.n_nodes, potentials.n_strengths};
    auto total = room_for<double>(strengths), node = room_for<double>(grid), end = room_for<double>(grid);
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        weigh(tree, potentials, total.get(), node.get(), end.get());
    }
    return {to_numpy(std::move(total), strengths), to_numpy(std::move(node), grid), to_numpy(std::move(end), grid)};
}

nb::object fold_log_sums(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, const Grid& leaf,
                         const std::optional<Grid>& inner) {
    const Skeleton tree = skeleton_of(left, right, Single::allowed);
    const Potentials potentials = potentials_of(leaf, inner, tree.n_nodes);
    const std::vector<std::size_t> grid = {tree.n_nodes, potentials.n_strengths};
    auto sums = room_for<double>(grid);
    {
        // Safe: as above.
        nb::gil_scoped_release release;
        log_sums(tree, potentials, sums.get());
    }
    return to_numpy(std::move(sums), grid);
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
               nb::arg("inner").none(),
               "The pruning of least potential. leaf (n_nodes, n_strengths), inner None, (n_nodes, 1) or as leaf; one "
               "child may be absent (-1). -> (total float64 (n_strengths,), place uint8 as leaf: 0 outside, 1 inner, 2 "
               "leaf).");
    module.def("fold_weights", &fold_weights, nb::arg("children_left"), nb::arg("children_right"), nb::arg("leaf"),
               nb::arg("inner").none(),
               "Prunings in proportion to e^potential. -> float64 logarithms of (the sum over prunings (n_strengths,), "
               "the chance that a pruning has a node, that it has it as a leaf, both as leaf).");
    module.def("fold_log_sums", &fold_log_sums, nb::arg("children_left"), nb::arg("children_right"), nb::arg("leaf"),
               nb::arg("inner").none(),
               "The logarithm of the sum over the prunings of the branch at each node, as leaf.");
}

}  // namespace bristlecone

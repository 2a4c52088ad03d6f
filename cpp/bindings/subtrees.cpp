#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/children.hpp"
#include "bindings/module.hpp"
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

}  // namespace

void bind_subtrees(nb::module_& module) {
    const char* const returns = " -> (alphas (n_alphas,), collapse (n_nodes,), covered (n_nodes,)), all float64.";
    module.def("weakest_links", &links_of_floats, nb::arg("children_left"), nb::arg("children_right"), nb::arg("risk"),
               (std::string("The weakest-link path of risks, (n_nodes,).") + returns).c_str());
    module.def(
        "weakest_links_of_counts", &links_of_counts, nb::arg("children_left"), nb::arg("children_right"),
        nb::arg("risk"), nb::arg("unit"),
        (std::string("The same of whole risks, compared exactly; alphas in shares of `unit`.") + returns).c_str());
}

}  // namespace bristlecone

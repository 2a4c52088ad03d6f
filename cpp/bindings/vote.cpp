
#include <cmath>
#include <cstdint>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"
#include "bindings/skeleton.hpp"
#include "subtrees/ballot.hpp"
#include "subtrees/online.hpp"
#include "subtrees/own_label.hpp"

namespace bristlecone {
namespace {

using Grid = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

constexpr std::int32_t most_classes = 1 << 26;            // a table of them is filled at once
constexpr std::size_t most_cells = std::size_t{1} << 28;  // ... one for each strength
constexpr std::int64_t most_units = std::int64_t{1} << 62;

void check_length(std::size_t length, std::size_t expected, const char* name) {
    if (length != expected)
        throw nb::value_error(
            (std::string(name) + " has length " + std::to_string(length) + ", expected " + std::to_string(expected))
                .c_str());
}

template <class T>
T* room(const Out<T>& array, std::size_t size) {
    check_length(array.size(), size, "a result");
    return array.data();
}

const std::int32_t* checked_labels(const InArray<std::int32_t>& label, std::size_t expected, std::int32_t n_classes,
                                   const char* name) {
    check_length(label.shape(0), expected, name);
    for (std::size_t i = 0; i < expected; ++i)
        if (label(i) < 0 || label(i) >= n_classes)
            throw nb::value_error((std::string(name) + " holds " + std::to_string(label(i)) + " of " +
                                   std::to_string(n_classes) + " classes")
                                      .c_str());
    return label.data();
}

Entries checked_entries(const InArray<std::int64_t>& ptr, const InArray<std::int32_t>& label, std::size_t n_nodes,
                        std::int32_t n_classes) {
    check_length(ptr.shape(0), n_nodes + 1, "entry_ptr");
    const auto n_entries = static_cast<std::int64_t>(label.shape(0));
    std::int64_t last = 0;
    for (std::size_t v = 0; v <= n_nodes; ++v) {
        if (ptr(v) < last || ptr(v) > n_entries) throw nb::value_error("entry_ptr is not ascending");
        last = ptr(v);
    }
    if (ptr(0) != 0 || last != n_entries) throw nb::value_error("entry_ptr does not cover the entries");
    return {ptr.data(), checked_labels(label, label.shape(0), n_classes, "entry_class")};
}

Ballot ballot_of(std::size_t n_nodes, std::int32_t n_classes, const InArray<std::int32_t>& label,
                 const InArray<std::uint8_t>& silent, const Grid& node, const Grid& leaf) {
    check_length(silent.shape(0), n_nodes, "silent");
    if (n_classes > most_classes) throw nb::value_error("there are too many classes");
    if (node.shape(0) != n_nodes || leaf.shape(0) != n_nodes || node.shape(1) == 0 || node.shape(1) != leaf.shape(1))
        throw nb::value_error("node and leaf must have one row a node and equally many columns");
    if (n_classes > 0 && node.shape(1) > most_cells / static_cast<std::size_t>(n_classes))
        throw nb::value_error("there are too many classes and strengths");
    return {node.shape(1), n_classes,   checked_labels(label, n_nodes, n_classes, "label"),
            silent.data(), node.data(), leaf.data()};
}

void own_label_units_of(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                        const InArray<std::int64_t>& entry_ptr, const InArray<std::int32_t>& entry_class,
                        const InArray<std::int64_t>& units, const InArray<std::int32_t>& label, std::int32_t n_classes,
                        const Out<std::int64_t>& in_branch, const Out<std::int64_t>& of_label) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const Entries entries = checked_entries(entry_ptr, entry_class, tree.n_nodes, n_classes);
    check_length(units.shape(0), entry_class.shape(0), "units");
    if (n_classes > most_classes) throw nb::value_error("there are too many classes");
    std::int64_t total = 0;
    for (std::size_t i = 0; i < units.shape(0); ++i) {
        if (units(i) < 0 || units(i) > most_units - total) throw nb::value_error("units are negative or too many");
        total += units(i);
    }
    const std::int32_t* labels = checked_labels(label, tree.n_nodes, n_classes, "label");
    std::int64_t* all = room(in_branch, tree.n_nodes);
    std::int64_t* own = room(of_label, tree.n_nodes);
    check_apart(in_branch, left, right, entry_ptr, entry_class, label);
    check_apart(of_label, left, right, entry_ptr, entry_class, label);
    // Safe: the kernel touches only plain memory, which the arguments keep alive.
    nb::gil_scoped_release release;
    own_label_units(tree, entries, units.data(), labels, n_classes, all, own);
}

void vote_labels(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                 const InArray<std::int32_t>& label, std::int32_t n_classes, const InArray<std::uint8_t>& silent,
                 const Grid& node, const Grid& leaf, const Out<std::int32_t>& winner) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const Ballot ballot = ballot_of(tree.n_nodes, n_classes, label, silent, node, leaf);
    std::int32_t* winners = room(winner, tree.n_nodes * ballot.n_strengths);
    check_apart(winner, left, right, label);
    // Safe: as above.
    nb::gil_scoped_release release;
    elect(tree, ballot, winners);
}

void vote_masses(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                 const InArray<std::int32_t>& label, std::int32_t n_classes, const InArray<std::uint8_t>& silent,
                 const Grid& node, const Grid& leaf, const InArray<std::int64_t>& entry_ptr,
                 const InArray<std::int32_t>& entry_class, const Out<double>& mass) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const Ballot ballot = ballot_of(tree.n_nodes, n_classes, label, silent, node, leaf);
    const Entries entries = checked_entries(entry_ptr, entry_class, tree.n_nodes, n_classes);
    double* found = room(mass, entry_class.shape(0) * ballot.n_strengths);
    check_apart(mass, left, right, label, entry_ptr, entry_class);
    // Safe: as above.
    nb::gil_scoped_release release;
    masses(tree, ballot, entries, found);
}

void vote_agreements(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                     const InArray<std::int32_t>& label, std::int32_t n_classes, const InArray<std::uint8_t>& silent,
                     const Grid& node, const Grid& leaf, const Out<double>& agreement) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    const Ballot ballot = ballot_of(tree.n_nodes, n_classes, label, silent, node, leaf);
    double* found = room(agreement, tree.n_nodes * ballot.n_strengths);
    check_apart(agreement, left, right, label);
    // Safe: as above.
    nb::gil_scoped_release release;
    agreements(tree, ballot, found);
}

void weigh_rows_online(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right,
                       const InArray<std::int32_t>& stop, const InArray<std::uint8_t>& y, const InArray<double>& value,
                       double beta, const Out<double>& leaf, const Out<double>& inner, const Out<double>& predicted) {
    const Skeleton tree = skeleton_of(left, right, Single::refused);
    check_length(value.shape(0), tree.n_nodes, "value");
    for (std::size_t v = 0; v < tree.n_nodes; ++v)
        if (!(value(v) >= 0 && value(v) <= 1)) refuse_node(v, "its value is not in [0, 1]");
    if (!(beta > 0 && beta < 1)) throw nb::value_error("beta must be between 0 and 1");
    check_length(y.shape(0), stop.shape(0), "y");
    for (std::size_t i = 0; i < stop.shape(0); ++i)
        if (stop(i) < 0 || static_cast<std::size_t>(stop(i)) >= tree.n_nodes || y(i) > 1)
            throw nb::value_error(("row " + std::to_string(i) + " has no such stop or class").c_str());
    double* leaves = room(leaf, tree.n_nodes);
    double* inners = room(inner, tree.n_nodes);
    for (std::size_t v = 0; v < tree.n_nodes; ++v)
        if (!std::isfinite(leaves[v]) || !std::isfinite(inners[v])) refuse_node(v, "its potential is not finite");
    double* found = room(predicted, stop.shape(0));
    for (const auto* result : {&leaf, &inner, &predicted}) check_apart(*result, left, right, stop);
    // Safe: as above.
    nb::gil_scoped_release release;
    weigh_online(tree, {stop.shape(0), stop.data(), y.data()}, value.data(), beta, leaves, inners, found);
}

}  // namespace

void bind_vote(nb::module_& module) {
    module.def("own_label_units", &own_label_units_of, nb::arg("children_left"), nb::arg("children_right"),
               nb::arg("entry_ptr"), nb::arg("entry_class"), nb::arg("units"), nb::arg("label"), nb::arg("n_classes"),
               nb::arg("in_branch").noconvert(), nb::arg("of_label").noconvert(),
               "Fills in_branch and of_label, (n_nodes,) int64: units of the branch at each node, and of its label.");
    module.def("vote_labels", &vote_labels, nb::arg("children_left"), nb::arg("children_right"), nb::arg("label"),
               nb::arg("n_classes"), nb::arg("silent"), nb::arg("node"), nb::arg("leaf"), nb::arg("winner").noconvert(),
               "Fills winner, as node: the class of most votes for a row that stops at each node. node, leaf: as "
               "fold_weights fills them.");
    module.def("vote_masses", &vote_masses, nb::arg("children_left"), nb::arg("children_right"), nb::arg("label"),
               nb::arg("n_classes"), nb::arg("silent"), nb::arg("node"), nb::arg("leaf"), nb::arg("entry_ptr"),
               nb::arg("entry_class"), nb::arg("mass").noconvert(),
               "Fills mass, (n_entries, n_strengths): of each entry's class for a row that stops at its node.");
    module.def("vote_agreements", &vote_agreements, nb::arg("children_left"), nb::arg("children_right"),
               nb::arg("label"), nb::arg("n_classes"), nb::arg("silent"), nb::arg("node"), nb::arg("leaf"),
               nb::arg("agreement").noconvert(),
               "Fills agreement, as node: the chance that two prunings answer alike to a row that stops at each node.");
    module.def(
        "weigh_online", &weigh_rows_online, nb::arg("children_left"), nb::arg("children_right"), nb::arg("stop"),
        nb::arg("y"), nb::arg("value"), nb::arg("beta"), nb::arg("leaf").noconvert(), nb::arg("inner").noconvert(),
        nb::arg("predicted").noconvert(),
        "Predicts and weighs rows one by one. Changes leaf and inner, (n_nodes,), and fills predicted, (n_rows,).");
}

}  // namespace bristlecone

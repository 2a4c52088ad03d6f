// What the growers share at the border: the rows are checked, growth runs without Python, its arrays are handed over.
#pragma once

#include <string>
#include <utility>

#include "bindings/arrays.hpp"
#include "grow/nodes.hpp"
#include "search/problem.hpp"

namespace bristlecone {

// ValueError unless it holds.
void require(bool holds, const std::string& what);

template <class T>
const T* column_of_rows(const InArray<T>& array, std::size_t n_rows, const char* name) {
    require(array.shape(0) == n_rows, std::string(name) + " has length " + std::to_string(array.shape(0)) +
                                          ", expected " + std::to_string(n_rows));
    return array.data();
}

// Weights, labels, targets and level codes, each in its range; at least one column and one row with weight.
void check_rows(const Problem& problem);

// The arrays of a tree by name, as bytes, and its runners-up. numeric: the nodes answer numbers.
nb::dict to_python(Grown&& grown, bool numeric);

// work(interrupt) without the GIL; signals stop it. The signal's own error, KeyboardInterrupt for Ctrl-C, is what
// Python sees.
template <class Work>
auto released(const Work& work) {
    // Safe: the work touches only plain memory, which the arguments keep alive.
    nb::gil_scoped_release release;
    Interrupt interrupt([] {
        const nb::gil_scoped_acquire acquire;
        return PyErr_CheckSignals() != 0;
    });
    try {
        return work(&interrupt);
    } catch (const Interrupted&) {
        const nb::gil_scoped_acquire acquire;
        throw nb::python_error();
    }
}

template <class Grow>
Grown grow_released(Problem& problem, const Grow& grow) {
    return released([&](Interrupt* interrupt) {
        problem.interrupt = interrupt;
        return grow();
    });
}

}  // namespace bristlecone

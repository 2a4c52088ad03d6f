// Arrays that cross the border between Python and the kernels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "table/codes.hpp"
#include "table/columns.hpp"

namespace bristlecone {

namespace nb = nanobind;

template <class T>
using InArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A kernel's vector as a numpy array, without a copy: the array keeps the vector alive.
template <class T>
nb::object to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape = {}) {
    if (shape.empty()) shape = {values.size()};
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape.size(), shape.data(), owner));
}

// The same of memory that the kernel has filled without clearing it first.
template <class T>
nb::object to_numpy(std::unique_ptr<T[]> values, std::vector<std::size_t> shape) {
    nb::capsule owner(values.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(values.release(), shape.size(), shape.data(), owner));
}

// ValueError if a result shares memory with an array that the kernel has checked and still reads.
template <class Result, class... Given>
void check_apart(const Result& result, const Given&... given) {
    const auto* begin = reinterpret_cast<const char*>(result.data());
    const auto* end = begin + result.nbytes();
    const auto overlaps = [&](const auto& array) {
        const auto* first = reinterpret_cast<const char*>(array.data());
        return std::less<>{}(first, end) && std::less<>{}(begin, first + array.nbytes());
    };
    if ((overlaps(given) || ...)) throw nb::value_error("a result shares memory with an array that is given");
}

// Columns plus the Python arrays that own their memory.
struct HeldColumns {
    // A constructor, so that one that throws lets the arrays go.
    HeldColumns(nb::sequence arrays, const std::vector<std::int32_t>& n_levels, std::size_t n_rows);

    Columns columns;
    CodesCache codes;
    std::vector<nb::object> owners;
};

}  // namespace bristlecone

#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"
#include "table/infinite.hpp"
#include "table/labels.hpp"

namespace bristlecone {
namespace {

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

std::string name_of(std::size_t j) { return "column " + std::to_string(j); }

void check_codes(const Column& column, std::size_t n_rows, std::size_t j) {
    for (std::size_t row = 0; row < n_rows; ++row) {
        const std::int32_t code = column.code(row);
        if (code < unseen_level || code >= column.n_levels)
            throw nb::value_error((name_of(j) + ", row " + std::to_string(row) + ": level code " +
                                   std::to_string(code) + " is not below " + std::to_string(column.n_levels))
                                      .c_str());
    }
}

Column column_of(const AnyColumn& array, std::int32_t n_levels, std::size_t j) {
    Column column;
    column.data = static_cast<const char*>(array.data());
    column.stride = static_cast<std::ptrdiff_t>(array.stride(0)) * static_cast<std::ptrdiff_t>(array.itemsize());
    column.n_levels = n_levels;
    if (array.dtype() == nb::dtype<std::int32_t>()) {
        column.type = CellType::code;
        check_codes(column, array.shape(0), j);
    } else if (array.dtype() == nb::dtype<double>()) {
        column.type = CellType::float64;
    } else if (array.dtype() == nb::dtype<float>()) {
        column.type = CellType::float32;
    } else {
        throw nb::type_error((name_of(j) + ": expected float64, float32 or int32 codes").c_str());
    }
    return column;
}

using AnyBlock = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

template <class T>
Block<T> block_of(const AnyBlock& array) {
    const auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
    return {static_cast<const char*>(array.data()), array.shape(0), array.shape(1),
            static_cast<std::ptrdiff_t>(array.stride(0)) * bytes, static_cast<std::ptrdiff_t>(array.stride(1)) * bytes};
}

bool infinite_in(const AnyBlock& array) {
    // Safe: the kernel touches only plain memory, which the argument keeps alive.
    if (array.dtype() == nb::dtype<double>()) {
        nb::gil_scoped_release release;
        return any_infinite(block_of<double>(array));
    }
    if (array.dtype() == nb::dtype<float>()) {
        nb::gil_scoped_release release;
        return any_infinite(block_of<float>(array));
    }
    throw nb::type_error("expected float64 or float32");
}

nb::object coded(const InArray<std::int64_t>& labels, std::uint64_t range) {
    const std::size_t n = labels.shape(0);
    const auto size = static_cast<Py_ssize_t>(n * sizeof(std::int32_t));
    const auto codes = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, size));
    if (!codes.is_valid()) throw nb::python_error();
    // Python lets its maker write into new bytes
    auto* written = reinterpret_cast<std::int32_t*>(PyBytes_AsString(codes.ptr()));
    const auto classes = code_labels(labels.data(), n, range, written);
    if (!classes) return nb::none();
    return nb::make_tuple(nb::bytes(classes->data(), classes->size() * sizeof(std::int64_t)), codes);
}

}  // namespace

HeldColumns::HeldColumns(nb::sequence arrays, const std::vector<std::int32_t>& n_levels, std::size_t n_rows) {
    columns.n_rows = n_rows;
    if (nb::len(arrays) != n_levels.size()) throw nb::value_error("columns and n_levels differ in length");
    for (std::size_t j = 0; j < n_levels.size(); ++j) {
        nb::object owner = arrays[j];
        const auto array = nb::cast<AnyColumn>(owner);
        if (array.shape(0) != n_rows)
            throw nb::value_error(
                (name_of(j) + " has " + std::to_string(array.shape(0)) + " rows, expected " + std::to_string(n_rows))
                    .c_str());
        columns.columns.push_back(column_of(array, n_levels[j], j));
        owners.push_back(std::move(owner));
    }
}

void bind_table(nb::module_& module) {
    nb::class_<HeldColumns>(module, "Columns",
                            "Typed columns as the core reads them: float64 or float32 (NaN is missing) or int32 level "
                            "codes (-1 missing, -2 unseen), any stride. The arrays are kept alive, not copied.")
        .def(nb::init<nb::sequence, const std::vector<std::int32_t>&, std::size_t>(), nb::arg("arrays"),
             nb::arg("n_levels"), nb::arg("n_rows"))
        .def_prop_ro("n_rows", [](const HeldColumns& self) { return self.columns.n_rows; })
        .def("__len__", [](const HeldColumns& self) { return self.columns.size(); });
    module.def("any_infinite", &infinite_in, nb::arg("block").noconvert(),
               "Whether a float64 or float32 block (n_rows, n_columns) of any strides holds an infinite number.");
    module.def(
        "code_labels", &coded, nb::arg("labels"), nb::arg("range"),
        "-> (distinct int64 labels, ascending; int32 code of each of the labels), both as bytes, or None when the "
        "labels span `range` values or more.");
}

}  // namespace bristlecone

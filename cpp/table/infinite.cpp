#include "table/infinite.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace bristlecone {
namespace {

constexpr std::size_t run_length = 4096;

template <class T>
bool any_in_run(const T* values, std::size_t n) {
    // no early end inside a run, so that the compiler takes several values at once
    unsigned found = 0;
    for (std::size_t i = 0; i < n; ++i) found |= std::fabs(values[i]) == std::numeric_limits<T>::infinity();
    return found != 0;
}

template <class T>
bool any_in_line(const char* data, std::size_t n, std::ptrdiff_t stride) {
    if (stride != static_cast<std::ptrdiff_t>(sizeof(T))) {
        unsigned found = 0;
        for (std::size_t i = 0; i < n; ++i)
            found |= std::isinf(*reinterpret_cast<const T*>(data + static_cast<std::ptrdiff_t>(i) * stride));
        return found != 0;
    }
    const T* values = reinterpret_cast<const T*>(data);
    for (std::size_t start = 0; start < n; start += run_length)
        if (any_in_run(values + start, n - start < run_length ? n - start : run_length)) return true;
    return false;
}

}  // namespace

template <class T>
bool any_infinite(Block<T> block) {
    if (std::abs(block.row_stride) < std::abs(block.column_stride)) {  // the order of the memory
        std::swap(block.n_rows, block.n_columns);
        std::swap(block.row_stride, block.column_stride);
    }
    const auto line = static_cast<std::ptrdiff_t>(block.n_columns * sizeof(T));
    if (block.column_stride == static_cast<std::ptrdiff_t>(sizeof(T)) && block.row_stride == line) {
        block.n_columns *= block.n_rows;
        block.n_rows = 1;
    }
    for (std::size_t row = 0; row < block.n_rows; ++row)
        if (any_in_line<T>(block.data + static_cast<std::ptrdiff_t>(row) * block.row_stride, block.n_columns,
                           block.column_stride))
            return true;
    return false;
}

template bool any_infinite(Block<float>);
template bool any_infinite(Block<double>);

}  // namespace bristlecone

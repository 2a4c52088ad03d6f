// Whether a block of numbers holds an infinite one, in one pass over its memory.
#pragma once

#include <cstddef>

namespace bristlecone {

// A two-dimensional array of T; strides in bytes.
template <class T>
struct Block {
    const char* data;
    std::size_t n_rows, n_columns;
    std::ptrdiff_t row_stride, column_stride;
};

template <class T>
bool any_infinite(Block<T> block);

}  // namespace bristlecone

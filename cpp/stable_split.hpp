// Parting a run in two, both parts in their former order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bristlecone {

// Branch-free: each entry is written to both sides and only one of them moves on. Returns how many went left.
// prefetch(entry) asks for what goes_left(entry) will read a little later.
template <class T, class GoesLeft, class Prefetch>
std::size_t stable_split(T* first, T* last, GoesLeft goes_left, Prefetch prefetch) {
    constexpr std::ptrdiff_t ahead = 16;
    thread_local std::vector<T> spare;
    if (spare.size() < static_cast<std::size_t>(last - first)) spare.resize(static_cast<std::size_t>(last - first));
    T* left = first;
    T* right = spare.data();
    for (T* at = first; at != last; ++at) {
        if (last - at > ahead) prefetch(at[ahead]);
        const T value = *at;
        const bool is_left = goes_left(value);
        *left = value;
        *right = value;
        left += is_left;
        right += !is_left;
    }
    std::copy(spare.data(), right, left);
    return static_cast<std::size_t>(left - first);
}

template <class T, class GoesLeft>
std::size_t stable_split(T* first, T* last, GoesLeft goes_left) {
    return stable_split(first, last, goes_left, [](T) {});
}

}  // namespace bristlecone

// Parting a run in two, both parts in their former order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "threads.hpp"

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

// The same by several threads: every share of the run is split on its own, and the parts are brought together.
template <class T, class GoesLeft, class Prefetch>
std::size_t stable_split(T* first, T* last, GoesLeft goes_left, Prefetch prefetch, int n_threads) {
    const auto n = static_cast<std::size_t>(last - first);
    const std::size_t n_shares = shares_of(n, n_threads);
    if (n_shares == 1) return stable_split(first, last, goes_left, prefetch);
    std::vector<std::size_t> n_left(n_shares);
    const auto start = [&](std::size_t share) { return n * share / n_shares; };
    run_tasks(n_threads, n_shares, [&](std::size_t share) {
        n_left[share] = stable_split(first + start(share), first + start(share + 1), goes_left, prefetch);
    });
    std::vector<T> right;
    T* left = first;
    for (std::size_t share = 0; share < n_shares; ++share) {
        T* middle = first + start(share) + n_left[share];
        right.insert(right.end(), middle, first + start(share + 1));
        left = std::copy(first + start(share), middle, left);
    }
    std::copy(right.begin(), right.end(), left);
    return static_cast<std::size_t>(left - first);
}

template <class T, class GoesLeft>
std::size_t stable_split(T* first, T* last, GoesLeft goes_left) {
    return stable_split(first, last, goes_left, [](T) {});
}

}  // namespace bristlecone

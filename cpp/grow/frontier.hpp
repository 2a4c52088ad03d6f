// The frontier: open nodes, in the order in which they will be split.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "grow/region.hpp"

namespace bristlecone {

// Depth first: the last node in comes out first. Best first: the largest fall of the summed impurity, and the earlier
// node when two are equal but for rounding.
class Frontier {
public:
    explicit Frontier(bool best_first) : best_first_(best_first) {}

    bool empty() const { return open_.empty(); }

    void push(Open open) {
        open_.push_back({rounded(open.decrease), std::move(open)});
        if (best_first_) std::push_heap(open_.begin(), open_.end(), later);
    }

    Open pop() {
        if (best_first_) std::pop_heap(open_.begin(), open_.end(), later);
        Open open = std::move(open_.back().second);
        open_.pop_back();
        return open;
    }

private:
    using Item = std::pair<double, Open>;

    // To about 12 digits.
    static double rounded(double decrease) {
        int e = 0;
        const double mantissa = std::frexp(decrease, &e);
        return std::ldexp(std::round(std::ldexp(mantissa, 40)), e - 40);
    }
    static bool later(const Item& a, const Item& b) {
        return a.first != b.first ? a.first < b.first : a.second.node > b.second.node;
    }

    bool best_first_;
    std::vector<Item> open_;
};

}  // namespace bristlecone

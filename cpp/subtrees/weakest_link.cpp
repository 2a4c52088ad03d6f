#include "subtrees/weakest_link.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bristlecone {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The arithmetic of counts: nothing is rounded until an alpha is shown.
class Counts {
public:
    using Drop = std::int64_t;

    Counts(const std::int64_t* risk, double unit) : risk_(risk), unit_(unit) {}

    struct Link {
        Drop drop;
        std::int64_t steps;
    };
    Link gain(std::size_t v, std::size_t l, std::size_t r) const { return {risk_[v] - risk_[l] - risk_[r], 1}; }
    Link joined(const Link& a, const Link& b) const { return {a.drop + b.drop, a.steps + b.steps}; }
    bool below(const Link& a, const Link& b) const { return product(a.drop, b.steps) < product(b.drop, a.steps); }
    bool reaches(const Link& a, const Link& b) const { return !below(a, b); }
    bool nothing(const Link& a) const { return a.drop <= 0; }
    // Links a < b that differ may share a float.
    bool same(const Link& a, const Link& b) const { return !below(a, b) || alpha(a) >= alpha(b); }
    double alpha(const Link& a) const { return static_cast<double>(a.drop) / (static_cast<double>(a.steps) * unit_); }

private:
    __extension__ using Wide = __int128;
    static Wide product(std::int64_t a, std::int64_t b) { return static_cast<Wide>(a) * b; }

    const std::int64_t* risk_;
    double unit_;
};

// A sum in twice the digits: what was added last is not lost beside what is large.
struct Long {
    double high = 0.0, low = 0.0;

    Long plus(double x) const {
        const double sum = high + x, shown = sum - high;
        return {sum, low + ((high - (sum - shown)) + (x - shown))};
    }
    Long plus(const Long& x) const { return plus(x.high).plus(x.low); }
    double value() const { return high + low; }
};

// The arithmetic of floats: a drop is a sum of gains, which are known to a rounding of their node's own risk. The slack
// is that rounding, a step.
class Rounded {
public:
    explicit Rounded(const double* risk) : risk_(risk) {}

    struct Link {
        Long drop;
        std::int64_t steps;
        double alpha, risk;

        double slack() const { return 4e-15 * risk / static_cast<double>(steps); }
    };
    Link gain(std::size_t v, std::size_t l, std::size_t r) const {
        return made(Long{risk_[v], 0.0}.plus(-risk_[l]).plus(-risk_[r]), 1, std::abs(risk_[v]));
    }
    Link joined(const Link& a, const Link& b) const { return made(a.drop.plus(b.drop), a.steps + b.steps, a.risk); }
    bool below(const Link& a, const Link& b) const { return a.alpha < b.alpha; }
    bool reaches(const Link& a, const Link& b) const {
        return a.alpha >= b.alpha - 1e-12 * std::abs(b.alpha) - (a.slack() + b.slack());
    }
    bool nothing(const Link& a) const { return a.alpha <= a.slack(); }
    bool same(const Link& a, const Link& b) const { return reaches(a, b); }
    double alpha(const Link& a) const { return a.alpha; }

private:
    static Link made(const Long& drop, std::int64_t steps, double risk) {
        return {drop, steps, drop.value() / static_cast<double>(steps), risk};
    }

    const double* risk_;
};

// For every node a heap of the links below it that are not hidden, the largest on top: a pairing heap, joined in
// constant time. Heaps are named by the node on top, -1 when empty.
template <class Arithmetic>
class Heaps {
public:
    Heaps(const Arithmetic& arithmetic, const std::vector<typename Arithmetic::Link>& links)
        : arithmetic_(arithmetic), links_(links), first_(links.size(), -1), next_(links.size(), -1) {}

    std::int32_t joined(std::int32_t a, std::int32_t b) {
        if (a < 0) return b;
        if (b < 0) return a;
        if (arithmetic_.below(links_[a], links_[b])) std::swap(a, b);
        next_[b] = first_[a];
        first_[a] = b;
        return a;
    }

    std::int32_t without_top(std::int32_t top) {
        std::int32_t rest = std::exchange(first_[top], -1), pairs = -1;
        while (rest >= 0) {
            const std::int32_t a = rest, b = next_[a];
            rest = b < 0 ? -1 : std::exchange(next_[b], -1);
            next_[a] = -1;
            const std::int32_t pair = joined(a, b);
            next_[pair] = pairs;
            pairs = pair;
        }
        std::int32_t all = -1;
        while (pairs >= 0) {
            const std::int32_t pair = pairs;
            pairs = std::exchange(next_[pair], -1);
            all = joined(all, pair);
        }
        return all;
    }

private:
    const Arithmetic& arithmetic_;
    const std::vector<typename Arithmetic::Link>& links_;
    std::vector<std::int32_t> first_, next_;  // of the links below one: the first, and the next beside it
};

template <class Arithmetic>
class Path {
public:
    Path(const Skeleton& tree, Arithmetic arithmetic)
        : tree_(tree), arithmetic_(arithmetic), links_(tree.n_nodes), hidden_(tree.n_nodes, 0) {}

    WeakestLinks find() {
        link_all();
        merge_ties();
        cover();
        return std::move(found_);
    }

private:
    void link_all() {
        Heaps<Arithmetic> heaps(arithmetic_, links_);
        std::vector<std::int32_t> heap(tree_.n_nodes, -1);
        for (std::size_t v = tree_.n_nodes; v-- > 0;) {
            if (tree_.leaf(v)) continue;
            const std::int32_t l = tree_.left[v], r = tree_.right[v];
            std::int32_t below = heaps.joined(heap[l], heap[r]);
            // As if all below had collapsed; what has not at this alpha is put back, the largest first.
            auto link = arithmetic_.gain(v, l, r);
            while (below >= 0 && arithmetic_.reaches(links_[below], link)) {
                link = arithmetic_.joined(link, links_[below]);
                hidden_[below] = 1;
                below = heaps.without_top(below);
            }
            links_[v] = link;
            heap[v] = heaps.joined(below, static_cast<std::int32_t>(v));
        }
    }

    void merge_ties() {
        std::vector<std::int32_t> shown;
        for (std::size_t v = 0; v < tree_.n_nodes; ++v)
            if (!tree_.leaf(v) && !hidden_[v]) shown.push_back(static_cast<std::int32_t>(v));
        std::sort(shown.begin(), shown.end(), [&](std::int32_t a, std::int32_t b) {
            if (arithmetic_.below(links_[a], links_[b])) return true;
            return !arithmetic_.below(links_[b], links_[a]) && a < b;
        });
        found_.alphas.push_back(0.0);
        found_.collapse.assign(tree_.n_nodes, -infinity);
        std::int32_t first = -1;  // the least link of the current alpha, above 0
        for (const std::int32_t v : shown) {
            const bool tie = first < 0 ? arithmetic_.nothing(links_[v]) : arithmetic_.same(links_[first], links_[v]);
            if (!tie) {
                first = v;
                found_.alphas.push_back(arithmetic_.alpha(links_[v]));
            }
            found_.collapse[v] = found_.alphas.back();
        }
    }

    void cover() {
        found_.covered.assign(tree_.n_nodes, infinity);
        for (std::size_t v = 0; v < tree_.n_nodes; ++v) {
            if (tree_.leaf(v)) continue;
            const double above = found_.covered[v];
            if (hidden_[v]) found_.collapse[v] = std::max(arithmetic_.alpha(links_[v]), above);
            const double least = std::min(above, found_.collapse[v]);
            found_.covered[tree_.left[v]] = found_.covered[tree_.right[v]] = least;
        }
    }

    const Skeleton& tree_;
    Arithmetic arithmetic_;
    std::vector<typename Arithmetic::Link> links_;
    std::vector<std::uint8_t> hidden_;
    WeakestLinks found_;
};

}  // namespace

WeakestLinks weakest_links(const Skeleton& tree, const double* risk) {
    return Path<Rounded>(tree, Rounded(risk)).find();
}

WeakestLinks weakest_links(const Skeleton& tree, const std::int64_t* risk, double unit) {
    return Path<Counts>(tree, Counts(risk, unit)).find();
}

}  // namespace bristlecone

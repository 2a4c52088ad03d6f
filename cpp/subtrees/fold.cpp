#include "subtrees/fold.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "subtrees/logaddexp.hpp"

namespace bristlecone {
namespace {

// N strengths of one node: a number of them that the compiler knows, so that it makes vectors of the loops.
template <std::size_t N>
struct Lanes {
    double at[N];

    double& operator[](std::size_t j) { return at[j]; }
    double operator[](std::size_t j) const { return at[j]; }
    static Lanes of(const double* from) {
        Lanes lanes;
        for (std::size_t j = 0; j < N; ++j) lanes[j] = from[j];
        return lanes;
    }
    static Lanes all(double x) {
        Lanes lanes;
        for (std::size_t j = 0; j < N; ++j) lanes[j] = x;
        return lanes;
    }
    void add(const double* more) {
        for (std::size_t j = 0; j < N; ++j) at[j] += more[j];
    }
    void to(double* where) const {
        for (std::size_t j = 0; j < N; ++j) where[j] = at[j];
    }
};

// Calls step with blocks of strengths [j, j + N) that cover them all.
template <class Step>
void in_lanes(std::size_t n_strengths, Step&& step) {
    std::size_t j = 0;
    for (; j + 8 <= n_strengths; j += 8) step.template operator()<8>(j);
    if (j + 4 <= n_strengths) {
        step.template operator()<4>(j);
        j += 4;
    }
    if (j + 2 <= n_strengths) {
        step.template operator()<2>(j);
        j += 2;
    }
    if (j < n_strengths) step.template operator()<1>(j);
}

// A tree and its potentials, with its inner nodes by name: to ask every node whether it is a leaf is a guess that the
// processor gets wrong half of the time.
class Folded {
public:
    Folded(const Skeleton& tree, const Potentials& potentials) : tree_(tree), p_(potentials), inner_(tree.n_nodes + 1) {
        std::size_t n = 0;
        for (std::size_t v = 0; v < tree.n_nodes; ++v) {
            inner_[n] = static_cast<std::int32_t>(v);
            n += !tree.leaf(v);
        }
        inner_.resize(n);
    }

    // Every inner node's value from those of its children; a leaf's value is its potential, which is not copied.
    template <class Semiring>
    void up(const Semiring& semiring, double* value) const {
        for (std::size_t i = inner_.size(); i-- > 0;) {
            const auto v = static_cast<std::size_t>(inner_[i]);
            in_lanes(p_.n_strengths, [&]<std::size_t N>(std::size_t j) {
                const std::size_t at = v * p_.n_strengths + j;
                semiring.join(Lanes<N>::of(p_.leaf + at), going_on<N>(value, v, j), at).to(value + at);
            });
        }
    }

    // Calls visit with every inner node, parents first, in lanes: its place in a row, its own potential, what it has if
    // it goes on, and a function that calls another with each child's place.
    template <class Visit>
    void down(const double* value, Visit&& visit) const {
        for (const std::int32_t inner : inner_) {
            const auto v = static_cast<std::size_t>(inner);
            in_lanes(p_.n_strengths, [&]<std::size_t N>(std::size_t j) {
                const std::size_t at = v * p_.n_strengths + j;
                const auto pass = [&](auto&& to_child) {
                    for (const std::int32_t child : {tree_.left[v], tree_.right[v]})
                        if (child >= 0) to_child(child * p_.n_strengths + j);
                };
                visit.template operator()<N>(at, Lanes<N>::of(p_.leaf + at), going_on<N>(value, v, j), pass);
            });
        }
    }

    // What a leaf ends with: its value, if the values are asked for.
    void fill_leaves(double* value) const {
        for (std::size_t v = 0; v < tree_.n_nodes; ++v)
            if (tree_.leaf(v)) std::copy_n(p_.leaf + v * p_.n_strengths, p_.n_strengths, value + v * p_.n_strengths);
    }

    void total(const double* value, double* to) const {
        std::copy_n(tree_.leaf(0) ? p_.leaf : value, p_.n_strengths, to);
    }

private:
    template <std::size_t N>
    Lanes<N> going_on(const double* value, std::size_t v, std::size_t j) const {
        auto sum = Lanes<N>::all(0.0);
        if (p_.inner != nullptr)
            sum = p_.inner_by_strength ? Lanes<N>::of(p_.inner + v * p_.n_strengths + j) : Lanes<N>::all(p_.inner[v]);
        const double* const of_child[] = {value, p_.leaf};
        for (const std::int32_t child : {tree_.left[v], tree_.right[v]})
            if (child >= 0) sum.add(of_child[tree_.leaf(child)] + child * p_.n_strengths + j);
        return sum;
    }

    const Skeleton& tree_;
    const Potentials& p_;
    std::vector<std::int32_t> inner_;
};

struct Least {
    Place* place;

    template <std::size_t N>
    Lanes<N> join(const Lanes<N>& leaf, const Lanes<N>& inner, std::size_t at) const {
        Lanes<N> least;
        for (std::size_t j = 0; j < N; ++j) {
            const bool stop = leaf[j] <= inner[j] + 1e-12 * std::abs(leaf[j]);
            place[at + j] = stop ? Place::leaf : Place::inner;
            least[j] = stop ? leaf[j] : inner[j];
        }
        return least;
    }
};

// part: how far the sum is above the larger of its two terms. It is kept beside the sum, because next to large
// potentials their difference would have no digits.
struct LogSum {
    double* part;

    template <std::size_t N>
    Lanes<N> join(const Lanes<N>& leaf, const Lanes<N>& inner, std::size_t at) const {
        Lanes<N> sum, above;
        for (std::size_t j = 0; j < N; ++j) sum[j] = leaf[j] < inner[j] ? inner[j] : leaf[j];
        for (std::size_t j = 0; j < N; ++j) above[j] = std::max(logs::lowest, -std::abs(leaf[j] - inner[j]));
        for (std::size_t j = 0; j < N; ++j) above[j] = logs::exp_of_negative(above[j]);
        for (std::size_t j = 0; j < N; ++j) above[j] = logs::log1p_of_unit(above[j]);
        for (std::size_t j = 0; j < N; ++j) sum[j] += above[j];
        if (part != nullptr) above.to(part + at);
        return sum;
    }
};

}  // namespace

void cheapest(const Skeleton& tree, const Potentials& potentials, double* branch, Place* place) {
    const Folded folded(tree, potentials);
    std::fill_n(place, tree.n_nodes * potentials.n_strengths, Place::leaf);
    folded.up(Least{place}, branch);
    folded.fill_leaves(branch);
    folded.down(branch, [&]<std::size_t N>(std::size_t at, const auto&, const auto&, auto&& pass) {
        pass([&](std::size_t child) {
            for (std::size_t j = 0; j < N; ++j)
                if (place[at + j] != Place::inner) place[child + j] = Place::outside;
        });
    });
}

// In the two arrays of the answer: node holds the sums below until a node's parent has used them, leaf holds the parts
// until the node itself has.
void weigh(const Skeleton& tree, const Potentials& potentials, double* total, double* node, double* leaf) {
    const Folded folded(tree, potentials);
    folded.up(LogSum{leaf}, node);
    folded.total(node, total);
    std::fill_n(node, potentials.n_strengths, 0.0);
    folded.down(node, [&]<std::size_t N>(std::size_t at, const auto& own, const auto& inner, auto&& pass) {
        const auto reach = Lanes<N>::of(node + at), part = Lanes<N>::of(leaf + at);
        Lanes<N> stop, go;
        for (std::size_t j = 0; j < N; ++j) {
            const double apart = own[j] - inner[j];
            stop[j] = reach[j] + ((apart < 0 ? apart : 0.0) - part[j]);
            go[j] = reach[j] + ((apart < 0 ? 0.0 : -apart) - part[j]);
        }
        stop.to(leaf + at);
        pass([&](std::size_t child) { go.to(node + child); });
    });
    // A leaf of the tree is one of every pruning that has it. A single strength is copied where it need not be: that is
    // cheaper than to guess which nodes are leaves.
    const std::size_t n = potentials.n_strengths;
    const double* const chance[] = {leaf, node};
    for (std::size_t v = 0; v < tree.n_nodes; ++v)
        if (n == 1 || tree.leaf(v))
            in_lanes(n, [&]<std::size_t N>(std::size_t j) {
                Lanes<N>::of(chance[tree.leaf(v)] + v * n + j).to(leaf + v * n + j);
            });
}

void log_sums(const Skeleton& tree, const Potentials& potentials, double* branch) {
    const Folded folded(tree, potentials);
    folded.up(LogSum{nullptr}, branch);
    folded.fill_leaves(branch);
}

}  // namespace bristlecone

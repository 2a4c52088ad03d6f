#include "subtrees/ballot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "subtrees/logaddexp.hpp"
#include "subtrees/walk.hpp"

namespace bristlecone {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr double tied = 1e-12;

struct Lead {
    double mass = none;
    std::int32_t label = -1;

    // The lead once a class has this mass; masses only grow.
    Lead after(std::int32_t other, double its_mass) const {
        if (label < 0 || other == label || its_mass > mass + tied) return {its_mass, other};
        if (its_mass >= mass - tied && other < label) return {std::max(mass, its_mass), other};
        return *this;
    }
};

// What all nodes above have voted, and how to take a node's vote back.
class Votes {
public:
    Votes(const Skeleton& tree, const Ballot& ballot)
        : tree_(tree), ballot_(ballot), k_(ballot.n_strengths), mass_(k_ * static_cast<std::size_t>(ballot.n_classes)) {
        std::fill(mass_.begin(), mass_.end(), none);
        lead_.resize(k_);
    }

    double mass(std::int32_t label, std::size_t k) const { return mass_[static_cast<std::size_t>(label) * k_ + k]; }
    const Lead& lead(std::size_t k) const { return lead_[k]; }

    void enter(std::size_t v) {
        if (tree_.leaf(v)) return;
        double* own = &mass_[static_cast<std::size_t>(ballot_.label[v]) * k_];
        before_.insert(before_.end(), own, own + k_);
        leads_.insert(leads_.end(), lead_.begin(), lead_.end());
        if (ballot_.silent[v]) return;
        for (std::size_t k = 0; k < k_; ++k) {
            own[k] = logs::sum(own[k], ballot_.leaf[v * k_ + k]);
            lead_[k] = lead_[k].after(ballot_.label[v], own[k]);
        }
    }

    void leave(std::size_t v) {
        if (tree_.leaf(v)) return;
        std::copy(before_.end() - k_, before_.end(), &mass_[static_cast<std::size_t>(ballot_.label[v]) * k_]);
        std::copy(leads_.end() - k_, leads_.end(), lead_.begin());
        before_.resize(before_.size() - k_);
        leads_.resize(leads_.size() - k_);
    }

private:
    const Skeleton& tree_;
    const Ballot& ballot_;
    std::size_t k_;
    std::vector<double> mass_;  // (n_classes, n_strengths)
    std::vector<Lead> lead_;
    std::vector<double> before_;  // of the open nodes: what their class had without them
    std::vector<Lead> leads_;
};

}  // namespace

void elect(const Skeleton& tree, const Ballot& ballot, std::int32_t* winner) {
    Votes votes(tree, ballot);
    walk(
        tree,
        [&](std::size_t v) {
            for (std::size_t k = 0; k < ballot.n_strengths; ++k) {
                const std::size_t at = v * ballot.n_strengths + k;
                const std::int32_t own = ballot.label[v];
                const Lead& above = votes.lead(k);
                // Where nobody has voted yet, a silent node's own label is all there is.
                const bool votes_here = !ballot.silent[v] || above.label < 0;
                winner[at] =
                    votes_here ? above.after(own, logs::sum(votes.mass(own, k), ballot.node[at])).label : above.label;
            }
            votes.enter(v);
        },
        [&](std::size_t v) { votes.leave(v); });
}

void masses(const Skeleton& tree, const Ballot& ballot, const Entries& entries, double* mass) {
    Votes votes(tree, ballot);
    walk(
        tree,
        [&](std::size_t v) {
            for (std::int64_t i = entries.ptr[v]; i < entries.ptr[v + 1]; ++i) {
                for (std::size_t k = 0; k < ballot.n_strengths; ++k) {
                    const std::int32_t label = entries.label[i];
                    const bool own = label == ballot.label[v] && !ballot.silent[v];
                    const double above = votes.mass(label, k), here = ballot.node[v * ballot.n_strengths + k];
                    mass[static_cast<std::size_t>(i) * ballot.n_strengths + k] =
                        std::exp(own ? logs::sum(above, here) : above);
                }
            }
            votes.enter(v);
        },
        [&](std::size_t v) { votes.leave(v); });
}

void agreements(const Skeleton& tree, const Ballot& ballot, double* agreement) {
    struct Before {
        double mass, squares;
    };
    for (std::size_t k = 0; k < ballot.n_strengths; ++k) {
        std::vector<double> mass(static_cast<std::size_t>(ballot.n_classes), 0.0);
        double squares = 0.0;
        std::vector<Before> before;  // of the open nodes
        const auto with = [&](double own, double more) { return squares - own * own + (own + more) * (own + more); };
        walk(
            tree,
            [&](std::size_t v) {
                const std::size_t at = v * ballot.n_strengths + k;
                double& own = mass[ballot.label[v]];
                agreement[at] = with(own, std::exp(ballot.node[at]));
                if (tree.leaf(v)) return;
                before.push_back({own, squares});
                const double more = std::exp(ballot.leaf[at]);
                squares = with(own, more);
                own += more;
            },
            [&](std::size_t v) {
                if (tree.leaf(v)) return;
                mass[ballot.label[v]] = before.back().mass;
                squares = before.back().squares;
                before.pop_back();
            });
    }
}

}  // namespace bristlecone

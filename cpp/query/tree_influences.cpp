#include "query/tree_influences.hpp"

#include <algorithm>
#include <stdexcept>

namespace bristlecone {
namespace {

using Word = std::uint64_t;

constexpr std::size_t most_words = std::size_t{1} << 28;  // 2 GB: which variables each node's branch reads

class Disagreement {
public:
    Disagreement(const BooleanTree& tree, const double* p, Interrupt* interrupt)
        : tree_(tree), p_(p), interrupt_(interrupt) {
        number_variables();
        ones_.resize(tree.size());
        reads_.assign(tree.size() * n_words_, 0);
        known_.assign(n_words_, 0);
        value_.assign(n_places_, 0);
        for (std::size_t v = tree.size(); v-- > 0;) sum_up(v);
    }

    // Adds to rise the chance that the right subtree of v says 1 where the left says 0, to fall the reverse, times
    // `chance`.
    void at(std::size_t v, double chance, double& rise, double& fall) {
        stack_.push_back({tree_.left[v], tree_.right[v], chance, 0, -1, false});
        while (!stack_.empty()) {
            const Pair pair = stack_.back();
            stack_.pop_back();
            check(interrupt_);
            recall(pair);
            compare(pair, rise, fall);
        }
        forget(0);
    }

private:
    // Two nodes reached together; on the way there `variable` was just found to be `value`.
    struct Pair {
        std::int32_t a, b;
        double chance;
        std::size_t n_known;
        std::int32_t variable;
        bool value;
    };

    void number_variables() {
        std::int32_t most = -1;
        for (std::size_t v = 0; v < tree_.size(); ++v) most = std::max(most, tree_.variable[v]);
        place_.assign(static_cast<std::size_t>(most) + 1, -1);
        for (std::size_t v = 0; v < tree_.size(); ++v)
            if (!tree_.leaf(v) && place_[tree_.variable[v]] < 0)
                place_[tree_.variable[v]] = static_cast<std::int32_t>(n_places_++);
        n_words_ = (n_places_ + 63) / 64;
        if (n_words_ > most_words / tree_.size()) throw std::length_error("the tree reads too many variables");
    }

    void sum_up(std::size_t v) {
        if (tree_.leaf(v)) {
            ones_[v] = tree_.answer[v];
            return;
        }
        const std::size_t l = tree_.left[v], r = tree_.right[v];
        const double p = p_[tree_.variable[v]];
        ones_[v] = (1.0 - p) * ones_[l] + p * ones_[r];
        for (std::size_t w = 0; w < n_words_; ++w) reads(v)[w] = reads(l)[w] | reads(r)[w];
        const std::size_t place = place_of(v);
        reads(v)[place / 64] |= Word{1} << (place % 64);
    }

    Word* reads(std::size_t v) { return reads_.data() + v * n_words_; }
    std::size_t place_of(std::size_t v) const { return static_cast<std::size_t>(place_[tree_.variable[v]]); }
    bool knows(std::size_t place) const { return (known_[place / 64] >> (place % 64) & 1) != 0; }

    bool disjoint(const Word* a, const Word* b) const {
        for (std::size_t w = 0; w < n_words_; ++w)
            if ((a[w] & b[w]) != 0) return false;
        return true;
    }

    void forget(std::size_t n_known) {
        for (; trail_.size() > n_known; trail_.pop_back())
            known_[trail_.back() / 64] &= ~(Word{1} << (trail_.back() % 64));
    }

    void recall(const Pair& pair) {
        forget(pair.n_known);
        if (pair.variable < 0) return;
        const auto place = static_cast<std::size_t>(place_[pair.variable]);
        trail_.push_back(place);
        known_[place / 64] |= Word{1} << (place % 64);
        value_[place] = pair.value ? 1 : 0;
    }

    std::int32_t passed(std::int32_t v) const {
        while (!tree_.leaf(v) && knows(place_of(v))) v = value_[place_of(v)] != 0 ? tree_.right[v] : tree_.left[v];
        return v;
    }

    void compare(const Pair& pair, double& rise, double& fall) {
        std::int32_t a = passed(pair.a), b = passed(pair.b);
        if (disjoint(reads(a), reads(b))) {
            const double one_a = ones_given(a), one_b = ones_given(b);
            rise += pair.chance * (1.0 - one_a) * one_b;
            fall += pair.chance * one_a * (1.0 - one_b);
            return;
        }
        const std::int32_t variable = tree_.variable[a];
        const double p = p_[variable];
        const std::size_t n_known = trail_.size();
        stack_.push_back({tree_.right[a], b, pair.chance * p, n_known, variable, true});
        stack_.push_back({tree_.left[a], b, pair.chance * (1.0 - p), n_known, variable, false});
    }

    // The chance that the subtree says 1, given what is known.
    double ones_given(std::int32_t root) {
        if (disjoint(reads(root), known_.data())) return ones_[root];
        double sum = 0;
        below_.push_back({root, 1.0});
        while (!below_.empty()) {
            auto [v, chance] = below_.back();
            below_.pop_back();
            v = passed(v);
            if (disjoint(reads(v), known_.data())) {
                sum += chance * ones_[v];
                continue;
            }
            const double p = p_[tree_.variable[v]];
            below_.push_back({tree_.right[v], chance * p});
            below_.push_back({tree_.left[v], chance * (1.0 - p)});
        }
        return sum;
    }

    struct Below {
        std::int32_t node;
        double chance;
    };

    const BooleanTree& tree_;
    const double* p_;
    Interrupt* interrupt_;
    std::size_t n_places_ = 0, n_words_ = 0;
    std::vector<std::int32_t> place_;  // variables that the tree reads, numbered as they come
    std::vector<double> ones_;
    std::vector<Word> reads_, known_;
    std::vector<std::uint8_t> value_;
    std::vector<std::size_t> trail_;
    std::vector<Pair> stack_;
    std::vector<Below> below_;
};

}  // namespace

Influences tree_influences(const BooleanTree& tree, std::size_t n_variables, const double* p, Interrupt* interrupt) {
    Influences found{std::vector<double>(n_variables), std::vector<double>(n_variables)};
    Disagreement disagreement(tree, p, interrupt);
    std::vector<double> reach(tree.size(), 0.0);
    reach[0] = 1.0;
    for (std::size_t v = 0; v < tree.size(); ++v) {
        if (tree.leaf(v)) {
            (tree.answer[v] != 0 ? found.ones : found.zeros) += reach[v];
            continue;
        }
        const std::int32_t i = tree.variable[v];
        reach[tree.left[v]] = reach[v] * (1.0 - p[i]);
        reach[tree.right[v]] = reach[v] * p[i];
        disagreement.at(v, reach[v] * 2.0 * p[i] * (1.0 - p[i]), found.rise[i], found.fall[i]);
    }
    return found;
}

}  // namespace bristlecone

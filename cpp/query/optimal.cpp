#include "query/optimal.hpp"

#include <algorithm>
#include <limits>

namespace bristlecone {
namespace {

constexpr double slack = 1.0 + 1e-12;

class Optimum {
public:
    Optimum(const std::uint8_t* table, std::size_t n, const double* p, double epsilon, Interrupt* interrupt)
        : n_(n), p_(p), epsilon_(epsilon), power_(n + 1, 1) {
        for (std::size_t i = 0; i < n; ++i) power_[i + 1] = 3 * power_[i];
        const std::size_t n_cubes = power_[n];
        zero_.resize(n_cubes);
        one_.resize(n_cubes);
        begin_.assign(n_cubes + 1, 0);
        for (std::size_t c = 0; c < n_cubes; ++c) {
            check(interrupt);
            weigh(c, table);
            fold(c);
            begin_[c + 1] = front_.size();
        }
    }

    BooleanTree tree() const {
        const std::size_t whole = power_[n_] - 1;
        std::size_t leaves = 1;
        while (error(whole, leaves) > epsilon_ * slack) ++leaves;
        BooleanTree out;
        grow(out, whole, leaves);
        return out;
    }

private:
    // A way to spend leaves on a subcube: the variable it is cut by, and how many go left.
    struct Cut {
        std::size_t variable, left;
    };

    std::size_t digit(std::size_t cube, std::size_t i) const { return cube / power_[i] % 3; }
    std::size_t half(std::size_t cube, std::size_t i, bool value) const { return cube - (value ? 1 : 2) * power_[i]; }
    std::size_t most_leaves(std::size_t cube) const { return begin_[cube + 1] - begin_[cube]; }
    double error(std::size_t cube, std::size_t leaves) const { return front_[begin_[cube] + leaves - 1]; }
    double joined(std::size_t i, double left, double right) const { return (1.0 - p_[i]) * left + p_[i] * right; }

    // Both masses are sums of what is there: 0 only where no such answer is.
    void weigh(std::size_t cube, const std::uint8_t* table) {
        std::size_t place = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            const std::size_t d = digit(cube, i);
            if (d == 2) {
                zero_[cube] = joined(i, zero_[half(cube, i, false)], zero_[half(cube, i, true)]);
                one_[cube] = joined(i, one_[half(cube, i, false)], one_[half(cube, i, true)]);
                return;
            }
            place |= d << i;
        }
        one_[cube] = table[place] & 1;
        zero_[cube] = 1.0 - one_[cube];
    }

    // The front ends with the first number of leaves that makes no error.
    void fold(std::size_t cube) {
        best_.assign(1, std::min(zero_[cube], one_[cube]));
        if (best_[0] > 0)
            for (std::size_t i = 0; i < n_; ++i)
                if (digit(cube, i) == 2) join(half(cube, i, false), half(cube, i, true), i);
        for (const double least : best_) {
            front_.push_back(least);
            if (least == 0) break;
        }
    }

    void join(std::size_t left, std::size_t right, std::size_t i) {
        const std::size_t n_left = most_leaves(left), n_right = most_leaves(right);
        best_.resize(std::max(best_.size(), n_left + n_right), std::numeric_limits<double>::infinity());
        const double* rights = front_.data() + begin_[right];
        for (std::size_t l = 1; l <= n_left; ++l) {
            const double left_error = error(left, l);
            double* to = best_.data() + l;
            for (std::size_t r = 0; r < n_right; ++r) to[r] = std::min(to[r], joined(i, left_error, rights[r]));
        }
    }

    Cut cut(std::size_t cube, std::size_t leaves) const {
        for (std::size_t i = 0; i < n_; ++i) {
            if (digit(cube, i) != 2) continue;
            const std::size_t left = half(cube, i, false), right = half(cube, i, true);
            for (std::size_t l = 1; l <= std::min(leaves - 1, most_leaves(left)); ++l)
                if (leaves - l <= most_leaves(right) &&
                    joined(i, error(left, l), error(right, leaves - l)) == error(cube, leaves))
                    return {i, l};
        }
        return {n_, 0};
    }

    // At most n levels deep.
    void grow(BooleanTree& out, std::size_t cube, std::size_t leaves) const {
        const std::size_t v = out.size();
        const Cut found = leaves == 1 ? Cut{n_, 0} : cut(cube, leaves);
        const bool leaf = found.variable == n_;
        out.left.push_back(leaf ? -1 : static_cast<std::int32_t>(v) + 1);
        out.right.push_back(-1);
        out.variable.push_back(leaf ? -1 : static_cast<std::int32_t>(found.variable));
        out.answer.push_back(leaf && one_[cube] > zero_[cube] ? 1 : 0);
        if (leaf) return;
        grow(out, half(cube, found.variable, false), found.left);
        out.right[v] = static_cast<std::int32_t>(out.size());
        grow(out, half(cube, found.variable, true), leaves - found.left);
    }

    std::size_t n_;
    const double* p_;
    double epsilon_;
    std::vector<std::size_t> power_, begin_;
    std::vector<double> zero_, one_, front_, best_;
};

}  // namespace

BooleanTree optimal_tree(const std::uint8_t* table, std::size_t n_variables, const double* p, double epsilon,
                         Interrupt* interrupt) {
    return Optimum(table, n_variables, p, epsilon, interrupt).tree();
}

}  // namespace bristlecone

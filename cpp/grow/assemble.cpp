#include "grow/assemble.hpp"

#include <algorithm>
#include <cmath>

#include "impurity/poisson.hpp"

namespace bristlecone {
namespace {

// Mean and mean loss of some rows. The mean is an offset from one centre for the whole tree, so that small differences
// of large targets keep their digits; value is what a leaf answers.
struct Moments {
    double weight = 0.0, offset = 0.0, loss = 0.0, value = 0.0;
};

double weight_of(const Problem& problem, std::uint32_t row) { return problem.weight ? problem.weight[row] : 1.0; }

// The mean loss of answering mean + more instead of the mean, for rows of this mean.
double shift_loss(Criterion criterion, double mean, double more) {
    if (criterion == Criterion::squared_error) return more * more;
    return std::max(0.0, more - (mean > 0 ? mean * std::log1p(more / mean) : 0.0));
}

Moments moments_of_leaf(const Problem& problem, std::span<const std::uint32_t> rows, double centre) {
    Moments m;
    const double first = problem.y[rows[0]];
    double sum = 0;  // from the first; a sum of whole numbers stays whole
    bool equal = true;
    for (const std::uint32_t row : rows) {
        const double w = weight_of(problem, row);
        m.weight += w;
        sum += w * (problem.y[row] - first);
        equal = equal && problem.y[row] == first;
    }
    const double mean = equal ? 0.0 : sum / m.weight;
    m.offset = (first - centre) + mean;
    m.value = first + mean;
    if (!equal)
        for (const std::uint32_t row : rows)
            m.loss += weight_of(problem, row) / m.weight *
                      shift_loss(problem.criterion, problem.y[row], mean - (problem.y[row] - first));
    return m;
}

Moments joined(Criterion criterion, double centre, const Moments& a, const Moments& b) {
    Moments m;
    m.weight = a.weight + b.weight;
    const double share_a = a.weight / m.weight, share_b = b.weight / m.weight;
    const double apart = b.offset - a.offset, up = apart * share_b, down = -apart * share_a;
    m.offset = a.offset + up;
    m.value = a.value == b.value ? a.value : centre + m.offset;
    m.loss = share_a * (a.loss + shift_loss(criterion, a.value, up)) +
             share_b * (b.loss + shift_loss(criterion, b.value, down));
    return m;
}

class Assembler {
public:
    Assembler(const Growth& growth, std::vector<Node> nodes)
        : problem_(*growth.problem), growth_(growth), nodes_(std::move(nodes)), order_(pre_order()) {}

    Grown run() {
        write_structure();
        if (over_classes(problem_.criterion))
            write_counts();
        else
            write_values();
        return std::move(out_);
    }

private:
    std::vector<std::int32_t> pre_order() const {
        std::vector<std::int32_t> order, stack{0};
        while (!stack.empty()) {
            const std::int32_t v = stack.back();
            stack.pop_back();
            order.push_back(v);
            if (nodes_[v].is_leaf()) continue;
            stack.push_back(nodes_[v].right());
            stack.push_back(nodes_[v].left);
        }
        return order;
    }

    std::span<const std::uint32_t> rows_of(const Node& node) const {
        return {growth_.rows.data() + node.begin, node.end - node.begin};
    }

    void write_structure() {
        std::vector<std::int32_t> place(nodes_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) place[order_[i]] = static_cast<std::int32_t>(i);
        resize(order_.size(), out_.left, out_.right, out_.feature, out_.threshold, out_.missing_left, out_.heuristic,
               out_.rows, out_.label, out_.impurity, out_.prediction, out_.weight);
        out_.level_ptr.reserve(order_.size() + 1);
        out_.level_ptr.push_back(0);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            Node& node = nodes_[order_[i]];
            out_.left[i] = node.is_leaf() ? -1 : place[node.left];
            out_.right[i] = node.is_leaf() ? -1 : place[node.right()];
            out_.feature[i] = node.is_leaf() ? -2 : node.column;
            out_.threshold[i] = node.threshold;
            out_.missing_left[i] = node.missing_left;
            out_.heuristic[i] = node.heuristic;
            out_.rows[i] = node.end - node.begin;
            out_.label[i] = node.label;
            out_.impurity[i] = node.impurity;
            out_.prediction[i] = node.value;
            Extras extras = node.extras ? std::move(*node.extras) : Extras{};
            for (const Level& level : extras.levels) {
                out_.level_code.push_back(level.code);
                out_.level_left.push_back(level.left);
            }
            out_.level_ptr.push_back(static_cast<std::int64_t>(out_.level_code.size()));
            if (problem_.n_runners > 0) out_.runners.push_back(std::move(extras.runners));
        }
    }

    template <class... Vectors>
    static void resize(std::size_t n, Vectors&... vectors) {
        (vectors.resize(n), ...);
    }

    template <class Leaf, class Inner>
    void from_the_leaves_up(Leaf leaf, Inner inner) {
        for (std::size_t v = order_.size(); v-- > 0;) {
            if (out_.left[v] < 0)
                leaf(v, rows_of(nodes_[order_[v]]));
            else
                inner(v, static_cast<std::size_t>(out_.left[v]), static_cast<std::size_t>(out_.right[v]));
        }
    }

    void write_counts() {
        std::vector<double> weight(problem_.n_classes, 0.0);
        std::vector<std::int64_t> rows_of_class(problem_.n_classes, 0);
        out_.count_ptr.push_back(0);
        std::vector<std::int32_t> present;
        constexpr std::size_t ahead = 16;  // the rows of leaves lie far apart
        const std::size_t last = growth_.rows.size() - 1;
        for (std::size_t v = 0; v < order_.size(); ++v) {
            if (out_.left[v] < 0) {
                present.clear();
                const Node& node = nodes_[order_[v]];
                for (std::size_t i = node.begin; i < node.end; ++i) {
                    const std::uint32_t row = growth_.rows[i];
                    __builtin_prefetch(problem_.label + growth_.rows[std::min(i + ahead, last)]);
                    const std::int32_t k = problem_.label[row];
                    if (rows_of_class[k]++ == 0) present.push_back(k);
                    weight[k] += weight_of(problem_, row);
                }
                std::sort(present.begin(), present.end());
                for (const std::int32_t k : present) {
                    out_.count_class.push_back(k);
                    out_.count_weight.push_back(weight[k]);
                    out_.count_rows.push_back(rows_of_class[k]);
                    out_.weight[v] += weight[k];
                    weight[k] = 0;
                    rows_of_class[k] = 0;
                }
            }
            out_.count_ptr.push_back(static_cast<std::int64_t>(out_.count_class.size()));
        }
        from_the_leaves_up(
            [](std::size_t, auto) {},
            [&](std::size_t v, std::size_t l, std::size_t r) { out_.weight[v] = out_.weight[l] + out_.weight[r]; });
    }

    void write_values() {
        const bool medians = problem_.criterion == Criterion::absolute_error;
        const double centre = problem_.y[growth_.rows[0]];
        std::vector<Moments> moments(order_.size());
        from_the_leaves_up(
            [&](std::size_t v, std::span<const std::uint32_t> rows) {
                moments[v] = moments_of_leaf(problem_, rows, centre);
            },
            [&](std::size_t v, std::size_t l, std::size_t r) {
                moments[v] = joined(problem_.criterion, centre, moments[l], moments[r]);
            });
        for (std::size_t v = 0; v < order_.size(); ++v) {
            const Moments& m = moments[v];
            out_.weight[v] = m.weight;
            if (medians) continue;
            const bool clipped = !std::isnan(out_.prediction[v]);
            // Rounding must not put equal means on the wrong sides of a bound.
            const Extras* bounds = nodes_[order_[v]].extras.get();
            const double answer = clipped ? out_.prediction[v] : m.value;
            out_.prediction[v] = bounds != nullptr ? std::min(std::max(answer, bounds->low), bounds->high) : answer;
            const double more = (out_.prediction[v] - centre) - m.offset;  // m.value has fewer digits
            out_.impurity[v] = m.loss + (clipped ? shift_loss(problem_.criterion, m.value, more) : 0.0);
        }
    }

    const Problem& problem_;
    const Growth& growth_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
    Grown out_;
};

}  // namespace

Grown assemble(const Growth& growth, std::vector<Node> nodes) { return Assembler(growth, std::move(nodes)).run(); }

}  // namespace bristlecone

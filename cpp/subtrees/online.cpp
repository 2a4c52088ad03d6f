#include "subtrees/online.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "subtrees/fold.hpp"
#include "subtrees/logaddexp.hpp"

namespace bristlecone {

void weigh_online(const Skeleton& tree, const Stream& rows, const double* value, double beta, double* leaf,
                  double* inner, double* predicted) {
    std::vector<std::int32_t> parent(tree.n_nodes, -1);
    for (std::size_t v = 0; v < tree.n_nodes; ++v)
        for (const std::int32_t child : {tree.left[v], tree.right[v]})
            if (child >= 0) parent[child] = static_cast<std::int32_t>(v);
    std::vector<double> branch(tree.n_nodes);  // ln of the sum of all weights of the branch
    log_sums(tree, {1, leaf, inner, true}, branch.data());

    const auto going_on = [&](std::int32_t v) {
        double sum = inner[v];
        for (const std::int32_t child : {tree.left[v], tree.right[v]})
            if (child >= 0) sum += branch[child];
        return sum;
    };
    std::vector<std::int32_t> path;  // from the stop to the root
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        path.clear();
        for (std::int32_t v = rows.stop[i]; v >= 0; v = parent[v]) path.push_back(v);
        double reached = 0.0, mean = 0.0;
        for (std::size_t j = path.size() - 1; j > 0; --j) {
            const std::int32_t v = path[j];
            mean += std::exp(reached + leaf[v] - branch[v]) * value[v];
            reached += going_on(v) - branch[v];
        }
        predicted[i] = mean + std::exp(reached) * value[path[0]];
        for (std::size_t j = 0; j < path.size(); ++j) {
            const std::int32_t v = path[j];
            const double right = rows.y[i] ? value[v] : 1.0 - value[v];
            const double left = std::log(right + beta * (1.0 - right));
            leaf[v] += left;
            if (tree.leaf(v)) {
                branch[v] = leaf[v];
                continue;
            }
            if (j == 0) inner[v] += left;
            branch[v] = logs::sum(leaf[v], going_on(v));
        }
    }
}

}  // namespace bristlecone

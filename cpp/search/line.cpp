#include "search/line.hpp"

#include <algorithm>
#include <numeric>

namespace bristlecone {
namespace {

constexpr int max_iterations = 200;
constexpr double settled = 1e-12;

double normalise(std::vector<double>& v) {
    double norm = 0;
    for (const double x : v) norm += x * x;
    norm = std::sqrt(norm);
    if (norm > 0)
        for (double& x : v) x /= norm;
    return norm;
}

}  // namespace

std::vector<double> first_component_scores(const std::vector<double>& p, const std::vector<double>& weight) {
    const std::size_t n = weight.size(), k = p.size() / n;
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    std::vector<double> centred = p, mean(k, 0.0), scores(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < k; ++c) mean[c] += weight[i] / total * p[i * k + c];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < k; ++c) centred[i * k + c] -= mean[c];
    // Power iteration from the row that lies furthest out; a start at right angles to the component is then unlikely,
    // and the start depends on nothing random.
    std::size_t start = 0;
    double furthest = -1;
    for (std::size_t i = 0; i < n; ++i) {
        double norm = 0;
        for (std::size_t c = 0; c < k; ++c) norm += centred[i * k + c] * centred[i * k + c];
        if (norm * weight[i] > furthest) {
            furthest = norm * weight[i];
            start = i;
        }
    }
    std::vector<double> axis(centred.begin() + static_cast<std::ptrdiff_t>(start * k),
                             centred.begin() + static_cast<std::ptrdiff_t>((start + 1) * k));
    normalise(axis);
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        std::vector<double> next(k, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            scores[i] =
                std::inner_product(axis.begin(), axis.end(), centred.begin() + static_cast<std::ptrdiff_t>(i * k), 0.0);
            for (std::size_t c = 0; c < k; ++c) next[c] += weight[i] / total * scores[i] * centred[i * k + c];
        }
        if (normalise(next) == 0) break;
        double change = 0;
        for (std::size_t c = 0; c < k; ++c) change = std::max(change, std::abs(next[c] - axis[c]));
        axis = std::move(next);
        if (change < settled) break;
    }
    return scores;
}

}  // namespace bristlecone

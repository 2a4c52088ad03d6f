#include "search/median.hpp"

namespace bristlecone {

void Median::clear() {
    left_ = {};
    left_sums_.assign(members_.size());
    right_sums_ = all_sums_;
}

void Median::move(std::uint32_t row, double sign) {
    const double w = sign * weight_of(row), target = w * (y_[row] - centre_);
    left_.rows += sign > 0 ? 1 : -1;
    left_.weight += w;
    left_sums_.add(place_[row], w, target);
    right_sums_.add(place_[row], -w, -target);
}

double Median::cost(const PrefixSums& sums, const Side& side, double v) const {
    const auto above = std::upper_bound(members_.begin(), members_.end(), v,
                                        [&](double value, std::uint32_t row) { return value < y_[row]; });
    const auto below = sums.before(static_cast<std::size_t>(above - members_.begin()));
    const auto all = sums.before(members_.size());
    const double centred = v - centre_;
    return std::max(0.0, centred * (2 * below.weight - side.weight) - 2 * below.target + all.target);
}

double Median::group_median(const Group& group) const {
    std::vector<std::uint32_t> order = group.members;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; });
    double reached = 0;
    for (const std::uint32_t row : order) {
        reached += weight_of(row);
        if (reached >= half_of(group.weight)) return y_[row];
    }
    return y_[order.back()];
}

Measure Median::enter() {
    const std::size_t n = members_.size();
    if (!members_.empty()) {
        const std::uint32_t last = *std::max_element(members_.begin(), members_.end());
        if (place_.size() <= last) place_.resize(last + 1);
    }
    total_ = {static_cast<std::int64_t>(n), 0.0};
    for (std::size_t i = 0; i < n; ++i) {
        place_[members_[i]] = static_cast<std::uint32_t>(i);
        total_.weight += weight_of(members_[i]);
    }
    centre_ = 0;
    double reached = 0;
    for (const std::uint32_t row : members_)
        if ((reached += weight_of(row)) >= half_of(total_.weight)) {
            centre_ = y_[row];
            break;
        }
    all_sums_.assign(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double w = weight_of(members_[i]);
        all_sums_.add(i, w, w * (y_[members_[i]] - centre_));
    }
    clear();
    const double value = bounds_.clip(centre_);
    parent_cost_ = cost(all_sums_, total_, value);
    tolerance_ = tie_tolerance * parent_cost_;
    const bool pure = n == 0 || y_[members_.front()] == y_[members_.back()];
    return {total_.rows, total_.weight, parent_cost_, value, -1, pure, value != centre_};
}

}  // namespace bristlecone

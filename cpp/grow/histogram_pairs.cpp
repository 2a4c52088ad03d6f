#include "grow/families.hpp"
#include "grow/histogram_region.hpp"
#include "grow/histogram_regions.hpp"
#include "search/pairs.hpp"

namespace bristlecone {
namespace {

template <class Impurity, class Sum, bool Weighted>
std::shared_ptr<Region> make(Type<Pairs<Impurity, Sum, Weighted>>, const Growth& growth, std::size_t begin,
                             std::size_t end) {
    using Unweighted = std::conditional_t<sizeof(Sum) == 1, PackedCell, UnitCell<Impurity>>;
    using Cell = std::conditional_t<Weighted, WeightedCell<Impurity>, Unweighted>;
    return std::make_shared<HistogramRegion<Pairs<Impurity, Sum, Weighted>, PairLayout<Cell>>>(growth, begin, end);
}

}  // namespace

std::shared_ptr<Region> make_pair_histograms(const Growth& growth, std::size_t begin, std::size_t end) {
    return visit_pairs<Pairs>(growth, [&](auto accumulator) { return make(accumulator, growth, begin, end); });
}

}  // namespace bristlecone

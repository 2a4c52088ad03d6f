#include "grow/families.hpp"
#include "grow/histogram_region.hpp"
#include "grow/histogram_regions.hpp"
#include "search/classes.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_class_histograms(const Growth& growth, std::size_t begin, std::size_t end) {
    return visit_class_impurity(growth.problem->criterion, [&](auto impurity) -> std::shared_ptr<Region> {
        using Impurity = typename decltype(impurity)::type;
        if (growth.weighing.kind == WeightKind::unit)
            return std::make_shared<HistogramRegion<Classes<Impurity, false>, ClassLayout<false>>>(growth, begin, end);
        return std::make_shared<HistogramRegion<Classes<Impurity, true>, ClassLayout<true>>>(growth, begin, end);
    });
}

}  // namespace bristlecone

#include "grow/families.hpp"
#include "grow/histogram_region.hpp"
#include "grow/histogram_regions.hpp"
#include "search/classes.hpp"

namespace bristlecone {

std::shared_ptr<Region> make_class_histograms(const Growth& growth) {
    return visit_class_impurity(growth.problem->criterion, [&](auto impurity) -> std::shared_ptr<Region> {
        using Impurity = typename decltype(impurity)::type;
        if (growth.weighing.kind == WeightKind::unit)
            return std::make_shared<HistogramRegion<Classes<Impurity, false>, ClassLayout<false>>>(growth);
        return std::make_shared<HistogramRegion<Classes<Impurity, true>, ClassLayout<true>>>(growth);
    });
}

}  // namespace bristlecone

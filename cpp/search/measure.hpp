// Accumulators: what has gone left so far at one node, and what a split there would gain.
//
// A search moves rows, or groups of rows, to the left side and asks fast() wherever a split could be; only where
// fast() may beat the best so far is gain() asked. The words that all accumulators share:
//   measure    counts a node's rows: the totals are known then, and everything is on the right
//   fast       a number that grows with the gain, cheap; compared within one node only
//   slack      how far rounding may have put two values of fast() in the wrong order
//   tolerance  gains closer than this are a tie
//   Group      the rows of one level of a categorical column, or the rows with a missing cell
#pragma once

#include <cstdint>

namespace bristlecone {

struct Measure {
    std::int64_t rows = 0;
    double weight = 0.0;      // in the region's units
    double impurity = 0.0;    // summed over the weight, in the region's units
    double value = 0.0;       // sum / weight in the region's units: a mean, P(class 1) or a median
    std::int32_t label = -1;  // the heaviest class, the lowest on ties
    bool pure = false;
    bool clipped = false;  // value is not the rows' own, but a bound of a monotone constraint
};

}  // namespace bristlecone

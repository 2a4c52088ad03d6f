// How much each variable of a truth table matters under a product distribution. SPEC C1.
//
// table      2^n answers, 0 or 1; bit i of the place is variable i.
// p          p[i] is the chance that variable i is 1.
// influence  of variable i: the chance that drawing it afresh changes the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristlecone {

struct Influences {
    std::vector<double> rise, fall;  // the chance that a fresh draw turns 0 into 1, or 1 into 0, as the variable grows
    double zeros = 0, ones = 0;      // the chance of each answer: exactly 0 where there is none
};

// Both directions of change together, as influences are wanted most.
struct CubeInfluences {
    std::vector<double> influence;
    double zeros = 0, ones = 0;
};

CubeInfluences cube_influences(const std::uint8_t* table, std::size_t n_variables, const double* p);

}  // namespace bristlecone

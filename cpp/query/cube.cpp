#include "query/cube.hpp"

#include <algorithm>
#include <array>

namespace bristlecone {
namespace {

// A word is the answers of one assignment of the variables from 6 on: the place of a bit in it is the first six.
constexpr std::size_t in_word = 6;
constexpr std::size_t in_byte = 3;

using Word = std::uint64_t;

std::vector<Word> packed(const std::uint8_t* table, std::size_t n_words) {
    std::vector<Word> words(n_words);
    for (std::size_t w = 0; w < n_words; ++w) {
        const std::uint8_t* answers = table + (w << in_word);
        Word word = 0;
        for (std::size_t b = 0; b < 64; ++b) word |= static_cast<Word>(answers[b] & 1) << b;
        words[w] = word;
    }
    return words;
}

// The chance of each assignment of some variables, by its place.
std::vector<double> chances(const double* p, std::size_t n) {
    std::vector<double> chance{1.0};
    chance.reserve(std::size_t{1} << n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t half = chance.size();
        for (std::size_t k = 0; k < half; ++k) chance.push_back(chance[k] * p[i]);
        for (std::size_t k = 0; k < half; ++k) chance[k] *= 1.0 - p[i];
    }
    return chance;
}

// The chance of a set of places in a word, eight of them at a time.
class WordChance {
public:
    explicit WordChance(const double* p) {
        const std::vector<double> places = chances(p, in_byte);
        for (std::size_t set = 1; set < 256; ++set) {
            const std::size_t low = set & (~set + 1);
            std::size_t bit = 0;
            while ((std::size_t{1} << bit) != low) ++bit;
            of_byte_[set] = of_byte_[set ^ low] + places[bit];
        }
        const std::vector<double> bytes = chances(p + in_byte, in_word - in_byte);
        std::copy(bytes.begin(), bytes.end(), byte_.begin());
    }

    double operator()(Word set) const {
        double sum = 0;
        for (std::size_t b = 0; set != 0; ++b, set >>= 8) sum += byte_[b] * of_byte_[set & 255];
        return sum;
    }

private:
    std::array<double, 256> of_byte_{};
    std::array<double, 8> byte_{};
};

constexpr std::array<Word, in_word> zero_places{0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                                0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

// The chance that the two ends of an edge differ, over the edges along variable i.
double edge_chance(const std::vector<Word>& words, const std::vector<double>& outer, const WordChance& inner,
                   std::size_t i, const double* p) {
    double sum = 0;
    if (i < in_word) {
        for (std::size_t w = 0; w < words.size(); ++w)
            sum += outer[w] * inner((words[w] ^ (words[w] >> (std::size_t{1} << i))) & zero_places[i]);
    } else {
        const std::size_t step = std::size_t{1} << (i - in_word);
        for (std::size_t block = 0; block < words.size(); block += 2 * step)
            for (std::size_t w = block; w < block + step; ++w) sum += outer[w] * inner(words[w] ^ words[w + step]);
    }
    // the weights are those of the end where the variable is 0
    return sum / (1.0 - p[i]);
}

}  // namespace

CubeInfluences cube_influences(const std::uint8_t* table, std::size_t n_variables, const double* p) {
    if (n_variables < in_word) {
        // Variables that the answer does not depend on fill the word.
        std::vector<std::uint8_t> repeated(64);
        for (std::size_t k = 0; k < 64; ++k) repeated[k] = table[k & ((std::size_t{1} << n_variables) - 1)];
        std::array<double, in_word> chance;
        chance.fill(0.5);
        std::copy(p, p + n_variables, chance.begin());
        CubeInfluences found = cube_influences(repeated.data(), in_word, chance.data());
        found.influence.resize(n_variables);
        return found;
    }
    const std::vector<Word> words = packed(table, std::size_t{1} << (n_variables - in_word));
    const std::vector<double> outer = chances(p + in_word, n_variables - in_word);
    const WordChance inner(p);
    CubeInfluences found;
    for (std::size_t i = 0; i < n_variables; ++i)
        found.influence.push_back(2.0 * p[i] * (1.0 - p[i]) * edge_chance(words, outer, inner, i, p));
    for (std::size_t w = 0; w < words.size(); ++w) {
        found.zeros += outer[w] * inner(~words[w]);
        found.ones += outer[w] * inner(words[w]);
    }
    return found;
}

}  // namespace bristlecone

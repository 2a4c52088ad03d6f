// Sorting rows by a number each: by the leading bits in which the numbers differ, then comparing what is left equal.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bristlecone {

// Unsigned integers in the order of the numbers; not for NaN. -0.0 must have become 0.0.
inline std::uint64_t sort_key(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

class RowSorter {
public:
    struct Place {
        std::uint32_t row;
        std::uint32_t lead;  // rows of different leads have different keys
    };

    // Rows 0 .. n-1 in ascending order of keys, and of rows where keys are equal. The result lives until the next call.
    std::span<const Place> sort(std::span<const std::uint64_t> keys) {
        places_.resize(keys.size());
        spare_.resize(keys.size());
        if (keys.size() < very_few)
            insert(keys);
        else if (keys.size() < few)
            sort_by_digits<8>(keys);
        else
            sort_by_digits<11>(keys);
        finish(keys);
        return places_;
    }

private:
    static constexpr std::size_t few = 1024;  // rows, below which clearing large tables of counts is most of the work
    static constexpr std::size_t very_few = 24;

    void insert(std::span<const std::uint64_t> keys) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::size_t at = i;
            for (; at > 0 && keys[places_[at - 1].row] > keys[i]; --at) places_[at] = places_[at - 1];
            places_[at].row = static_cast<std::uint32_t>(i);
        }
        for (std::size_t i = 0; i < keys.size(); ++i)
            places_[i].lead = i == 0 ? 0 : places_[i - 1].lead + (keys[places_[i].row] != keys[places_[i - 1].row]);
    }

    template <unsigned bits>
    void sort_by_digits(std::span<const std::uint64_t> keys) {
        constexpr std::size_t n_values = std::size_t{1} << bits;
        constexpr std::uint32_t low_digit = n_values - 1;
        std::uint64_t all = ~std::uint64_t{0}, any = 0;
        for (const std::uint64_t key : keys) {
            all &= key;
            any |= key;
        }
        const int different = std::bit_width(all ^ any);  // the bits above are the same in all keys
        const int shift = std::max(0, different - static_cast<int>(2 * bits));
        const std::uint64_t mask = (std::uint64_t{1} << 2 * bits) - 1;
        std::array<std::uint32_t, n_values> low{}, high{};
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto lead = static_cast<std::uint32_t>(keys[i] >> shift & mask);
            spare_[i] = {static_cast<std::uint32_t>(i), lead};
            ++low[lead & low_digit];
            ++high[lead >> bits];
        }
        std::uint32_t low_start = 0, high_start = 0;
        for (std::size_t value = 0; value < n_values; ++value) {
            low_start += std::exchange(low[value], low_start);
            high_start += std::exchange(high[value], high_start);
        }
        for (const Place& place : spare_) places_[low[place.lead & low_digit]++] = place;
        for (const Place& place : places_) spare_[high[place.lead >> bits]++] = place;
        places_.swap(spare_);
    }

    void finish(std::span<const std::uint64_t> keys) {
        const auto before = [&](const Place& a, const Place& b) {
            return keys[a.row] != keys[b.row] ? keys[a.row] < keys[b.row] : a.row < b.row;
        };
        for (std::size_t begin = 0, end = 0; begin < places_.size(); begin = end) {
            for (end = begin + 1; end < places_.size() && places_[end].lead == places_[begin].lead;) ++end;
            const auto run = std::span(places_).subspan(begin, end - begin);
            if (!std::is_sorted(run.begin(), run.end(), before)) std::sort(run.begin(), run.end(), before);
        }
    }

    std::vector<Place> places_, spare_;
};

}  // namespace bristlecone

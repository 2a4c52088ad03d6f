// Coded rows: the rows of a histogram region and their codes, under numbers of the region's own.
//
// The region of the whole table reads the table's codes, and its numbers are the table's rows. The rows of a part of it
// lie far apart there, so a part copies its codes side by side: they then fit in a near cache on all the way down.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "grow/region.hpp"
#include "table/codes.hpp"

namespace bristlecone {

class CodedRows {
public:
    // The rows that growth holds at [begin, end).
    CodedRows(const Growth& growth, std::size_t begin, std::size_t end)
        : codes_(*growth.codes), held_(growth.rows), width_(codes_.n_columns()), cells_(codes_.row(0)) {
        if (end - begin < held_.size()) copy(growth, begin, end);
    }
    CodedRows(const CodedRows&) = delete;
    CodedRows& operator=(const CodedRows&) = delete;
    ~CodedRows() {
        for (std::size_t i = 0; i < order_.size(); ++i)
            if (order_[i] != gone) held_[origin_ + i] = ids_[order_[i]];
    }

    const Codes& plan() const { return codes_; }
    bool whole() const { return ids_.empty(); }
    const std::uint8_t* codes(std::uint32_t row) const { return cells_ + row * width_; }
    std::uint32_t id(std::uint32_t row) const { return ids_.empty() ? row : ids_[row]; }
    // The rows of a node, to be parted in place.
    std::span<std::uint32_t> of(std::size_t begin, std::size_t end) {
        return whole() ? held_.subspan(begin, end - begin) : std::span(order_).subspan(begin - origin_, end - begin);
    }
    std::vector<std::uint32_t> ids(std::span<const std::uint32_t> rows) const {
        std::vector<std::uint32_t> ids(rows.size());
        std::transform(rows.begin(), rows.end(), ids.begin(), [&](std::uint32_t row) { return id(row); });
        return ids;
    }
    // Another region takes the rows of this node over.
    void hand_over(std::size_t begin, std::size_t end) {
        if (whole()) return;
        for (std::uint32_t& row : of(begin, end)) {
            held_[begin++] = ids_[row];
            row = gone;
        }
    }

private:
    static constexpr std::uint32_t gone = ~std::uint32_t{0};

    void copy(const Growth& growth, std::size_t begin, std::size_t end) {
        constexpr std::size_t ahead = 16;
        origin_ = begin;
        ids_.assign(growth.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                    growth.rows.begin() + static_cast<std::ptrdiff_t>(end));
        order_.resize(ids_.size());
        std::iota(order_.begin(), order_.end(), 0);
        copy_.resize(ids_.size() * width_);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            if (i + ahead < ids_.size()) __builtin_prefetch(codes_.row(ids_[i + ahead]));
            std::copy_n(codes_.row(ids_[i]), width_, copy_.data() + i * width_);
        }
        cells_ = copy_.data();
    }

    const Codes& codes_;
    std::span<std::uint32_t> held_;
    std::size_t width_, origin_ = 0;
    const std::uint8_t* cells_;
    std::vector<std::uint32_t> ids_;    // the table's row of each row; empty for the whole table
    std::vector<std::uint32_t> order_;  // a contiguous range for each node
    std::vector<std::uint8_t> copy_;
};

}  // namespace bristlecone

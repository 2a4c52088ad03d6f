// Stopping long work from outside: the caller is asked now and then, and all threads of the work stop when it says so.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace bristlecone {

struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

class Interrupt {
public:
    // asked() says whether to stop. It is called a few times a second, by the thread that makes this object only.
    explicit Interrupt(std::function<bool()> asked) : asked_(std::move(asked)) {}

    // Throws Interrupted when the work is to stop. Cheap enough for every node.
    void check() {
        if (stopped_.load(std::memory_order_relaxed)) throw Interrupted();
        if (std::this_thread::get_id() != owner_) return;
        const auto now = Clock::now();
        if (now - last_ < pause) return;
        last_ = now;
        if (!asked_()) return;
        stopped_ = true;
        throw Interrupted();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{50};

    std::function<bool()> asked_;
    std::thread::id owner_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> stopped_{false};
};

// Where there may be none.
inline void check(Interrupt* interrupt) {
    if (interrupt != nullptr) interrupt->check();
}

}  // namespace bristlecone

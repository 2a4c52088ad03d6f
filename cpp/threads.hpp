// The one way this library uses threads: run task(0..n_tasks-1), each once, on up to n_threads threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bristlecone {

// Below so many rows a share of a pass over rows is not worth a thread.
inline constexpr std::size_t rows_worth_threads = 1 << 13;

inline std::size_t shares_of(std::size_t n_rows, int n_threads) {
    return std::clamp<std::size_t>(n_rows / rows_worth_threads, 1, static_cast<std::size_t>(std::max(1, n_threads)));
}

template <class Task>
void run_tasks(int n_threads, std::size_t n_tasks, Task&& task) {
    if (n_threads <= 1 || n_tasks <= 1) {
        for (std::size_t i = 0; i < n_tasks; ++i) task(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_guard;
    auto work = [&] {
        try {
            for (std::size_t i = next++; i < n_tasks; i = next++) task(i);
        } catch (...) {
            const std::scoped_lock lock(failure_guard);
            if (!failure) failure = std::current_exception();
            next = n_tasks;
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t t = 1; t < std::min<std::size_t>(n_threads, n_tasks); ++t) others.emplace_back(work);
        } catch (const std::system_error&) {
            // The system gives no more threads: those that there are do the work.
        }
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace bristlecone

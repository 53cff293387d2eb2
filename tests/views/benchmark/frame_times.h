// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace tessera::views::benchmark {

template <typename Condition>
void waitUntil(const Condition &isTrue) {
  while (!isTrue())
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
}

// The CPU time of this thread. Painting runs in software on a single thread, and the time of other
// programs on the machine must not count.
inline double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

// How long this thread was ready to run while the processors did something else. That is the load
// of other programs. 0 where the kernel does not say.
inline double queuedMilliseconds() {
  std::FILE *const file = std::fopen("/proc/thread-self/schedstat", "r");
  if (!file) return 0;
  unsigned long long ran = 0, waited = 0; // nanoseconds
  if (std::fscanf(file, "%llu %llu", &ran, &waited) != 2) waited = 0;
  std::fclose(file);
  return double(waited) * 1e-6;
}

inline double quantile(std::vector<double> &of, double q) {
  std::ranges::sort(of);
  return of[std::size_t(q * double(of.size() - 1))];
}

} // namespace tessera::views::benchmark

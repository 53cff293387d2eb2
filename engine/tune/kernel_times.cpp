// SPDX-License-Identifier: MIT
#include "engine/tune/kernel_times.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::tune {

namespace {

// What the GPU or its worker did not survive alone, it will not survive with others.
bool isFatal(Outcome outcome) {
  return outcome == Outcome::DeviceLost || outcome == Outcome::ConnectionLost ||
         outcome == Outcome::RunTimeout;
}

} // namespace

KernelTimes::KernelTimes(const std::vector<TimedKernel> &stored) {
  for (const TimedKernel &kernel : stored) {
    m_known.emplace(kernel.content, kernel);
    m_claimed.insert(kernel.content);
  }
}

bool KernelTimes::claim(const std::string &content) {
  const std::lock_guard lock(m_mutex);
  return m_claimed.insert(content).second;
}

bool KernelTimes::isKnown(std::span<const CandidateKernel> kernels) const {
  return std::ranges::all_of(
      kernels, [&](const CandidateKernel &kernel) { return m_known.contains(kernel.content); });
}

std::optional<TuneWork> KernelTimes::await(TuneWork work) {
  const std::lock_guard lock(m_mutex);
  if (isKnown(work.parts)) return work;
  m_waiting.push_back(std::move(work));
  return std::nullopt;
}

std::vector<TuneWork> KernelTimes::finish(const TimedKernel &kernel) {
  const std::lock_guard lock(m_mutex);
  m_known.insert_or_assign(kernel.content, kernel);
  const auto ready =
      std::stable_partition(m_waiting.begin(), m_waiting.end(),
                            [&](const TuneWork &work) { return !isKnown(work.parts); });
  std::vector<TuneWork> works(std::make_move_iterator(ready),
                              std::make_move_iterator(m_waiting.end()));
  m_waiting.erase(ready, m_waiting.end());
  return works;
}

std::vector<search::MeasuredKernel>
KernelTimes::timesOf(std::span<const CandidateKernel> kernels) const {
  const std::lock_guard lock(m_mutex);
  std::vector<search::MeasuredKernel> times;
  for (const CandidateKernel &kernel : kernels) {
    const auto known = m_known.find(kernel.content);
    if (known == m_known.end() || !known->second.seconds) return {};
    times.push_back({kernel.output, *known->second.seconds});
  }
  return times;
}

std::optional<TimedKernel> KernelTimes::fatalOf(std::span<const CandidateKernel> kernels) const {
  const std::lock_guard lock(m_mutex);
  for (const CandidateKernel &kernel : kernels) {
    const auto known = m_known.find(kernel.content);
    if (known != m_known.end() && isFatal(known->second.outcome)) return known->second;
  }
  return std::nullopt;
}

double secondsOf(std::span<const search::MeasuredKernel> kernels) {
  return std::accumulate(
      kernels.begin(), kernels.end(), 0.0,
      [](double sum, const search::MeasuredKernel &kernel) { return sum + kernel.seconds; });
}

} // namespace tessera::tune

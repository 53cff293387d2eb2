// SPDX-License-Identifier: MIT
#include "engine/cost/load/live_values.h"

#include <algorithm>
#include <numeric>

namespace tessera::cost {

using pipeline::Interval;

namespace {

double sum(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

void LiveValues::look(const Run &run, std::span<const Interval> body,
                      std::span<const Reads::Count> counts) {
  m_run = &run;
  m_counts = counts;
  m_kept.assign(counts.size(), 0.0);
  bool isFirst = true;
  for (const FlatLoop &loop : run.body()) {
    if (loop.iterations <= 1) continue;
    keepAlong(loop, body);
    if (isFirst || sum(m_along) < sum(m_kept)) {
      m_kept = m_along;
      m_row = m_here;
    }
    isFirst = false;
  }
  const std::span<const Reads::Source> sources = run.reads->sources();
  if (std::ranges::none_of(sources, &Reads::Source::inlined)) return;
  if (isFirst) run.reads->evaluate(body, m_row);
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (sources[s].inlined) keepOfInlined(s);
}

void LiveValues::keepAlong(const FlatLoop &loop, std::span<const Interval> body) {
  m_over.assign(body.begin(), body.end());
  m_over[loop.dim].max -= loop.reach();
  m_run->reads->evaluate(m_over, m_here);
  m_over[loop.dim].min += loop.step;
  m_over[loop.dim].max += loop.step;
  m_run->reads->evaluate(m_over, m_next);
  share(m_here, m_next);
}

void LiveValues::keepOfInlined(std::size_t reader) {
  const std::span<const Interval> box = m_run->reads->sources()[reader].boxIn(m_row);
  m_least.clear();
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (box[d].extent() <= 1) continue;
    m_over.assign(box.begin(), box.end());
    m_over[d].max = m_over[d].min;
    m_run->reads->evaluateFrom(reader, m_over, m_here);
    ++m_over[d].min;
    ++m_over[d].max;
    m_run->reads->evaluateFrom(reader, m_over, m_next);
    share(m_here, m_next);
    if (m_least.empty() || sum(m_along) < sum(m_least)) m_least = m_along;
  }
  for (std::size_t s = 0; s < m_least.size(); ++s)
    m_kept[s] = std::max(m_kept[s], m_least[s]);
}

void LiveValues::share(const std::vector<Interval> &here, const std::vector<Interval> &next) {
  m_along.assign(m_counts.size(), 0.0);
  const std::span<const Reads::Source> sources = m_run->reads->sources();
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (sources[s].passedOn) continue;
    m_along[s] =
        std::min(m_counts[s].loads, volumeShared(sources[s].boxIn(here), sources[s].boxIn(next)));
  }
}

} // namespace tessera::cost

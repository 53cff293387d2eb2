// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/races.h"

#include <algorithm>

namespace tessera::halide::lowered {

void Races::follow(std::uint32_t kernel, std::size_t bytes, std::size_t granule) {
  if (m_kernel == kernel) return;
  m_kernel = kernel;
  const std::size_t count = (bytes + granule - 1) / granule;
  if (m_granule != granule || m_traces.size() != count) m_traces.assign(count, {});
  m_granule = granule;
}

bool Races::areUnordered(const Access &before, const Access &now) {
  if (before.block != now.block) return true;
  return before.era == now.era && before.thread != now.thread;
}

Races::Trace &Races::current(std::size_t granule) {
  Trace &trace = m_traces[granule];
  if (trace.kernel != m_kernel) {
    trace = {};
    trace.kernel = m_kernel;
  }
  return trace;
}

// Of all that have read the element since a barrier one is kept, or that there were many.
void Races::noteReader(Trace &trace, const Access &access) {
  Access &reader = trace.reader;
  if (!trace.isRead || (reader.block == access.block && reader.era != access.era)) {
    reader = access;
    trace.isRead = true;
    return;
  }
  if (reader.block != access.block) reader.block = kMany;
  if (reader.thread != access.thread) reader.thread = kMany;
}

std::optional<Access> Races::read(std::size_t byte, std::size_t count, const Access &access) {
  std::optional<Access> other;
  for (std::size_t g = byte / m_granule; g * m_granule < byte + count; ++g) {
    Trace &trace = current(g);
    // Of three or more that wrote the same value not all are known: the reader may be one of them.
    const bool isWritten = trace.writers == 1 || trace.writers == 2;
    if (isWritten && areUnordered(trace.first, access) && areUnordered(trace.last, access) &&
        !(access.isAtomic && trace.last.isAtomic))
      other = trace.last;
    if (!access.isAtomic) noteReader(trace, access);
  }
  return other;
}

std::optional<Access> Races::write(std::size_t byte, std::size_t count, const Access &access,
                                   bool isSame) {
  std::optional<Access> other;
  for (std::size_t g = byte / m_granule; g * m_granule < byte + count; ++g) {
    Trace &trace = current(g);
    const bool isUnordered = trace.writers > 0 && (areUnordered(trace.first, access) ||
                                                   areUnordered(trace.last, access));
    if (isSame) {
      // Whoever reads the element sees this value, with and without this write.
      if (!isUnordered) continue;
      trace.last = access;
      trace.writers = static_cast<std::uint8_t>(std::min(trace.writers + 1, 3));
      continue;
    }
    if (isUnordered && !(access.isAtomic && trace.last.isAtomic)) other = trace.last;
    if (trace.isRead && areUnordered(trace.reader, access)) other = trace.reader;
    trace.first = trace.last = access;
    trace.writers = 1;
  }
  return other;
}

} // namespace tessera::halide::lowered

// SPDX-License-Identifier: MIT
#include "engine/cost/load/dram_reads.h"

#include <algorithm>

namespace tessera::cost {

void DramReads::add(const DramRead &read) {
  if (m_count < kMost) {
    m_reads[m_count++] = read;
    return;
  }
  DramRead &least = *std::ranges::min_element(m_reads, {}, &DramRead::bytes);
  if (least.bytes < read.bytes) least = read;
}

double SharedDramReads::again(const DramRead &read) {
  const auto end = m_fetched.begin() + static_cast<std::ptrdiff_t>(m_count);
  const auto known = std::find_if(m_fetched.begin(), end, [&](const DramRead &fetched) {
    return fetched.producer == read.producer;
  });
  if (known == end) {
    if (m_count < kMost) m_fetched[m_count++] = read;
    return 0;
  }
  const double together = std::min(known->bytes + read.bytes, read.whole);
  const double again = known->bytes + read.bytes - together;
  known->bytes = together;
  return again;
}

} // namespace tessera::cost

// SPDX-License-Identifier: MIT
#include "engine/search/tuning/other_rates.h"

#include <array>
#include <cstdint>
#include <numbers>

namespace tessera::search {

namespace {

double factor(std::mt19937_64 &random) {
  constexpr std::array kFactors{0.5, 1 / std::numbers::sqrt2, 1.0, std::numbers::sqrt2, 2.0};
  return kFactors[random() % kFactors.size()];
}

} // namespace

machine::Machine withOtherRates(machine::Machine machine, std::mt19937_64 &random) {
  machine::Memory &memory = machine.memory;
  machine::Multiprocessor &sm = machine.sm;
  for (double *rate : {&memory.dramBytesPerSecond, &memory.l2BytesPerSecond, &sm.cacheBytesPerClock,
                       &sm.sharedBytesPerClock, &sm.fp32, &sm.int32, &sm.warpsIssued})
    *rate *= factor(random);
  const double latency = factor(random);
  for (double *clocks :
       {&memory.sharedLatency, &memory.cacheLatency, &memory.l2Latency, &memory.dramLatency})
    *clocks *= latency;
  memory.l2Bytes = static_cast<std::int64_t>(static_cast<double>(memory.l2Bytes) * factor(random));
  return machine;
}

} // namespace tessera::search

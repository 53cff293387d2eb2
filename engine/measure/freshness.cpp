// SPDX-License-Identifier: MIT
#include "engine/measure/freshness.h"

#include <array>

namespace tessera::measure {

namespace {

constexpr std::array<std::string_view, 4> kNames{"fresh", "other pipeline", "other schedule",
                                                 "other inputs"};

} // namespace

std::string_view name(Freshness freshness) { return kNames[static_cast<std::size_t>(freshness)]; }

Freshness freshnessOf(const Basis &found, const Basis &now) {
  const bool isContentKnown = !found.contentSha256.empty() && !now.contentSha256.empty();
  if (isContentKnown && found.contentSha256 != now.contentSha256) return Freshness::OtherPipeline;
  if (found.scheduleHash != 0 && found.scheduleHash != now.scheduleHash)
    return Freshness::OtherSchedule;
  return found.inputs == now.inputs ? Freshness::Fresh : Freshness::OtherInputs;
}

} // namespace tessera::measure

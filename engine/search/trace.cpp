// SPDX-License-Identifier: MIT
#include "engine/search/trace.h"

#include <cmath>

namespace tessera::search {

std::string_view name(TraceOutcome outcome) {
  switch (outcome) {
  case TraceOutcome::Taken:
    return "taken";
  case TraceOutcome::Refused:
    return "refused";
  case TraceOutcome::Frozen:
    return "frozen";
  case TraceOutcome::Tried:
    break;
  }
  return "tried";
}

void TraceWriter::append(Trace trace, std::string_view phase) {
  if (!isOn()) return;
  for (TraceRow &row : trace.rows) {
    if (!phase.empty()) row.phase = std::string(phase) + ": " + row.phase;
    add([&row] { return std::move(row); });
  }
  m_trace.leftOut += trace.leftOut;
}

std::optional<double> finiteCost(double cost) {
  return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
}

std::string sizesText(std::span<const std::int64_t> sizes) {
  std::string text;
  for (const std::int64_t size : sizes)
    text += (text.empty() ? "" : "×") + std::to_string(size);
  return text;
}

} // namespace tessera::search

// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_trace.h"

namespace tessera::search {

TraceRow rowOf(const EndedPass &pass) {
  TraceRow row;
  row.phase = pass.isPrePass ? "pre-pass" : "passes";
  row.what = pass.isPrePass ? "the pre-pass" : "pass " + std::to_string(pass.index + 1);
  row.cost = finiteCost(pass.cost);
  row.counts = {{"states", static_cast<double>(pass.counts.states)},
                {"buckets", static_cast<double>(pass.counts.buckets)},
                {"evaluated", static_cast<double>(pass.counts.evaluated)},
                {"kept", static_cast<double>(pass.counts.kept)}};
  return row;
}

TraceRow rowOf(const FrozenChoice &choice, const std::string &func) {
  TraceRow row{"pre-pass",
               choice.place.place == BeamPlace::Inline ? "inline" : "a kernel of its own",
               {func},
               finiteCost(choice.cost)};
  row.outcome = TraceOutcome::Frozen;
  return row;
}

TraceRow sampleRow(std::size_t sample, double cost, std::string_view refusal) {
  TraceRow row;
  row.phase = sample == 0 ? "passes" : "greedy samples";
  row.what = sample == 0 ? "the beam sample" : "greedy sample " + std::to_string(sample);
  row.cost = finiteCost(cost);
  row.outcome = refusal.empty() ? TraceOutcome::Taken : TraceOutcome::Refused;
  row.reason = refusal;
  return row;
}

} // namespace tessera::search

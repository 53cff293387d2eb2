// SPDX-License-Identifier: MIT
#include "engine/halide/import/fitting.h"

#include <algorithm>

namespace tessera::halide {

namespace {

// Another size of one buffer may change what is needed of another, but not for long: regions grow
// from the outputs to the inputs.
constexpr int kRounds = 8;

void setSize(std::vector<EstimateOverride> &sizes, const EstimateConflict &conflict) {
  const auto same = std::ranges::find(sizes, conflict.name, &EstimateOverride::name);
  if (same == sizes.end())
    sizes.push_back({conflict.name, conflict.fit, ""});
  else
    same->dims = conflict.fit;
}

} // namespace

Error contradiction(const PreparedPipeline &prepared) {
  std::string text;
  for (const EstimateConflict &conflict : prepared.conflicts)
    text += (text.empty() ? "" : "; ") + ("\"" + conflict.name + "\": ") + conflict.text;
  return {ErrorCode::InputRefused, "the estimates contradict the pipeline: " + text,
          "Open it with --fit-estimates, or give other sizes with --estimate.",
          ErrorRemedy::Estimates};
}

Result<PreparedPipeline> prepareFitting(const ImportOptions &options,
                                        std::vector<EstimateOverride> &sizes) {
  for (int round = 0;; ++round) {
    ImportOptions sized = options;
    sized.estimates.insert(sized.estimates.end(), sizes.begin(), sizes.end());
    auto prepared = preparePipeline(sized);
    if (!prepared || prepared->conflicts.empty()) return prepared;
    for (const EstimateConflict &conflict : prepared->conflicts) {
      if (conflict.fit.empty() || round == kRounds) return contradiction(*prepared);
      setSize(sizes, conflict);
    }
  }
}

std::vector<pipeline::NamedSize> fittingSizes(const PreparedPipeline &prepared,
                                              const ImportOptions &options) {
  std::vector<EstimateOverride> sizes;
  std::vector<pipeline::NamedSize> fitting;
  if (prepared.conflicts.empty() || !prepareFitting(options, sizes)) return fitting;
  for (const EstimateOverride &size : sizes)
    fitting.push_back({size.name, size.dims});
  return fitting;
}

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#include "app/cli_weights.h"

#include "engine/host/files.h"
#include "engine/search/beam/beam_parameters.h"

namespace tessera::app {

Result<learn::TrainedWeights> trainedWeightsIn(const std::string &file) {
  const auto bytes = host::readFile(file);
  if (!bytes) return bytes.error();
  return learn::weightsFrom(*bytes, file);
}

Result<std::shared_ptr<const learn::Weights>> weightsIn(const std::string &file) {
  if (file.empty()) return std::shared_ptr<const learn::Weights>();
  const auto trained = trainedWeightsIn(file);
  if (!trained) return trained.error();
  return std::make_shared<const learn::Weights>(trained->weights);
}

Status checkWeights(const std::string &file, const std::string &algorithm,
                    search::ParameterValues &parameters) {
  constexpr auto kLearned = static_cast<double>(search::BeamCostKind::Learned);
  if (file.empty()) {
    const auto cost = parameters.find("COST");
    if (algorithm != "beam" || cost == parameters.end() || cost->second != kLearned) return Done{};
    return Error{ErrorCode::Usage, "COST=learned needs weights",
                 "give a file to --weights: one of learn train, or baseline.weights in Halide's "
                 "src/autoschedulers/anderson2021"};
  }
  if (algorithm != "beam")
    return Error{ErrorCode::Usage, "the algorithm " + algorithm + " has no learned cost",
                 "--weights needs --algorithm beam"};
  parameters.try_emplace("COST", kLearned);
  return Done{};
}

} // namespace tessera::app

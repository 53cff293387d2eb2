// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/cost/prediction.h"
#include "engine/learn/correction.h"
#include "engine/machine/machine.h"
#include "engine/pipeline/pipeline.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tessera::app {

// The correction in a file of `learn correct`.
Result<learn::Correction> correctionIn(const std::string &file);
// The same; refused if it was learned on other machines alone.
Result<learn::Correction> correctionFor(const machine::Machine &machine, const std::string &file);

// What a correction says of a prediction.
struct Judged {
  learn::Correction correction;
  std::vector<learn::Corrected> kernels; // in the order of the prediction
  double seconds = 0;                    // of the whole
};
// Nothing without a file.
Result<std::optional<Judged>> judgedBy(const std::string &file, const cost::Prediction &prediction,
                                       const machine::Machine &machine);

// Adds members to the document, and to each of its kernels.
void addJson(const Judged &judged, const cost::Prediction &prediction,
             nlohmann::ordered_json &document);
void printText(const Judged &judged, const cost::Prediction &prediction,
               const pipeline::Pipeline &pipeline);

} // namespace tessera::app

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <string>
#include <vector>

namespace tessera::document {

// A document carried over to the current state of its pipeline: after a rebuild of the generator,
// or at another size.
struct Carried {
  Document document;
  std::vector<std::string> lost; // what could not be carried over, for the user
};

// Matches funcs by name. The current schedule and the candidates become schedules of the pipeline
// `now`. Decisions about missing funcs are lost, and so is a schedule that is impossible on the new
// pipeline. Measurements keep the record of what they measured, so that those of another pipeline
// are recognised. Predictions and the history are not carried over.
Carried carriedOver(const Document &before, PipelineCopyPtr now);

} // namespace tessera::document

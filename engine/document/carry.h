// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"

#include <string>
#include <vector>

namespace tessera::document {

// A document carried over to its pipeline as it is now: after a rebuild of the generator, or at
// another size.
struct Carried {
  Document document;
  std::vector<std::string> lost; // what has no place there, for a person
};

// By names: what is current and the candidates become schedules of the pipeline `now`. Decisions
// about funcs that are gone are lost, and so is a schedule that cannot be said there at all.
// Measurements stay with what they are of, so that those of another pipeline are known as such;
// predictions and the history are not carried over.
Carried carriedOver(const Document &before, PipelineCopyPtr now);

} // namespace tessera::document

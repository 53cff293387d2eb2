// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/factored.h"
#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <string>
#include <variant>
#include <vector>

namespace tessera::schedule {

// Funcs that a schedule adds to a pipeline. The descriptions refer to funcs by name, because adding
// a func changes the ids of other funcs.

// A copy of a func or an input that `consumers` read instead of the original. If `consumers` is
// empty, all readers of the original read the copy.
struct Wrapper {
  std::string name;
  std::string of;
  std::vector<std::string> consumers;

  friend bool operator==(const Wrapper &, const Wrapper &) = default;
};

// A second computation of a func, which `consumers` read instead of the original.
struct Clone {
  std::string name;
  std::string of;
  std::vector<std::string> consumers;

  friend bool operator==(const Clone &, const Clone &) = default;
};

using Derivation = std::variant<Wrapper, Clone, Factored>;

const std::string &nameOf(const Derivation &derivation);

// The pipeline with one more func. An error names the func and the reason.
Result<pipeline::PipelinePtr> derive(const pipeline::Pipeline &pipeline,
                                     const Derivation &derivation);

// Adds many funcs to a pipeline, one after the other. The pipeline with all wrappers and clones is
// checked once, in take(), so a thousand of them do not take a thousand checks.
class Deriver {
public:
  explicit Deriver(const pipeline::Pipeline &pipeline) : m_parts(pipeline.parts()) {}

  Status add(const Derivation &derivation); // leaves the pipeline unchanged if it fails
  Result<pipeline::PipelinePtr> take() &&;

private:
  Status addFunc(const Wrapper &wrapper);
  Status addFunc(const Clone &clone);
  Status addFunc(const Factored &factored);

  pipeline::PipelineParts m_parts;
};

} // namespace tessera::schedule

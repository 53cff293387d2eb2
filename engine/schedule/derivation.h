// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/factored.h"

#include <string>
#include <variant>
#include <vector>

namespace tessera::schedule {

// Stages that a schedule adds to a pipeline. They are named, never numbered: numbers move when a
// func is added.

// A copy of a func or an input that `consumers` read instead of it; none: all of them.
struct Wrapper {
  std::string name;
  std::string of;
  std::vector<std::string> consumers;

  friend bool operator==(const Wrapper &, const Wrapper &) = default;
};

// A second computation of a func, for `consumers`.
struct Clone {
  std::string name;
  std::string of;
  std::vector<std::string> consumers;

  friend bool operator==(const Clone &, const Clone &) = default;
};

using Derivation = std::variant<Wrapper, Clone, Factored>;

const std::string &nameOf(const Derivation &derivation);

// The pipeline with one stage more. Refuses what cannot be, naming func and reason.
Result<pipeline::PipelinePtr> derive(const pipeline::Pipeline &pipeline,
                                     const Derivation &derivation);

// The pipeline with many stages more, one after the other: copies of a thousand funcs take as long
// as one.
class Deriver {
public:
  explicit Deriver(const pipeline::Pipeline &pipeline) : m_parts(pipeline.parts()) {}

  Status add(const Derivation &derivation); // refused: as it was before
  Result<pipeline::PipelinePtr> take() &&;

private:
  Status addFunc(const Wrapper &wrapper);
  Status addFunc(const Clone &clone);
  Status addFunc(const Factored &factored);

  pipeline::PipelineParts m_parts;
};

} // namespace tessera::schedule

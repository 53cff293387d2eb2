// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/words/size_expression.h"

#include <Halide.h>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

// Estimates, promises and defaults of a pipeline's inputs, which Halide's file format drops, and
// those of its outputs. They are stored beside `NAME.hlpipe` as `NAME.estimates.json`. A value that
// is not set is null in the file and nullopt here.
struct SidecarDim {
  std::optional<std::int64_t> minEstimate, extentEstimate; // estimates
  std::optional<std::int64_t> min, extent, stride;         // promises of the generator
  // The same, where they are expressions of other sizes; each is set in one of the two forms.
  std::optional<schedule::SizeExpression> minSize, extentSize, strideSize;
};

struct SidecarParam {
  std::string name;
  bool isBuffer = true;
  Halide::Type type;
  std::vector<SidecarDim> dims;
  std::optional<int> hostAlignment;
  std::string estimate, defaultValue, minValue, maxValue; // as text; empty: not set
};

struct SidecarOutput {
  std::string name;
  std::vector<SidecarDim> dims;
};

struct Sidecar {
  std::vector<SidecarParam> params;
  std::vector<SidecarOutput> outputs;
  std::string pipelineSha256; // of the .hlpipe file; empty: not recorded

  const SidecarParam *find(const std::string &name) const;
};

std::string sidecarPath(const std::string &pipelinePath);

// The values set on the outputs and on `params` (by name, as serialize_pipeline() collects them).
Sidecar sidecarOf(const Halide::Pipeline &pipeline,
                  const std::map<std::string, Halide::Parameter> &params);

nlohmann::ordered_json toJson(const Sidecar &sidecar);
// An error says the line, the column and the member that is wrong, and of a file its path in front.
Result<Sidecar> sidecarFromJson(std::string_view text);
Result<Sidecar> readSidecar(const std::string &path);

// The parameters to pass to deserialize_pipeline(), with everything set that the sidecar contains.
std::map<std::string, Halide::Parameter> parametersOf(const Sidecar &sidecar);

// A scalar of `type` from text: "3.5", "-2", "true"; undefined when the text does not fit the type.
Halide::Expr scalarFromText(const Halide::Type &type, const std::string &text);
// The inverse of scalarFromText() for constants; empty for any other expression.
std::string textOfScalar(const Halide::Expr &value);

} // namespace tessera::halide

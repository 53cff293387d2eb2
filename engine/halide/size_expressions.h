// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/words/size_expression.h"

#include <Halide.h>

#include <map>
#include <optional>
#include <string>

namespace tessera::halide {

// The expression of a schedule that Halide has; nothing where it has other operations or types than
// sizes need, or is a constant.
std::optional<schedule::SizeExpression> sizeExpressionOf(const Halide::Expr &expr);

// The inverse, for the sizes of one pipeline.
class PipelineSizes {
public:
  explicit PipelineSizes(const Halide::Pipeline &pipeline);
  // For a pipeline that has these inputs, and outputs that are not known yet: other names are sizes
  // of those.
  static PipelineSizes ofInputs(std::map<std::string, Halide::Parameter> inputs);

  // Fails where the pipeline has no buffer or scalar of a name.
  Result<Halide::Expr> expr(const schedule::SizeExpression &expression) const;

private:
  PipelineSizes() = default;
  Result<Halide::Expr> variable(const std::string &name) const;

  std::map<std::string, Halide::Parameter> m_parameters; // of inputs and outputs, by name
  bool m_knowsOutputs = true;
};

} // namespace tessera::halide

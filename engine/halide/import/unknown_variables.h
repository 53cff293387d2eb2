// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <vector>

namespace tessera::halide {

// Finds the scalars and the metadata of buffers (`input.extent.0`) in an expression: what has no
// estimate yet, once estimates were substituted.
struct UnknownVariables : Halide::Internal::IRVisitor {
  using IRVisitor::visit;
  std::vector<const Halide::Internal::Variable *> found;
  void visit(const Halide::Internal::Variable *v) override {
    if (v->param.defined() || v->image.defined()) found.push_back(v);
  }
};

inline bool isMetadata(const Halide::Internal::Variable &v) {
  return (v.param.defined() && v.param.is_buffer()) || v.image.defined();
}

} // namespace tessera::halide

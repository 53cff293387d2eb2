// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/lower.h"

namespace tessera::halide::lowered {

namespace {

// The last pass of lowering: keeps the code, and leaves none of it to be compiled.
class Keep : public Halide::Internal::IRMutator {
public:
  using IRMutator::mutate;
  Halide::Internal::Stmt mutate(const Halide::Internal::Stmt &s) override {
    kept = s;
    return Halide::Internal::Evaluate::make(0);
  }

  Halide::Internal::Stmt kept;
};

} // namespace

Halide::Internal::Stmt lower(Halide::Pipeline &pipeline, const Halide::Target &target) {
  Keep keep;
  pipeline.add_custom_lowering_pass(&keep, nullptr);
  const auto forget = [&pipeline] { pipeline.clear_custom_lowering_passes(); };
  try {
    pipeline.compile_to_module(pipeline.infer_arguments(), "lowered", target);
  } catch (...) {
    forget();
    throw;
  }
  forget();
  return keep.kept;
}

} // namespace tessera::halide::lowered

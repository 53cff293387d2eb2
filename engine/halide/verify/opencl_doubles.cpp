// SPDX-License-Identifier: MIT
#include "engine/halide/verify/opencl_doubles.h"

#include <bit>
#include <cstdint>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

class KeepDoubles : public ir::IRMutator {
  using IRMutator::visit;

  Halide::Expr visit(const ir::FloatImm *constant) override {
    const double value = constant->value;
    if (constant->type.bits() != 64 || static_cast<float>(value) == value) return constant;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return ir::Reinterpret::make(constant->type, ir::UIntImm::make(Halide::UInt(64), bits));
  }
};

} // namespace

void keepDoubles(Halide::Pipeline &pipeline) {
  pipeline.add_custom_lowering_pass(new KeepDoubles); // the pipeline deletes it
}

} // namespace tessera::halide

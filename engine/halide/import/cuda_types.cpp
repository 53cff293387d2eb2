// SPDX-License-Identifier: MIT
#include "engine/halide/import/cuda_types.h"
#include "engine/halide/import/load.h"

#include <string>
#include <vector>

namespace tessera::halide {

namespace {

namespace ir = Halide::Internal;

const std::string kReason =
    "computes in bfloat16 or converts it, and Halide 21 cannot make code of "
    "that for CUDA: its code generator stops";
const std::string kHint = "Compute in float32 or float16. \"tessera-cli verify --target lowered\" "
                          "can check the schedule as it is.";

class FindBfloat : public ir::IRVisitor {
public:
  bool found = false;

private:
  using IRVisitor::visit;
  void visit(const ir::Cast *op) override {
    found = found || op->type.is_bfloat() || op->value.type().is_bfloat();
    IRVisitor::visit(op);
  }
#define TESSERA_COMPUTES(Node)                                                                     \
  void visit(const ir::Node *op) override {                                                        \
    found = found || op->a.type().is_bfloat();                                                     \
    IRVisitor::visit(op);                                                                          \
  }
  TESSERA_COMPUTES(Add)
  TESSERA_COMPUTES(Sub)
  TESSERA_COMPUTES(Mul)
  TESSERA_COMPUTES(Div)
  TESSERA_COMPUTES(Mod)
  TESSERA_COMPUTES(Min)
  TESSERA_COMPUTES(Max)
  TESSERA_COMPUTES(EQ)
  TESSERA_COMPUTES(NE)
  TESSERA_COMPUTES(LT)
  TESSERA_COMPUTES(LE)
  TESSERA_COMPUTES(GT)
  TESSERA_COMPUTES(GE)
#undef TESSERA_COMPUTES
};

std::optional<std::string> funcInBfloat(const Halide::Pipeline &pipeline) {
  for (const auto &[name, function] : functionsOf(pipeline)) {
    FindBfloat find;
    function.accept(&find);
    if (find.found) return name;
  }
  return std::nullopt;
}

} // namespace

Status checkTypesForCuda(const Halide::Pipeline &pipeline) {
  const auto func = funcInBfloat(pipeline);
  if (!func) return Done{};
  return Error{ErrorCode::InputRefused, "\"" + *func + "\" " + kReason, kHint};
}

std::optional<pipeline::Remark> remarkOnCuda(const Halide::Pipeline &pipeline) {
  const auto func = funcInBfloat(pipeline);
  if (!func) return std::nullopt;
  return pipeline::Remark{*func, "it " + kReason + ". " + kHint};
}

} // namespace tessera::halide

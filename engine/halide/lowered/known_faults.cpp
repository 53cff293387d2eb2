// SPDX-License-Identifier: MIT
#include "engine/halide/lowered/known_faults.h"

namespace tessera::halide::lowered {

namespace {

namespace ir = Halide::Internal;
using Halide::Expr;
using Halide::Type;

bool isDense(const Expr &index) {
  const auto *ramp = index.as<ir::Ramp>();
  return ramp && ir::is_const_one(ramp->stride);
}

bool isConvertedFromFloat(const Expr &e) {
  if (const auto *select = e.as<ir::Select>())
    return isConvertedFromFloat(select->true_value) && isConvertedFromFloat(select->false_value);
  const auto *cast = e.as<ir::Cast>();
  return cast && cast->value.type().element_of() == Halide::Float(32);
}

} // namespace

std::size_t promisedAlignment(const Type &type, const Expr &index, ir::ModulusRemainder alignment) {
  const auto size = static_cast<std::size_t>(type.bytes());
  if (!isDense(index)) return size;
  const bool isAsOne = type.lanes() == 4 && type.bits() == 32;
  if (isAsOne && alignment.modulus % 4 == 0 && alignment.remainder % 4 == 0) return 16;
  std::size_t bytes = size;
  for (; bytes < 4 && alignment.modulus % 2 == 0 && alignment.remainder % 2 == 0; bytes *= 2)
    alignment = {alignment.modulus / 2, alignment.remainder / 2};
  return bytes;
}

bool losesConversion(const ir::Store &op) {
  const Type type = op.value.type();
  if (type.element_of() != Halide::Float(16) || type.is_scalar() || !isDense(op.index) ||
      !isConvertedFromFloat(op.value))
    return false;
  constexpr std::size_t kEnough = 4;
  const bool mayBeAnywhere =
      op.param.defined() && op.param.host_alignment() < static_cast<int>(kEnough);
  return type.lanes() == 2 || mayBeAnywhere ||
         promisedAlignment(type, op.index, op.alignment) < kEnough;
}

} // namespace tessera::halide::lowered

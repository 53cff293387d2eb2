// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/evaluator.h"
#include "engine/halide/lowered/state.h"
#include "engine/halide/lowered/used_where.h"

namespace tessera::halide::lowered {

// Executes statements of lowered code, before the device code is split off: kernels are loops over
// blocks and threads. Throws Stopped where it cannot go on.
class Interpreter {
public:
  explicit Interpreter(State &state) : m_state(state), m_evaluator(state) {}

  void run(const Halide::Internal::Stmt &s);

private:
  void runLet(const Halide::Internal::LetStmt &op);
  ValuePtr valueOf(const Halide::Internal::LetStmt &let);
  void runAllocate(const Halide::Internal::Allocate &op);
  void runDeviceBuffer(const Halide::Internal::Allocate &op);
  void runAssert(const Halide::Internal::AssertStmt &op);
  void runIf(const Halide::Internal::IfThenElse &op);
  void runFor(const Halide::Internal::For &op);
  void runSerial(const Halide::Internal::For &op);
  void runKernel(const Halide::Internal::For &op);
  void runParallel(const Halide::Internal::For &op);
  void runSlice(const Halide::Internal::For &op, const ValuePtr &min, const ValuePtr &extent,
                std::int64_t from, std::uint32_t count);
  void runStore(const Halide::Internal::Store &op);
  void runAtomicStore(const Halide::Internal::Store &op, const ValuePtr &index);
  void storeAt(const Halide::Internal::Store &op, const ValuePtr &index);
  void passStep();
  void runBarrier();
  void runWithin(const Grid &grid, const Halide::Internal::Stmt &body);
  void allocate(const std::string &name, std::int64_t bytes, const Halide::Internal::Stmt &body);

  State &m_state;
  Evaluator m_evaluator;
  UsedWhere m_usedWhere;
  std::uint32_t m_kernels = 0;
};

} // namespace tessera::halide::lowered

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/state.h"

namespace tessera::halide::lowered {

// Computes expressions in all threads of the state's grid.
class Evaluator {
public:
  explicit Evaluator(State &state) : m_state(state) {}

  ValuePtr evaluate(const Halide::Expr &e);

  // The only value that a host's expression has.
  std::int64_t number(const Halide::Expr &e);

private:
  Value compute(const Halide::Expr &e);
  Value twoSided(const Halide::Expr &e);
  Value vectors(const Halide::Expr &e);
  Value call(const Halide::Internal::Call &op);
  Value conditional(const Halide::Internal::Call &op);
  Value laneByLane(const Halide::Internal::Call &op, const Value &condition);
  Value within(const Grid &grid, const Halide::Expr &e);
  Value required(const Halide::Internal::Call &op);
  Value swapped(const Halide::Internal::Call &op);
  Value loaded(const Halide::Internal::Load &op);
  Value variable(const Halide::Internal::Variable &op) const;
  Value bound(const Halide::Internal::Let &op);
  std::vector<ValuePtr> all(const std::vector<Halide::Expr> &expressions);

  State &m_state;
};

} // namespace tessera::halide::lowered

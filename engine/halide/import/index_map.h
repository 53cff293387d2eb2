// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"
#include "engine/pipeline/stage.h"

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::halide {

// Turns the index expressions of one stage into index maps of its loops. The estimates have been
// substituted before: what is no loop, no constant and no load is unknown here.
class IndexEvaluator {
public:
  // An index can be one of several maps (select, mirrored boundaries); the box is the hull of all.
  using Maps = std::vector<pipeline::IndexMap>;

  // `values` are Halide's bounds of what funcs can hold, for indices that depend on data.
  IndexEvaluator(const std::vector<pipeline::LoopDim> &loops,
                 const Halide::Internal::FuncValueBounds &values);

  // What is fixed of a map is so as far as these loops and values go.
  Maps evaluate(const Halide::Expr &index);

  // The loops that an expression depends on, a bit each; nothing where data decide, or who knows.
  std::optional<std::uint32_t> decidedBy(const Halide::Expr &e) const;

  // A let around the index: its name stands for its value until popLet().
  void pushLet(const std::string &name, const Halide::Expr &value);
  void popLet();

private:
  struct Let {
    std::string name;
    Maps maps;
    Halide::Internal::Interval bounds;
    std::optional<std::uint32_t> decidedBy;
  };

  Maps visit(const Halide::Expr &e);
  Maps visitCall(const Halide::Internal::Call &call, const Halide::Expr &e);
  Maps visitCast(const Halide::Internal::Cast &cast, const Halide::Expr &e);
  Maps visitProduct(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &e);
  Maps visitModulo(const Halide::Expr &a, std::int64_t modulus);
  Maps visitMinMax(const Halide::Expr &a, const Halide::Expr &b, bool isMin);
  Maps visitVariable(const Halide::Internal::Variable &variable, const Halide::Expr &e);
  Maps unknown(const Halide::Expr &e, const std::string &reason);
  pipeline::Interval knownRange(const Halide::Expr &e);
  std::optional<std::uint32_t> decidedByName(const std::string &name) const;

  std::map<std::string, std::uint32_t> m_loops;
  std::vector<Let> m_lets;
  Halide::Internal::Scope<Halide::Internal::Interval> m_scope; // reductions bounded, pure loops not
  const Halide::Internal::FuncValueBounds &m_values;
};

// Whether an index is made of loops and constants with + - · / by constants, min, max and casts
// alone: the accesses of which nearly all have to be exact.
bool isAffine(const Halide::Expr &index);

// The constant ends of a Halide interval; infinite where they are no constants.
pipeline::Interval constantInterval(const Halide::Internal::Interval &interval);

} // namespace tessera::halide

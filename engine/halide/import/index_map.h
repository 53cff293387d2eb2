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

// Turns the index expressions of one stage into index maps over its loops. The estimates must have
// been substituted before: a variable that is neither a loop nor bound by a let is unknown.
class IndexEvaluator {
public:
  // An index may be one of several maps (select, mirrored boundaries). Its box is the hull of them
  // all.
  using Maps = std::vector<pipeline::IndexMap>;

  // `values` are Halide's bounds of the values of funcs, for indices that depend on data.
  IndexEvaluator(const std::vector<pipeline::LoopDim> &loops,
                 const Halide::Internal::FuncValueBounds &values);

  // IndexMap::fixed of the result is right only if the loops and values given to the constructor
  // are the same for every image size.
  Maps evaluate(const Halide::Expr &index);

  // The loops that an expression depends on, one bit each; nullopt if it depends on data or on
  // something unknown.
  std::optional<std::uint32_t> decidedBy(const Halide::Expr &e) const;

  // Enters a let around the index: the name stands for its value until popLet().
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
  Halide::Internal::Scope<Halide::Internal::Interval> m_scope; // bounds; pure loops have none
  const Halide::Internal::FuncValueBounds &m_values;
};

// Whether an index consists only of loops and constants with + and -, multiplication and division
// by constants, min, max and casts. A test requires that nearly all accesses with such indices are
// exact.
bool isAffine(const Halide::Expr &index);

// The constant ends of a Halide interval; infinite where an end is not constant.
pipeline::Interval constantInterval(const Halide::Internal::Interval &interval);

} // namespace tessera::halide

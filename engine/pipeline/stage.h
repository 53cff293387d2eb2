// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"
#include "engine/pipeline/estimate.h"
#include "engine/pipeline/expression.h"
#include "engine/pipeline/one_loop_map.h"
#include "engine/pipeline/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::pipeline {

struct LoopDim {
  enum class Kind : std::uint8_t { Pure, Reduction };
  std::string name;
  Kind kind = Kind::Pure;
  Interval range;           // with the estimated sizes
  bool independent = false; // a reduction loop whose iterations Halide proved free of races
  bool fixed = false;       // a reduction loop whose extent does not depend on the image size
  // For a pure loop: the dimension of its func. Set by Pipeline::create.
  std::optional<std::uint16_t> argument;

  friend bool operator==(const LoopDim &, const LoopDim &) = default;
};

enum class OpKind : std::uint8_t {
  Add, // + and -
  Multiply,
  Divide,
  Modulo,
  MinMax,
  Compare,
  Logic, // and, or, not, bitwise, shifts
  Select,
  Cast,
  Transcendental, // exp, log, pow, sin, sqrt …, in the special function unit
  OtherCall,
  Load,
};
inline constexpr int kOpKinds = 12;
std::string_view name(OpKind kind);
std::optional<OpKind> opKindFromName(std::string_view name);

// Operations in one evaluation of a stage's definition. Common subexpressions count once.
struct OpCount {
  OpKind kind = OpKind::Add;
  ScalarType type; // of the result; for Compare: of the operands
  std::uint32_t count = 0;

  friend bool operator==(const OpCount &, const OpCount &) = default;
};

// Operations of a definition that depend only on some of the loops. Evaluations that differ only in
// other loops share the results: if those loops are unrolled, the code computes them once.
struct SteadyOps {
  std::uint32_t loops = 0; // a bit for each loop that they depend on
  std::vector<OpCount> operations;

  friend bool operator==(const SteadyOps &, const SteadyOps &) = default;
};

// What remains of a definition if a loop is unrolled completely. In each copy of the loop's body,
// the loop index is a constant, so the compiler decides selects whose condition depends only on it,
// and computes in advance what else depends only on it.
struct Folded {
  std::uint32_t loop = 0;
  // For how many values of the loop index the rest was counted; all counts are totals over these.
  std::uint32_t values = 1;
  std::vector<OpCount> operations;
  std::vector<SteadyOps> steady;
  struct Loads {
    Producer producer;
    std::uint32_t count = 0; // number of different loads

    friend bool operator==(const Loads &, const Loads &) = default;
  };
  std::vector<Loads> loads; // by producer, in the order of Stage::loads

  friend bool operator==(const Folded &, const Folded &) = default;
};

// A pure definition (index 0) or one update of a func.
struct Stage {
  FuncId func{};
  std::uint32_t index = 0;
  std::vector<LoopDim> loops;      // innermost first, in Halide's default order
  std::vector<OpCount> operations; // sorted by kind, then type
  std::vector<SteadyOps> steady;   // parts of `operations`, sorted by loops
  std::vector<Folded> folded;      // sorted by loop; only for loops whose index decides a select
  std::vector<Access> loads;       // loads of inputs and funcs, including its own func; by producer
  Access store;                    // the element that it writes, in terms of its own loops
  std::string definition;          // "f(x, y) = …", as Halide prints it
  std::string predicate;           // condition of the reduction domain; empty: none
  bool associative = false;        // an update that Halide proved associative
  bool commutative = false;        // an update whose steps may run in any order
  // Unknown in a stage that no definition was read for: one that a schedule adds, an extern stage,
  // and a stage of a document of an earlier version.
  std::optional<Expression> expression;

  friend bool operator==(const Stage &, const Stage &) = default;
};

// What computes an extern stage: a function of C, of which nothing but its name is known, and the
// device API in whose memory it works: "host", or as Halide calls it, "cuda" or "opencl".
struct ExternCall {
  std::string function;
  std::string deviceApi = "host";
  bool takesContext = false; // it gets the caller's context, as functions for user_context do

  friend bool operator==(const ExternCall &, const ExternCall &) = default;
};

// An extern stage is a func that is computed by an ExternCall. It has one stage, without
// operations, with a loop for each argument, which reads the whole of each func and input that the
// call gets.
struct Func {
  std::string name;
  std::vector<ScalarType> types; // more than one: a tuple
  std::vector<std::string> args;
  StageId firstStage{};
  std::uint32_t stageCount = 1;
  Box region; // the region that the pipeline needs, with the estimated sizes
  bool isOutput = false;
  // Arguments that the algorithm bounds; no consumer may exceed the bound.
  std::vector<std::string> bounded;

  // The values of this func alone bound an index, and Halide would not know the bounds if it were
  // inlined.
  bool boundsIndices = false;

  std::optional<ExternCall> externCall;
  // Only for a func that an extern stage reads: what the extern stage reads of it, by dimension. No
  // source: the func's region has what else is known, such as what other stages read.
  std::vector<Estimate> handed;
  bool isHanded = false; // an extern stage reads it. Set by Pipeline::create.

  // An extern stage needs its result and all that it reads in memory of their own.
  bool isAtBoundary() const { return externCall || isHanded; }
  bool staysAtRoot() const { return isOutput || isAtBoundary(); }
  bool isBounded(std::string_view arg) const {
    return std::find(bounded.begin(), bounded.end(), arg) != bounded.end();
  }
  bool mayBeInlined() const { return !staysAtRoot() && stageCount == 1 && !boundsIndices; }
  friend bool operator==(const Func &, const Func &) = default;
};

// All accesses of one stage to one producer. For each producer dimension, it has the distinct maps
// whose hull is the box that the stage needs.
struct Edge {
  Producer producer;
  StageId consumer{};
  std::vector<std::vector<IndexMap>> maps; // [producer dimension][distinct map]
  std::uint32_t loads = 0;                 // loads in one evaluation of the stage
  // The elements of `maps` in compact form, one dimension after the other. A map that does not fit
  // OneLoopMap is empty.
  std::vector<OneLoopMap> oneLoop{};

  friend bool operator==(const Edge &, const Edge &) = default;
};

} // namespace tessera::pipeline

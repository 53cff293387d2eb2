// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/access.h"
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
  Interval range;           // under the estimates
  bool independent = false; // a reduction loop whose iterations Halide proved free of races
  bool fixed = false;       // a reduction loop whose extent is the same for every size
  // The dimension of its func that a pure loop counts through; filled in by Pipeline::create.
  std::optional<std::uint16_t> argument;

  friend bool operator==(const LoopDim &, const LoopDim &) = default;
};

enum class OpKind : std::uint8_t {
  Add,      // + and -
  Multiply, //
  Divide,
  Modulo,
  MinMax,
  Compare,
  Logic, // and, or, not, bitwise, shifts
  Select,
  Cast,
  Transcendental, // exp, log, pow, sin, sqrt … : what takes the special function unit
  OtherCall,
  Load,
};
inline constexpr int kOpKinds = 12;
std::string_view name(OpKind kind);
std::optional<OpKind> opKindFromName(std::string_view name);

// Operations in one evaluation of a stage's definition, common subexpressions counted once.
struct OpCount {
  OpKind kind = OpKind::Add;
  ScalarType type; // of the result; for Compare of the operands
  std::uint32_t count = 0;

  friend bool operator==(const OpCount &, const OpCount &) = default;
};

// Of these operations some that depend on a part of the loops: evaluations that differ in the other
// loops alone have them in common, and straight-line code computes them once.
struct SteadyOps {
  std::uint32_t loops = 0; // the bit of each loop that they depend on
  std::vector<OpCount> operations;

  friend bool operator==(const SteadyOps &, const SteadyOps &) = default;
};

// What is left of a definition in each copy of a loop that is unrolled whole: the loop is a number
// there, so choices by it are made and what depends on it alone is computed by the compiler.
struct Folded {
  std::uint32_t loop = 0;
  std::uint32_t values = 1; // of the loop that were looked at; what follows is of all together
  std::vector<OpCount> operations;
  std::vector<SteadyOps> steady;
  struct Loads {
    Producer producer;
    std::uint32_t count = 0; // of different ones

    friend bool operator==(const Loads &, const Loads &) = default;
  };
  std::vector<Loads> loads; // by producer, in the order of the stage's

  friend bool operator==(const Folded &, const Folded &) = default;
};

// A pure definition (index 0) or one update of a func.
struct Stage {
  FuncId func{};
  std::uint32_t index = 0;
  std::vector<LoopDim> loops;      // innermost first, as Halide's default order
  std::vector<OpCount> operations; // by kind, then type
  std::vector<SteadyOps> steady;   // a part of them, by rising loops
  std::vector<Folded> folded;      // by rising loop, of those that make a choice
  std::vector<Access> loads;       // of funcs and inputs, itself included; sorted by producer
  Access store;                    // where it writes, as a map of its own loops
  std::string definition;          // "f(x, y) = …", as Halide prints it
  std::string predicate;           // of the reduction domain; empty: none
  bool associative = false;        // an update that may be regrouped, as Halide proved,
  bool commutative = false;        // and taken in any order

  friend bool operator==(const Stage &, const Stage &) = default;
};

struct Func {
  std::string name;
  std::vector<ScalarType> types; // more than one: a tuple
  std::vector<std::string> args;
  StageId firstStage{};
  std::uint32_t stageCount = 1;
  Box region; // what the pipeline needs of it under the estimates
  bool isOutput = false;
  std::vector<std::string> bounded; // arguments that the algorithm bounds: nobody may ask for more

  bool isBounded(std::string_view arg) const {
    return std::find(bounded.begin(), bounded.end(), arg) != bounded.end();
  }
  friend bool operator==(const Func &, const Func &) = default;
};

// All accesses of one stage to one producer, merged: per producer dimension the distinct maps whose
// hull is the box that the stage needs.
struct Edge {
  Producer producer;
  StageId consumer{};
  std::vector<std::vector<IndexMap>> maps; // [producer dimension][distinct map]
  std::uint32_t loads = 0;                 // loads in one evaluation of the stage
  // Of all maps, one dimension after the other: their numbers alone, of those that are such.
  std::vector<OneLoopMap> oneLoop{};

  friend bool operator==(const Edge &, const Edge &) = default;
};

} // namespace tessera::pipeline

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/load.h"
#include "engine/base/result.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tessera::halide {

// One definition, as expressions over its own loops. A load of an input refers to the input by
// name, never to its staging handle.
struct StageSource {
  std::uint32_t func = 0;
  std::uint32_t index = 0;
  std::vector<Halide::Expr> args, values;
  Halide::Expr predicate; // undefined if there is none
  std::vector<Halide::Internal::ReductionVariable> reduction;
  std::set<std::string> independent; // reduction variables without races
};

// An extern stage has one StageSource, whose values are the expressions that its function gets.
struct FuncSource {
  Halide::Internal::Function function;
  std::vector<StageSource> stages;
  bool isOutput = false;
  // Only for an extern stage: the funcs and inputs that its function gets as buffers, by name, and
  // all that it gets, as text.
  std::vector<std::string> handed;
  std::string callText;

  bool isExtern() const { return function.has_extern_definition(); }
  bool isPure() const { return stages.size() == 1 && !isExtern(); }
};

struct InputSource {
  std::string name;
  Halide::Type type;
  int dims = 0;
  bool isScalar = false;
  bool isUsed = true;
  std::string stagingFunc;
  Halide::Buffer<> image; // data embedded in the file
};

// The computation in the file, before any estimate is applied.
struct Graph {
  std::vector<InputSource> inputs;
  std::vector<FuncSource> funcs; // producers before consumers
  std::vector<std::uint32_t> outputs;
  std::map<std::string, std::uint32_t> funcIndex, inputIndex;
  Halide::Internal::FuncValueBounds values; // ranges of the funcs' values

  const std::string &funcName(const StageSource &stage) const {
    return funcs[stage.func].function.name();
  }
  // "f" or "f.update(0)", for messages.
  std::string stageName(const StageSource &stage) const;
};

Result<Graph> buildGraph(const LoadedPipeline &loaded, const PhaseCallback &phase = {});

// Whether this is the parameter by which Halide passes the caller's context on, which is no input.
bool isUserContext(const std::string &parameter);

// If the func is Halide's staging handle of an input (`NAME_im`), returns the input's name, else
// "".
std::string stagedInputName(const Halide::Internal::Function &function);

// Every expression of the stage, for visitors: arguments, values and predicate.
std::vector<Halide::Expr> expressionsOf(const StageSource &stage);

} // namespace tessera::halide

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/words/directive.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

// Names that are the same in every build of a pipeline. Halide tells equal names apart by numbers
// that it counts in the whole process: what the first build calls blur, blur$1 and f4, the second
// one calls blur$2, blur$3 and f9. The name without numbers stays, and so does the order in which
// the funcs of that name were made, which is the order of their numbers.
//
// For another target or by another compiler, a generator may make funcs of one name in another
// order. Funcs that differ in their dimensions, their updates or in what they need are told apart
// by these, so that a text stops; others cannot be.
struct FuncShape {
  std::uint32_t dimensions = 0, updates = 0;

  friend bool operator==(const FuncShape &, const FuncShape &) = default;
};
struct LastingName {
  std::string name;        // without numbers; "f#" for funcs that have nothing but a number
  std::uint32_t which = 1; // the first, second … func of this name
  std::uint32_t of = 1;    // how many funcs have this name
  std::optional<FuncShape> shape = {}; // of one of several; an older text does not say it
  // A func that this one needs, itself or through others, and another one of this name and shape
  // does not; empty if nothing tells them apart.
  std::string needs = {};

  friend bool operator==(const LastingName &, const LastingName &) = default;
};

// "blur", or "blur#2" where there are several: the name of the func in the directives of a text.
std::string textOf(const LastingName &name);

// The lasting names of all funcs of a pipeline, by their names in this build. Numbers within a name
// are those of other funcs: sum$1_intm, and sum_1_intm$1 where there was one already. Lambdas are
// called lambda_7.
std::map<std::string, LastingName> lastingNames(std::span<const std::string> names);

// A loop without a name of its own (v4, r6$x) by its position among the arguments of its func, or
// among the reduction variables of an update.
struct LoopPlace {
  std::string func; // as in the directives of the text
  std::uint32_t stage = 0;
  std::uint32_t position = 0;

  friend bool operator==(const LoopPlace &, const LoopPlace &) = default;
};

// How a text finds what has no name for it alone.
struct FoundNames {
  std::map<std::string, LastingName> funcs;                // by their names in the text
  std::map<std::pair<std::string, bool>, LoopPlace> loops; // by name, and whether it is a reduction

  friend bool operator==(const FoundNames &, const FoundNames &) = default;
};

// Directives whose names last.
struct LastingDirectives {
  std::vector<Directive> directives;
  FoundNames names;

  friend bool operator==(const LastingDirectives &, const LastingDirectives &) = default;
};

// Gives directives for a pipeline the names that last.
LastingDirectives withLastingNames(std::vector<Directive> directives,
                                   const pipeline::Pipeline &pipeline);

// The inverse, for any build of the pipeline. Fails where the pipeline has another number of funcs
// of a name, so that it is unknown which one was meant. Other names that the pipeline does not have
// stay as they are.
Result<std::vector<Directive>> withNamesOf(const pipeline::Pipeline &pipeline,
                                           const LastingDirectives &lasting);

// The name of an output or of one of its values (output$1.0) without its number, as promises in
// texts have it, and the inverse. Inputs have no numbers.
std::string lastingBuffer(const std::string &name);
std::string bufferNamed(const pipeline::Pipeline &pipeline, const std::string &lasting);

} // namespace tessera::schedule

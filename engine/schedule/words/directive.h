// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/size_expression.h"
#include "engine/schedule/words/words.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera::schedule {

// One call of Halide's scheduling language on one stage. A schedule lowers to a list of directives,
// text is printed from them and parsed to them, and the worker performs them in order. They contain
// only names, and do not refer to a pipeline.

// The calls. Each has one signature, in directive.cpp; that table is all that printing, parsing and
// JSON know about a call.
enum class Verb : std::uint8_t {
  Split,   // old, outer, inner, factor, tail
  Fuse,    // inner, outer, fused
  Reorder, // loops, innermost first
  GpuBlocks,
  GpuThreads,
  GpuLanes,
  GpuSingleThread,
  Unroll,
  Vectorize,
  Parallel,
  ComputeRoot,
  ComputeAt,
  StoreRoot,
  StoreAt,
  HoistStorageRoot,
  HoistStorage,
  StoreIn,
  ReorderStorage,
  AlignStorage,
  BoundStorage,
  FoldStorage,
  Bound,
  BoundExtent,
  AlignBounds,
  Atomic, // flag; true: without Halide's proof of associativity
  AllowRaceConditions,
  NeverPartitionAll,
  NeverPartition,  // loops
  AlwaysPartition, // loops
  ComputeWith,
  Specialize,     // condition; a variant with the loops so far for runs in which it holds
  SpecializeFail, // message; the pipeline stops where no condition holds
  Memoize,
  Async,
  RingBuffer, // how many iterations are stored
  In,         // consumers, or none for all of them; makes a func
  CloneIn,    // consumers; makes a func
  RFactor,    // pairs of a reduction loop and its new pure loop; makes a func
};
inline constexpr int kVerbs = 38;

// A loop by its name: from the definition (`x`, `r$x`), or made by an earlier directive.
struct LoopName {
  std::string name;
  bool reduction = false;

  friend bool operator==(const LoopName &, const LoopName &) = default;
};

struct FuncName {
  std::string name;

  friend bool operator==(const FuncName &, const FuncName &) = default;
};

// What a call says to people.
struct Text {
  std::string text;

  friend bool operator==(const Text &, const Text &) = default;
};

// A loop of another func's stage, as compute_at wants it.
struct Level {
  std::string func;
  std::uint32_t stage = 0;
  LoopName loop;

  friend bool operator==(const Level &, const Level &) = default;
};

using Argument =
    std::variant<LoopName, std::int64_t, Tail, Storage, Level, FuncName, SizeExpression, Text>;

// A variant of a stage for a special case: the number of the specialize() call that made it, and
// behind it those of variants within that one. Empty: the stage itself.
using VariantPath = std::vector<std::uint32_t>;
inline constexpr std::size_t kDeepestVariant = 8;

struct Directive {
  std::string func; // a func of the pipeline or made earlier, or an input's staging func NAME_im
  std::uint32_t stage = 0; // 0: the pure definition, n: update(n - 1)
  Verb verb = Verb::ComputeRoot;
  std::vector<Argument> arguments;
  std::string makes; // for In, CloneIn, RFactor: the name of the func that the call returns
  VariantPath variant = {};

  friend bool operator==(const Directive &, const Directive &) = default;
};

enum class ParameterKind : std::uint8_t {
  Loop,
  PureLoop,
  ReductionLoop,
  LoopPair, // a reduction loop and a pure one
  Number,   // of 32 bits, like Halide's extents
  Size,     // a number, or an expression of sizes that is one
  Condition,
  Flag, // the number 0 or 1
  Tail,
  Storage,
  Level,
  Func,
  Text,
};

// The parameters of a call. The last one may repeat, at least `min` and at most `max` times.
struct Signature {
  Verb verb;
  std::string_view name; // Halide's name of the call, the same in C++ and Python
  std::vector<ParameterKind> parameters;
  bool lastRepeats = false;
  std::uint8_t min = 0;
  bool ofFunc = false; // true: a method of Func, not of Stage, so only for stage 0
  bool makesFunc = false;
  std::size_t max = std::size_t(-1);
};

std::span<const Signature> signatures(); // in the order of Verb
const Signature &signature(Verb verb);
const Signature *signatureNamed(std::string_view name);

// Whether no decision of a schedule can say the call, so that it is kept as it is: specialize() and
// what makes its variants, a bound that is an expression, and calls such as async().
bool isOpaque(const Directive &directive);
bool hasSize(const Directive &directive); // whether it has an expression of sizes

// The variant that a specialize() makes, which stands at `place` in a list of directives.
VariantPath variantMadeBy(std::span<const Directive> directives, std::size_t place);

// Empty when the arguments are what the call takes; otherwise a sentence on what is wrong.
std::string problemWith(const Directive &directive);

} // namespace tessera::schedule

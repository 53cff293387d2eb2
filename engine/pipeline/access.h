// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tessera::pipeline {

// coefficient · (loop `loop` of the consumer stage)
struct AffineTerm {
  std::uint32_t loop = 0;
  std::int64_t coefficient = 1;

  friend bool operator==(const AffineTerm &, const AffineTerm &) = default;
};

// scale · clamp( ⌊ (Σ terms + offset) / divisor ⌋ , clamp )
//
// `offset` is an interval, so one atom covers a stencil. The division by `divisor` (> 0) rounds
// towards minus infinity, as in Halide. `clamp` is a boundary condition that was recognised; an
// infinite end does not clamp.
struct Atom {
  std::int64_t scale = 1;
  std::vector<AffineTerm> terms; // by ascending loop; of one loop, a negative one first
  Interval offset{0, 0};
  std::int64_t divisor = 1;
  Interval clamp = kEverything;

  friend bool operator==(const Atom &, const Atom &) = default;
};

// How much an index map can be trusted. Exact: equal to the indices' bounding interval for
// every tile. Covers: contains that interval, for a recorded reason (such as a modulo). Whole: only
// the interval in `offset` is known, because the index depends on data or is not affine.
enum class Precision : std::uint8_t { Exact, Covers, Whole };

// The index of a producer in one of its dimensions as a function of the consumer's loops:
// Σ atoms + offset. With no atoms it is the interval `offset` (infinite: the producer's whole
// extent).
//
//   f(x*2 + r.x - 1)        one atom, terms {x:2, r.x:1}, offset [-1,-1]
//   f(clamp(x, 0, 1535))    one atom, terms {x:1}, clamp [0,1535]
//   f(x/2 + x%2)            one atom {x:1}/2, offset [0,1], Covers "modulo"
//   f(clamp(g(x), 0, 255))  no atoms, offset [0,255], Whole "depends on data of g"
//   f(r*r)                  no atoms, offset [0,81], Whole "not affine", decidedBy r
struct IndexMap {
  std::vector<Atom> atoms;
  Interval offset{0, 0};
  Precision precision = Precision::Exact;
  std::string reason; // why not Exact; empty for Exact
  // Only for Whole: a bit for each loop that decides the index. Empty: data may decide it too.
  std::optional<std::uint32_t> decidedBy{};
  // Only for Whole. True: `offset` is the same for every image size, for example because it is the
  // range of an 8-bit value.
  bool fixed = false;

  friend bool operator==(const IndexMap &, const IndexMap &) = default;
};

// The interval that an index map gives when each loop runs over an interval. The map is monotone in
// each loop, so only the ends are evaluated. An infinite end stays infinite.
Interval evaluate(const IndexMap &map, std::span<const Interval> loops);

struct Producer {
  enum class Kind : std::uint8_t { Func, Input };
  Kind kind = Kind::Func;
  std::uint32_t index = 0;

  static Producer func(FuncId id) { return {Kind::Func, static_cast<std::uint32_t>(id)}; }
  static Producer input(InputId id) { return {Kind::Input, static_cast<std::uint32_t>(id)}; }
  friend bool operator==(const Producer &, const Producer &) = default;
};

// One load in a stage's definition, or the element that a stage writes.
struct Access {
  Producer producer;
  std::vector<IndexMap> indices; // one per dimension of the producer
  std::uint32_t tupleElement = 0;
  std::uint32_t count = 1;     // how often this same access occurs in the definition
  std::uint32_t different = 1; // distinct loads merged here: 2 for f(g(x)) and f(g(x) + 1)

  friend bool operator==(const Access &, const Access &) = default;
};

} // namespace tessera::pipeline

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/stage_work.h"
#include "engine/schedule/schedule.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// What a stage reads, through the funcs inlined into it, when its loops run over intervals: of each
// producer the box, and how many different elements.
//
// A straight-line body that reads an element twice loads it once, as Halide and LLVM find common
// subexpressions: so of n loads of a box with m < n elements, m are made. The same holds for what
// is evaluated of an inlined func.
class Reads {
public:
  Reads(const schedule::Schedule &schedule, pipeline::StageId stage);

  // Whether another schedule of the pipeline inlines the same of what is read.
  bool isOf(const schedule::Schedule &schedule) const;

  struct Source {
    pipeline::Producer producer;
    pipeline::StageId stage{}; // of an inlined func
    bool inlined = false;
    bool self = false; // the stage's own func
    // An inlined func reads it at quotients, or one that is read so: (x+1)/2 and x/2 may be the
    // same element, but no compiler sees it.
    bool divided = false;
    bool apart = false;   // at quotients that differ before they are divided, such as these
    bool passedOn = true; // only inlined funcs read it, each of them one element for one of its own
    std::uint32_t firstDim = 0, dims = 0; // of the boxes
    std::uint32_t firstMap = 0, maps = 0; // of what it reads itself, if inlined
    std::uint32_t ownDefinition = 0;      // if inlined

    std::span<const pipeline::Interval> boxIn(std::span<const pipeline::Interval> boxes) const {
      return boxes.subspan(firstDim, dims);
    }
  };
  static constexpr std::uint32_t kBeyondLoops = UINT32_MAX;

  // Of the stage, or of a func that is inlined into it.
  struct Definition {
    StageArithmetic arithmetic; // of one evaluation
    struct Folded {
      std::uint32_t loop = 0;
      StageArithmetic arithmetic;
    };
    std::vector<Folded> folded;
    std::vector<std::int32_t> dimOfLoop; // of the boxes, if inlined; -1: none

    // Where these loops, a bit each, are numbers in each copy of a body.
    const Folded *foldedBy(std::uint32_t numbers) const;
    // Of so many evaluations in a body, over `extents` of the loops: what does not change is there
    // once, and what numbers alone decide is a number.
    template <typename ExtentOf>
    Slots of(double evaluations, std::uint32_t numbers, const ExtentOf &extentOf) const;
  };
  const Definition &definition() const { return m_definitions.front(); } // of the stage itself
  const Definition &definitionOf(const Source &source) const {
    return m_definitions[source.ownDefinition];
  }
  // Of an inlined func, the loops that are numbers where `numbers` of the stage are.
  std::uint32_t numbersIn(const Source &source, std::uint32_t numbers) const;
  // Consumers before what is inlined into them.
  std::span<const Source> sources() const { return m_sources; }
  // The whole of what is read, as far as it is known.
  std::span<const pipeline::Interval> wholeOf(const Source &source) const {
    return source.boxIn(m_whole);
  }
  const Source *find(pipeline::Producer producer) const; // none where it is not read
  // The loops that decide where in that dimension of the boxes is read, or data (kBeyondLoops),
  // where more than a sum does. 0: nothing of the kind.
  std::uint32_t gatheredBy(std::size_t dim) const { return m_gatheredBy[dim]; }
  bool isGathered(const Source &source) const; // in any
  // The same of who decides, or a boundary does, which element along that dimension it is, here or
  // in what reads it, so that nobody knows how far two are apart.
  std::uint32_t scatteredBy(std::size_t dim) const { return m_scatteredBy[dim]; }
  // The loops of the stage along which its box moves; one of them, in a dimension of the boxes.
  std::uint32_t movedBy(const Source &source) const;
  bool isMovedBy(std::size_t dim, std::size_t loop) const {
    return loop < 32 && (m_movedBy[dim] >> loop & 1) != 0;
  }
  // Of one evaluation with all that is inlined, as far as a compiler counts them before it has
  // found what they have in common.
  double instructions() const { return m_instructions; }
  // Whether what is loaded hangs on a choice that these loops, as numbers, do not make.
  bool choosesLoads(std::uint32_t numbers) const;

  // The boxes of all sources, one after the other.
  void evaluate(std::span<const pipeline::Interval> loops,
                std::vector<pipeline::Interval> &boxes) const;
  // What evaluations of an inlined source over a box read, of nothing else.
  void evaluateFrom(std::size_t reader, std::span<const pipeline::Interval> over,
                    std::vector<pipeline::Interval> &boxes) const;
  // Of each source, how many different elements `points` evaluations of the stage take from its
  // box, and how often they use one. Where data decide, no two are known to be the same. `numbers`:
  // loops of the stage that are numbers in each of its copies.
  struct Count {
    double loads = 0, uses = 0;
  };
  void count(double points, std::uint32_t numbers, std::span<const pipeline::Interval> boxes,
             std::span<Count> counts) const;

private:
  class Builder;
  double differentOf(double uses, const Source &source,
                     std::span<const pipeline::Interval> boxes) const;
  double loadsOf(std::uint32_t read, std::uint32_t numbers) const;
  static constexpr std::uint32_t kStage = UINT32_MAX; // a reader that is no source

  struct Read {
    std::uint32_t reader = kStage;
    std::uint32_t source = 0;
    double loads = 0; // different ones in one evaluation
  };
  struct FoldedLoads {
    std::uint32_t read = 0, loop = 0;
    double loads = 0;
  };
  struct Map {
    std::uint32_t over = kStage;             // where the reader's box begins, if inlined
    std::uint32_t target = 0;                // dimension of the boxes
    pipeline::OneLoopMap oneLoop;            // none: look at the map
    const pipeline::IndexMap *map = nullptr; // of the pipeline
  };

  void widen(const Map &map, std::span<const pipeline::Interval> over,
             std::vector<pipeline::Interval> &boxes) const;

  void countInstructions();

  pipeline::PipelinePtr m_pipeline;
  double m_instructions = 0;
  std::vector<Source> m_sources;
  std::vector<Definition> m_definitions;   // the stage's first
  std::vector<Read> m_reads;               // by reader, in the order of the sources
  std::vector<FoldedLoads> m_foldedLoads;  // of few reads
  std::vector<Map> m_maps;                 // by read, and so by reader
  std::vector<pipeline::Interval> m_whole; // by box dimension
  std::vector<std::uint32_t> m_decidedBy, m_gatheredBy, m_scatteredBy,
      m_movedBy; // by box dimension
};

template <typename ExtentOf>
Slots Reads::Definition::of(double evaluations, std::uint32_t numbers,
                            const ExtentOf &extentOf) const {
  const Folded *const made = foldedBy(numbers);
  const StageArithmetic &left = made ? made->arithmetic : arithmetic;
  Slots all;
  all.add(left.once, evaluations);
  for (const SteadySlots &part : left.steady) {
    double different = part.loops != 0 && (part.loops & ~numbers) == 0 ? 0 : 1;
    for (std::uint32_t loops = part.loops; loops != 0; loops &= loops - 1)
      different *= extentOf(static_cast<std::size_t>(std::countr_zero(loops)));
    all.add(part.once, std::min(0.0, different - evaluations));
  }
  return all;
}

// Elements of a box, and of what two have in common.
double volumeOf(std::span<const pipeline::Interval> box);
double volumeShared(std::span<const pipeline::Interval> one,
                    std::span<const pipeline::Interval> other);

} // namespace tessera::cost

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

// What a stage reads when its loops run over given intervals: for each producer the box, and the
// number of different elements. Reads through inlined funcs are included.
//
// A straight-line body loads an element only once, as Halide and LLVM find common subexpressions.
// So of n loads from a box with m < n elements, only m are made. The same holds for evaluations of
// an inlined func.
class Reads {
public:
  Reads(const schedule::Schedule &schedule, pipeline::StageId stage);

  // Whether another schedule of the pipeline inlines the same funcs among those that are read.
  bool isOf(const schedule::Schedule &schedule) const;

  struct Source {
    pipeline::Producer producer;
    pipeline::StageId stage{}; // the first stage, if the producer is a func
    bool inlined = false;
    bool self = false; // the stage's own func
    // True: the source is read at quotients by an inlined func, or by a source that is itself
    // divided. (x+1)/2 and x/2 may be the same element, but no compiler sees that.
    bool divided = false;
    bool apart = false; // read at quotients of different values, such as (x+1)/2 and x/2
    // True: only inlined funcs read it, and each of their elements takes one element of it.
    bool passedOn = true;
    std::uint32_t firstDim = 0, dims = 0; // its dimensions in the boxes
    std::uint32_t firstMap = 0, maps = 0; // maps of its own reads, if inlined
    std::uint32_t ownDefinition = 0;      // index in m_definitions, if inlined

    std::span<const pipeline::Interval> boxIn(std::span<const pipeline::Interval> boxes) const {
      return boxes.subspan(firstDim, dims);
    }
  };
  static constexpr std::uint32_t kBeyondLoops = UINT32_MAX;

  // The definition of the stage, or of a func that is inlined into it.
  struct Definition {
    StageArithmetic arithmetic; // arithmetic of one evaluation
    struct Folded {
      std::uint32_t loop = 0;
      StageArithmetic arithmetic;
    };
    std::vector<Folded> folded;
    // For an inlined func: for each loop, the dimension of the func's box; -1: none.
    std::vector<std::int32_t> dimOfLoop;

    // The arithmetic that remains if the indices of the loops in the bit set `numbers` are
    // constants.
    const Folded *foldedBy(std::uint32_t numbers) const;
    // The arithmetic of `evaluations` evaluations in a body. `extentOf` gives the extent of a loop.
    // A part that does not change is computed once. A part that depends on `numbers` alone is a
    // constant and costs nothing.
    template <typename ExtentOf>
    Slots of(double evaluations, std::uint32_t numbers, const ExtentOf &extentOf) const;
  };
  // The definition of the stage itself.
  const Definition &definition() const { return m_definitions.front(); }
  const Definition &definitionOf(const Source &source) const {
    return m_definitions[source.ownDefinition];
  }
  // The loops of an inlined func whose index is a constant when the indices of the stage's loops in
  // `numbers` are constants.
  std::uint32_t numbersIn(const Source &source, std::uint32_t numbers) const;
  // In the order in which they were found: first what the stage itself reads, then what only
  // inlined funcs read.
  std::span<const Source> sources() const { return m_sources; }
  // The box of everything that all blocks read, as far as it is known.
  std::span<const pipeline::Interval> wholeOf(const Source &source) const {
    return source.boxIn(m_whole);
  }
  const Source *find(pipeline::Producer producer) const; // null if it is not read
  // The loops that decide the read position in a dimension of the boxes, if it is not affine
  // (schedule::isAnywhere): a bit for each loop, or kBeyondLoops if data may decide the position.
  // Otherwise 0. The indices of inlined readers count, too.
  std::uint32_t gatheredBy(std::size_t dim) const { return m_gatheredBy[dim]; }
  bool isGathered(const Source &source) const; // gatheredBy() is not 0 in some dimension
  // As gatheredBy(), but also for positions that a boundary condition clamps. The distance of two
  // elements that are read at such positions is unknown.
  std::uint32_t scatteredBy(std::size_t dim) const { return m_scatteredBy[dim]; }
  // The loops of the stage that move the source's box. isMovedBy() tests one loop for one dimension
  // of the boxes.
  std::uint32_t movedBy(const Source &source) const;
  bool isMovedBy(std::size_t dim, std::size_t loop) const {
    return loop < 32 && (m_movedBy[dim] >> loop & 1) != 0;
  }
  // Instructions of one evaluation with all inlined funcs, as a compiler counts them before it
  // removes common subexpressions.
  double instructions() const { return m_instructions; }
  // Whether constant indices of the loops in `numbers` still leave open which elements are loaded.
  bool choosesLoads(std::uint32_t numbers) const;

  // The boxes of all sources, one after the other.
  void evaluate(std::span<const pipeline::Interval> loops,
                std::vector<pipeline::Interval> &boxes) const;
  // What an inlined source reads when it is evaluated over a box. Other reads are left out.
  void evaluateFrom(std::size_t reader, std::span<const pipeline::Interval> over,
                    std::vector<pipeline::Interval> &boxes) const;
  // Counts for each source how many different elements `points` evaluations of the stage load, and
  // how many uses these evaluations have for them. Elements at indices that depend on data all
  // count as different. `numbers` are the loops of the stage whose index is a constant in each
  // unrolled copy.
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
  static constexpr std::uint32_t kStage = UINT32_MAX; // the reader is the stage, which is no source

  struct Read {
    std::uint32_t reader = kStage;
    std::uint32_t source = 0;
    double loads = 0; // different loads in one evaluation
  };
  struct FoldedLoads {
    std::uint32_t read = 0, loop = 0;
    double loads = 0;
  };
  struct Map {
    std::uint32_t over = kStage;             // first dimension of the reader's box, if inlined
    std::uint32_t target = 0;                // dimension of the boxes
    pipeline::OneLoopMap oneLoop;            // if empty, `map` is used
    const pipeline::IndexMap *map = nullptr; // owned by the pipeline
  };

  void widen(const Map &map, std::span<const pipeline::Interval> over,
             std::vector<pipeline::Interval> &boxes) const;

  void countInstructions();

  pipeline::PipelinePtr m_pipeline;
  double m_instructions = 0;
  std::vector<Source> m_sources;
  std::vector<Definition> m_definitions; // the definition of the stage comes first
  // Grouped by reader. All reads of an inlined func come before the reads that it makes.
  std::vector<Read> m_reads;
  std::vector<FoldedLoads> m_foldedLoads;  // only some reads have any
  std::vector<Map> m_maps;                 // in the order of m_reads
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

// The number of elements of a box, and of the intersection of two boxes.
double volumeOf(std::span<const pipeline::Interval> box);
double volumeShared(std::span<const pipeline::Interval> one,
                    std::span<const pipeline::Interval> other);

} // namespace tessera::cost

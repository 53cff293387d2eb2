// SPDX-License-Identifier: MIT
#include "engine/cost/load/reads.h"

#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <bit>

namespace tessera::cost {

using pipeline::Atom;
using pipeline::Edge;
using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Schedule;

namespace {

// Products of two extents up to this size do not overflow.
constexpr std::int64_t kMostIterations = std::int64_t{1} << 31;

constexpr Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

bool isQuotient(const IndexMap &map) {
  return std::ranges::any_of(map.atoms, [](const Atom &atom) { return atom.divisor != 1; });
}

// Whether the map covers several quotients at an unknown distance, such as x/2 and (x+1)/2. x/2 and
// x/2+1 are at a known distance, so a map that covers both does not count. Maps that differ only in
// an offset have been merged into one.
bool isApart(const IndexMap &map) {
  return std::ranges::any_of(map.atoms, [](const Atom &atom) {
    return atom.divisor != 1 && atom.offset.min != atom.offset.max;
  });
}

bool isClamped(const IndexMap &map) {
  return std::ranges::any_of(map.atoms,
                             [](const Atom &atom) { return atom.clamp != pipeline::kEverything; });
}

// The loops that occur in the map, as a bit set.
std::uint32_t loopsOf(const IndexMap &map) {
  std::uint32_t loops = 0;
  for (const Atom &atom : map.atoms)
    for (const pipeline::AffineTerm &term : atom.terms)
      loops |= term.loop < 32 ? std::uint32_t{1} << term.loop : Reads::kBeyondLoops;
  return loops;
}

// Like pipeline::hull, but an inline function, because it is the most frequent operation of a
// search.
void extend(Interval &box, const Interval &by) {
  if (by.empty()) return;
  box.min = std::min(box.min, by.min);
  box.max = std::max(box.max, by.max);
}

// Loops may decide an index in a way that no map can express, such as a division of floats. Then
// the loop is taken to go evenly through all that is read: a part of its iterations reads the same
// part of the elements. Empty if several loops or data decide, or if an end is unknown.
pipeline::OneLoopMap evenly(const IndexMap &map, const Interval &along, const Interval &whole) {
  const std::uint32_t loops = map.decidedBy.value_or(0);
  if (!schedule::isAnywhere(map) || !std::has_single_bit(loops)) return {};
  if (!along.bounded() || !whole.bounded()) return {};
  const std::int64_t elements = whole.extent(), iterations = along.extent();
  if (elements > iterations || iterations > kMostIterations) return {};
  const Atom atom{.terms = {{static_cast<std::uint32_t>(std::countr_zero(loops)), elements}},
                  .offset = {-elements * along.min, -elements * along.min},
                  .divisor = iterations,
                  .clamp = {0, elements - 1}};
  return pipeline::OneLoopMap({.atoms = {atom}, .offset = {whole.min, whole.min}});
}

Interval boundedBy(Interval interval, const Interval &whole) {
  if (interval.min == pipeline::kMinusInfinity) interval.min = whole.min;
  if (interval.max == pipeline::kPlusInfinity) interval.max = whole.max;
  return interval;
}

} // namespace

double volumeOf(std::span<const Interval> box) {
  double volume = 1;
  for (const Interval &side : box)
    volume *= static_cast<double>(side.extent());
  return volume;
}

double volumeShared(std::span<const Interval> one, std::span<const Interval> other) {
  double volume = 1;
  for (std::size_t d = 0; d < one.size(); ++d) {
    const Interval both{std::max(one[d].min, other[d].min), std::min(one[d].max, other[d].max)};
    if (both.max < both.min) return 0;
    volume *= static_cast<double>(both.extent());
  }
  return volume;
}

class Reads::Builder {
public:
  Builder(Reads &reads, const Schedule &schedule)
      : m_reads(reads), m_schedule(schedule), m_pipeline(*schedule.pipeline()) {}

  void build(StageId stage) {
    m_own = m_pipeline.stage(stage).func;
    addDefinition(m_pipeline.stage(stage));
    addReads(kStage, stage);
    // Takes the inlined func with the highest index next: a func has a lower index than its
    // readers, so all of its readers have been added.
    for (;;) {
      std::uint32_t next = kStage;
      for (std::uint32_t s = 0; s < m_reads.m_sources.size(); ++s) {
        const Source &source = m_reads.m_sources[s];
        if (!source.inlined || m_done[s]) continue;
        if (next == kStage || source.producer.index > m_reads.m_sources[next].producer.index)
          next = s;
      }
      if (next == kStage) return;
      m_done[next] = true;
      const auto firstMap = static_cast<std::uint32_t>(m_reads.m_maps.size());
      addReads(next, m_reads.m_sources[next].stage);
      Source &source = m_reads.m_sources[next];
      source.firstMap = firstMap;
      source.maps = static_cast<std::uint32_t>(m_reads.m_maps.size()) - firstMap;
      source.ownDefinition = static_cast<std::uint32_t>(m_reads.m_definitions.size());
      addDefinition(m_pipeline.stage(source.stage));
    }
  }

private:
  void addDefinition(const pipeline::Stage &stage) {
    Definition &definition = m_reads.m_definitions.emplace_back();
    definition.arithmetic = wholeArithmeticOf(stage);
    for (const pipeline::Folded &folded : stage.folded)
      definition.folded.push_back({folded.loop, arithmeticOf(folded)});
    for (const pipeline::LoopDim &loop : stage.loops)
      definition.dimOfLoop.push_back(loop.argument ? *loop.argument : -1);
  }

  void addReads(std::uint32_t reader, StageId stage) {
    for (const EdgeId id : m_pipeline.edgesInto(stage)) {
      const Edge &edge = m_pipeline.edge(id);
      if (edge.maps.empty() && edge.producer.kind == Producer::Kind::Input) continue; // a scalar
      const std::uint32_t source = sourceOf(edge.producer);
      const auto read = static_cast<std::uint32_t>(m_reads.m_reads.size());
      const double loads = differentLoads(stage, edge.producer);
      m_reads.m_reads.push_back({reader, source, loads});
      addFolded(read, m_pipeline.stage(stage), edge.producer);
      if (reader == kStage || loads != 1) m_reads.m_sources[source].passedOn = false;
      auto oneLoop = edge.oneLoop.begin();
      for (std::size_t d = 0; d < edge.maps.size(); ++d)
        for (const IndexMap &map : edge.maps[d])
          addMap(m_pipeline.stage(stage), read, source, d, map, *oneLoop++);
    }
  }

  void addMap(const pipeline::Stage &stage, std::uint32_t read, std::uint32_t source,
              std::size_t dim, const IndexMap &map, const pipeline::OneLoopMap &oneLoop) {
    const std::uint32_t target =
        m_reads.m_sources[source].firstDim + static_cast<std::uint32_t>(dim);
    const std::uint32_t reader = m_reads.m_reads[read].reader;
    Source &made = m_reads.m_sources[source];
    made.apart =
        made.apart || isApart(map) || (reader != kStage && m_reads.m_sources[reader].apart);
    if (reader != kStage)
      made.divided = made.divided || isQuotient(map) || m_reads.m_sources[reader].divided;
    const bool isGathered = schedule::isAnywhere(map);
    const pipeline::OneLoopMap even =
        isGathered ? evenly(map, rangeOfDecider(stage, map), m_reads.m_whole[target])
                   : pipeline::OneLoopMap{};
    const std::uint32_t moving = even ? *map.decidedBy : loopsOf(map);
    const std::uint32_t loops = isGathered ? map.decidedBy.value_or(Reads::kBeyondLoops) : moving;
    const std::uint32_t decidedBy =
        reader == kStage ? loops : ofReader(reader, loops, m_reads.m_decidedBy);
    m_reads.m_decidedBy[target] |= decidedBy;
    m_reads.m_movedBy[target] |=
        reader == kStage ? moving : ofReader(reader, moving, m_reads.m_movedBy);
    std::uint32_t &scatteredBy = m_reads.m_scatteredBy[target];
    if (reader != kStage) scatteredBy |= ofReader(reader, loops, m_reads.m_scatteredBy);
    if (isClamped(map))
      scatteredBy |= reader == kStage ? moving : ofReader(reader, moving, m_reads.m_movedBy);
    std::uint32_t &gatheredBy = m_reads.m_gatheredBy[target];
    if (isGathered) {
      scatteredBy |= decidedBy;
      gatheredBy |= decidedBy;
    } else if (reader != kStage) {
      gatheredBy |= ofReader(reader, moving, m_reads.m_gatheredBy);
    }
    const std::uint32_t over = reader == kStage ? kStage : m_reads.m_sources[reader].firstDim;
    m_reads.m_maps.push_back({over, target, even ? even : oneLoop, &map});
  }

  // The range of the loop that decides an index, over all blocks.
  Interval rangeOfDecider(const pipeline::Stage &stage, const IndexMap &map) const {
    const auto decider = static_cast<std::size_t>(std::countr_zero(map.decidedBy.value_or(0)));
    if (decider >= stage.loops.size()) return pipeline::kEverything;
    const pipeline::LoopDim &loop = stage.loops[decider];
    return loop.argument ? m_pipeline.func(stage.func).region[*loop.argument] : loop.range;
  }

  // Merges the entries of `known` for the dimensions that these loops of a reader run along.
  std::uint32_t ofReader(std::uint32_t reader, std::uint32_t loops,
                         const std::vector<std::uint32_t> &known) const {
    if (loops == Reads::kBeyondLoops) return loops;
    const Source &source = m_reads.m_sources[reader];
    const pipeline::Stage &stage = m_pipeline.stage(source.stage);
    std::uint32_t all = 0;
    for (; loops != 0; loops &= loops - 1) {
      const auto &argument =
          stage.loops[static_cast<std::size_t>(std::countr_zero(loops))].argument;
      all |= argument ? known[source.firstDim + *argument] : Reads::kBeyondLoops;
    }
    return all;
  }

  void addFolded(std::uint32_t read, const pipeline::Stage &stage, Producer producer) {
    for (const pipeline::Folded &folded : stage.folded) {
      const auto loads =
          std::ranges::find(folded.loads, producer, &pipeline::Folded::Loads::producer);
      const double count = loads == folded.loads.end() ? 0 : loads->count;
      m_reads.m_foldedLoads.push_back({read, folded.loop, count / folded.values});
    }
  }

  std::uint32_t sourceOf(Producer producer) {
    if (const Source *found = m_reads.find(producer))
      return static_cast<std::uint32_t>(found - m_reads.m_sources.data());
    const pipeline::Box whole = m_pipeline.producerRegion(producer);
    Source source{.producer = producer,
                  .firstDim = static_cast<std::uint32_t>(m_reads.m_whole.size()),
                  .dims = static_cast<std::uint32_t>(whole.size())};
    if (producer.kind == Producer::Kind::Func) {
      const auto func = static_cast<FuncId>(producer.index);
      source.self = func == m_own;
      source.inlined = m_schedule.plan(func).isInline();
      source.stage = m_pipeline.func(func).firstStage;
    }
    m_reads.m_whole.insert(m_reads.m_whole.end(), whole.begin(), whole.end());
    m_reads.m_decidedBy.resize(m_reads.m_whole.size());
    m_reads.m_gatheredBy.resize(m_reads.m_whole.size());
    m_reads.m_scatteredBy.resize(m_reads.m_whole.size());
    m_reads.m_movedBy.resize(m_reads.m_whole.size());
    m_reads.m_sources.push_back(source);
    m_done.push_back(false);
    return static_cast<std::uint32_t>(m_reads.m_sources.size() - 1);
  }

  double differentLoads(StageId stage, Producer producer) const {
    double different = 0;
    for (const pipeline::Access &load : m_pipeline.stage(stage).loads)
      if (load.producer == producer) different += load.different;
    return different;
  }

  Reads &m_reads;
  const Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  FuncId m_own{};
  std::vector<bool> m_done; // by source
};

Reads::Reads(const Schedule &schedule, StageId stage) : m_pipeline(schedule.pipeline()) {
  Builder(*this, schedule).build(stage);
  countInstructions();
}

void Reads::countInstructions() {
  constexpr double kStore = 2, kLoad = 3; // instructions, including those for addresses
  m_instructions = kStore + m_definitions.front().arithmetic.once.all();
  std::vector<double> evaluations(m_sources.size());
  // All reads of an inlined func come before the reads that it makes.
  for (const Read &read : m_reads) {
    const double times = read.reader == kStage ? read.loads : read.loads * evaluations[read.reader];
    const Source &source = m_sources[read.source];
    evaluations[read.source] += times;
    m_instructions +=
        times *
        (source.inlined ? m_definitions[source.ownDefinition].arithmetic.once.all() : kLoad);
  }
}

bool Reads::isOf(const Schedule &schedule) const {
  return std::ranges::all_of(m_sources, [&](const Source &source) {
    return source.producer.kind != Producer::Kind::Func ||
           schedule.plan(static_cast<FuncId>(source.producer.index)).isInline() == source.inlined;
  });
}

const Reads::Source *Reads::find(Producer producer) const {
  const auto found = std::ranges::find(m_sources, producer, &Source::producer);
  return found == m_sources.end() ? nullptr : &*found;
}

bool Reads::isGathered(const Source &source) const {
  for (std::uint32_t d = 0; d < source.dims; ++d)
    if (m_gatheredBy[source.firstDim + d] != 0) return true;
  return false;
}

std::uint32_t Reads::movedBy(const Source &source) const {
  std::uint32_t loops = 0;
  for (std::uint32_t d = 0; d < source.dims; ++d)
    loops |= m_movedBy[source.firstDim + d];
  return loops;
}

const Reads::Definition::Folded *Reads::Definition::foldedBy(std::uint32_t numbers) const {
  const auto found = std::ranges::find_if(
      folded, [&](const Folded &one) { return (numbers >> one.loop & 1) != 0; });
  return found == folded.end() ? nullptr : &*found;
}

std::uint32_t Reads::numbersIn(const Source &source, std::uint32_t numbers) const {
  const std::vector<std::int32_t> &dims = definitionOf(source).dimOfLoop;
  std::uint32_t result = 0;
  for (std::size_t l = 0; l < dims.size() && l < 32; ++l)
    if (dims[l] >= 0 &&
        (m_decidedBy[source.firstDim + static_cast<std::uint32_t>(dims[l])] & ~numbers) == 0)
      result |= std::uint32_t{1} << l;
  return result;
}

// `over` is complete when this is called, since readers come before what they read.
inline void Reads::widen(const Map &map, std::span<const Interval> over,
                         std::vector<Interval> &boxes) const {
  const Interval reach = map.oneLoop ? map.oneLoop.evaluate(over[map.oneLoop.loop()])
                                     : pipeline::evaluate(*map.map, over);
  extend(boxes[map.target], boundedBy(reach, m_whole[map.target]));
}

void Reads::evaluate(std::span<const Interval> loops, std::vector<Interval> &boxes) const {
  boxes.assign(m_whole.size(), kNothing);
  for (const Map &map : m_maps)
    widen(map, map.over == kStage ? loops : std::span<const Interval>(boxes).subspan(map.over),
          boxes);
}

void Reads::evaluateFrom(std::size_t reader, std::span<const Interval> over,
                         std::vector<Interval> &boxes) const {
  boxes.assign(m_whole.size(), kNothing);
  const Source &source = m_sources[reader];
  for (const Map &map : std::span(m_maps).subspan(source.firstMap, source.maps))
    widen(map, over, boxes);
}

// The number of different elements among `uses` uses. Uses count as different unless a compiler can
// recognise that they are equal.
double Reads::differentOf(double uses, const Source &source,
                          std::span<const Interval> boxes) const {
  if (source.divided || isGathered(source)) return uses;
  return std::min(uses, volumeOf(source.boxIn(boxes)));
}

double Reads::loadsOf(std::uint32_t read, std::uint32_t numbers) const {
  const Read &of = m_reads[read];
  if (m_foldedLoads.empty()) return of.loads;
  const bool isStage = of.reader == kStage;
  const Definition::Folded *const made =
      isStage
          ? definition().foldedBy(numbers)
          : definitionOf(m_sources[of.reader]).foldedBy(numbersIn(m_sources[of.reader], numbers));
  if (!made) return of.loads;
  for (const FoldedLoads &one : m_foldedLoads)
    if (one.read == read && one.loop == made->loop) return one.loads;
  return of.loads;
}

bool Reads::choosesLoads(std::uint32_t numbers) const {
  return std::ranges::any_of(m_foldedLoads, [&](const FoldedLoads &one) {
    return one.loads < m_reads[one.read].loads &&
           loadsOf(one.read, numbers) == m_reads[one.read].loads;
  });
}

void Reads::count(double points, std::uint32_t numbers, std::span<const Interval> boxes,
                  std::span<Count> counts) const {
  std::ranges::fill(counts, Count{});
  for (std::uint32_t r = 0; r < m_reads.size(); ++r) {
    const Read &read = m_reads[r];
    double evaluations = points;
    // The reader's count is complete, since all that read the reader come before it in m_reads.
    if (read.reader != kStage)
      evaluations = differentOf(counts[read.reader].uses, m_sources[read.reader], boxes);
    counts[read.source].uses += evaluations * loadsOf(r, numbers);
  }
  for (std::size_t s = 0; s < m_sources.size(); ++s)
    counts[s].loads = differentOf(counts[s].uses, m_sources[s], boxes);
}

} // namespace tessera::cost

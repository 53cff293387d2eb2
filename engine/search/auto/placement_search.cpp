// SPDX-License-Identifier: MIT
#include "engine/search/auto/placement_search.h"

#include "engine/search/auto/tile_screen.h"
#include "engine/cost/predictor.h"
#include "engine/schedule/loop_nest.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/copies.h"
#include "engine/search/kernels/expression_sizes.h"
#include "engine/search/kernels/kept_kernels.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/kernels/written_tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Schedule;

namespace {

// How many of the best changes are tried before giving up, for each value of Tile::longWhole and
// Tile::turns. Legality is checked last, because it takes longer than a prediction.
constexpr std::size_t kTried = 6;
constexpr std::size_t kTriedAroundFrozen = 24; // more than kTried, since more changes are refused
// If there are more than kManyTiles tiles, only promising ones are predicted. With one or two
// kernels there is time for more, and the limit is kManyTilesOfFew.
constexpr std::size_t kManyTiles = 100, kManyTilesOfFew = 2000, kOneOrTwo = 2;
// With at most kFewKernels kernels, merging a func into a kernel is tried with all tiles, if the
// kernel then has at most kFewMembers members.
constexpr std::size_t kFewMembers = 2;
constexpr std::size_t kFewKernels = 8;
// Pipelines with more funcs are not refined before polishing. With refining, the search for
// synthetic1000 takes 12.4 s instead of 9.5 s, and its schedule is 1 % faster.
constexpr std::size_t kRefined = 400;
// The cost model is inaccurate for joined dimensions (Turns::Joined), so their predicted time has
// to be better by this factor. Smaller gains are often lost later.
constexpr double kJoined = 1.2;
constexpr double kLong = 0.1; // kernels with at least this part of the time are tiled once more
constexpr double kWorthwhile = 0.995; // a smaller gain is noise of the model

// Tiles with several points along x and y per thread, for a copy in a thread's registers: the
// windows that the points read overlap in both directions.
std::vector<Tile> squareTiles() {
  std::vector<Tile> tiles;
  for (const auto &threads : {std::array<std::int64_t, 2>{32, 4}, {16, 8}})
    for (const auto &points : {std::array<std::int64_t, 2>{2, 4}, {2, 8}, {4, 4}})
      tiles.push_back({.threads = threads, .points = points});
  return tiles;
}

} // namespace

PlacementSearch::PlacementSearch(Problem problem, Work work)
    : KernelSearch(std::move(problem)), m_work(work), m_frozen(m_problem.start),
      m_timer(m_problem.start, m_problem.machine), m_legality(m_problem.machine) {
  m_trace.setUnit("s");
  std::set<FuncId> all;
  for (std::uint32_t f = 0; f < m_pipeline->funcs().size(); ++f)
    all.insert(FuncId{f});
  const std::set<FuncId> kept = keptFuncs(m_problem.start);
  const bool mayBeAfresh = !isAround() && work == Work::Whole;
  const bool isAfresh = mayBeAfresh && begin(resetAround(kept), kept);
  if (!isAfresh && !begin(m_problem.start, all)) m_phase = Phase::Done;
  if (m_phase != Phase::Done && phases().front() != m_phase) {
    m_phase = phases().front();
    m_order.clear();
    orderPlaces();
  }
}

std::string_view PlacementSearch::phase() const {
  constexpr std::array<std::string_view, 8> kNames{
      "first tiles", "grouping", "refining", "tiles", "places", "final tiles", "registers", "done"};
  return kNames[static_cast<std::size_t>(m_phase)];
}

std::span<const PlacementSearch::Phase> PlacementSearch::phases() const {
  static constexpr std::array kWhole{Phase::FirstTiles, Phase::Grouping, Phase::Refining,
                                     Phase::Tiles, Phase::Registers};
  static constexpr std::array kAdded{Phase::Grouping, Phase::Refining, Phase::FinalTiles,
                                     Phase::Registers};
  static constexpr std::array kPolish{Phase::Places, Phase::FinalTiles, Phase::Registers};
  if (m_work == Work::Polish || m_work == Work::Relaid) return kPolish;
  if (m_work == Work::Added) return kAdded;
  return kWhole;
}

double PlacementSearch::progress() const {
  const auto ended = std::ranges::find(phases(), m_phase) - phases().begin();
  const double within =
      m_order.empty() ? 0 : static_cast<double>(m_next) / static_cast<double>(m_order.size());
  return std::min(1.0,
                  (static_cast<double>(ended) + within) / static_cast<double>(phases().size()));
}

// Returns false if the schedule is not legal.
bool PlacementSearch::begin(Schedule schedule, const std::set<FuncId> &asTheyAre) {
  if (!m_legality.isLegal(schedule)) return false;
  m_schedule = std::move(schedule);
  m_timer.setTraffic(m_schedule);
  for (Group &group : groupsOf(m_schedule)) {
    group.tile = asTheyAre.contains(group.output) ? tileOf(m_schedule, group, m_frozen) : Tile{};
    for (const FuncId func : group.funcs())
      m_owner[func] = group.output;
    m_groups[group.output] = std::move(group);
  }
  for (std::uint32_t f = 0; f < m_pipeline->funcs().size(); ++f)
    if (!m_schedule.plan(FuncId{f}).isInline() && !m_owner.contains(FuncId{f}))
      m_kept.insert(FuncId{f});
  if (isAround()) findNear();
  orderTiles();
  report(Report::IfBetter);
  return true;
}

// For a search around some given funcs, finds the funcs that may be placed: all funcs of the
// kernels that compute the given funcs (or read them, if they are inlined), the outputs of the
// kernels that these kernels read, and what is inlined into them. Only the kernels that compute or
// read the given funcs are tiled.
void PlacementSearch::findNear() {
  std::set<FuncId> touched;
  for (const FuncId func : m_problem.around) {
    const auto owner = m_owner.find(func);
    if (owner != m_owner.end())
      touched.insert(owner->second);
    else
      touched.merge(kernelsReading(func));
  }
  for (std::uint32_t f = 0; f < m_pipeline->funcs().size(); ++f) {
    const FuncId func{f};
    const auto owner = m_owner.find(func);
    // True: the func is computed in a kernel whose output is another func.
    const bool isPlaced = owner != m_owner.end() && owner->second != func;
    if (owner != m_owner.end() && touched.contains(owner->second))
      m_near.insert(func);
    else if (!isPlaced && std::ranges::any_of(kernelsReading(func), [&](FuncId output) {
               return touched.contains(output);
             }))
      m_near.insert(func);
  }
  m_tiled = std::move(touched);
}

double PlacementSearch::secondsOf(Schedule schedule, const Group &group) {
  ++m_evaluations;
  return m_timer.secondsOf(std::move(schedule), group);
}

double PlacementSearch::secondsNow(FuncId output) {
  const auto known = m_seconds.find(output);
  if (known != m_seconds.end()) return known->second;
  return m_seconds[output] = secondsOf(m_schedule, m_groups.at(output));
}

double PlacementSearch::secondsOfWritten(WrittenGroup written, const Group &group) {
  ++m_evaluations;
  return m_timer.secondsOf(std::move(written), group);
}

bool PlacementSearch::step() {
  if (m_phase == Phase::Done) return false;
  if (isOutOfEvaluations()) {
    report(Report::IfBetter); // report what this phase has found so far
    m_phase = Phase::Done;
    return false;
  }
  if (m_next < m_order.size())
    work(m_order[m_next++]);
  else
    next();
  return m_phase != Phase::Done;
}

void PlacementSearch::next() {
  report(Report::IfBetter);
  m_phase = after(m_phase);
  m_timer.setTraffic(m_schedule);
  m_seconds.clear(); // known times depend on the old traffic
  m_order.clear();
  m_next = 0;
  switch (m_phase) {
  case Phase::Grouping:
  case Phase::Refining:
    return orderPlaces();
  case Phase::Tiles:
    return orderTiles();
  case Phase::FinalTiles:
    return orderFinalTiles();
  case Phase::Registers:
    chooseRegisterCap();
    report(Report::IfBetter);
    return;
  default:
    return;
  }
}

PlacementSearch::Phase PlacementSearch::after(Phase phase) const {
  const bool isLarge = !isAround() && m_pipeline->funcs().size() > kRefined;
  // Refining is skipped if no func has moved or if the pipeline is large.
  if (phase == Phase::Grouping && (!m_hasMoved || isLarge)) phase = Phase::Refining;
  const auto next = std::next(std::ranges::find(phases(), phase));
  return next == phases().end() ? Phase::Done : *next;
}

// Sorts funcs so that readers come before what they read.
void PlacementSearch::orderPlaces() {
  for (std::size_t f = m_pipeline->funcs().size(); f-- > 0;)
    if (const auto func = static_cast<FuncId>(f);
        (!isAround() || m_near.contains(func)) && !m_kept.contains(func))
      m_order.push_back(func);
}

void PlacementSearch::orderTiles() {
  for (const auto &[output, group] : m_groups)
    if (!isAround() || m_tiled.contains(output)) m_order.push_back(output);
}

// Kernels that changed are tiled again, and with other layouts than before also long ones, whose
// tiles were chosen for the old layouts.
void PlacementSearch::orderFinalTiles() {
  double all = 0;
  if (m_work == Work::Relaid)
    for (const auto &[output, group] : m_groups)
      all += secondsNow(output);
  for (const auto &[output, group] : m_groups)
    if (m_lastChange.contains(output) || (all > 0 && secondsNow(output) >= kLong * all))
      m_order.push_back(output);
}

void PlacementSearch::work(FuncId func) {
  switch (m_phase) {
  case Phase::FirstTiles:
    return retile(func, TileEffort::Few);
  case Phase::Grouping:
  case Phase::Refining:
  case Phase::Places:
    return placeAnew(func);
  case Phase::Tiles:
  case Phase::FinalTiles:
    return retile(func, TileEffort::Many);
  default:
    return;
  }
}

void PlacementSearch::retile(FuncId output, TileEffort effort) {
  if (!m_groups.contains(output)) return;
  const double now = secondsNow(output);
  std::vector<Change> changes;
  addTiled(m_groups.at(output), tilesFor(m_schedule, m_groups.at(output), effort), now, changes);
  adoptBest(output, std::move(changes), now);
}

double PlacementSearch::addTiled(Group group, const std::vector<Tile> &tiles, double now,
                                 std::vector<Change> &changes) {
  // Frozen decisions or short dimensions can make many tiles equal. Each is tried only once.
  std::set<Tile> tried;
  std::set<std::uint64_t> seen{m_schedule.hash()};
  double least = std::numeric_limits<double>::infinity();
  // Without frozen decisions, tiles are either all possible or all impossible.
  bool isPossible = true;
  const auto predicted = [&](const Tile &tile) -> std::optional<double> {
    if (!isPossible || tile.turns == Turns::JoinedInOrder) // only tunings use JoinedInOrder
      return std::nullopt;
    if (!tried.insert(effective(*m_pipeline, group, tile, m_frozen)).second) return std::nullopt;
    group.tile = tile;
    auto written = withGroup(m_schedule, group, m_frozen, m_room);
    isPossible = written || !m_frozen.empty();
    if (!written || !seen.insert(written->schedule.hash()).second) return std::nullopt;
    double seconds = secondsOfWritten(std::move(*written), group);
    if (tile.turns == Turns::Joined) seconds *= kJoined;
    changes.push_back({.groups = {group}, .seconds = seconds});
    least = std::min(least, seconds);
    return seconds;
  };
  if (tiles.size() > (m_groups.size() > kOneOrTwo ? kManyTiles : kManyTilesOfFew))
    predictPromising(tiles, now, predicted);
  else
    std::ranges::for_each(tiles, predicted);
  return least;
}

// Moves a func from its present place to the place with the best predicted cost.
void PlacementSearch::placeAnew(FuncId func) {
  if (m_pipeline->func(func).staysAtRoot() || m_frozen.place(func)) return;
  const std::set<FuncId> readers = kernelsReading(func);
  if (readers.empty()) return;
  if (m_phase == Phase::Refining && isAsBefore(func, readers)) return;
  m_placed[func] = m_changes;
  const bool isInline = m_schedule.plan(func).isInline();
  const bool isOnItsOwn = m_groups.contains(func);
  double now = isOnItsOwn ? secondsNow(func) : 0;
  for (const FuncId reader : readers)
    if (m_groups.contains(reader)) now += secondsNow(reader);

  std::vector<Change> changes;
  if (!isOnItsOwn) addSeparation(func, readers, now, changes);
  if (!isInline) addInlining(func, readers, changes);
  const auto reader = readers.size() == 1 ? m_groups.find(*readers.begin()) : m_groups.end();
  if (reader != m_groups.end()) addMerges(func, reader->second, {}, now, changes);
  if (isOnItsOwn) addBehindCopy(func, now - secondsNow(func), changes);
  bool moves = adoptBest(func, std::move(changes), now);
  if (!moves && m_work == Work::Added && reader != m_groups.end() &&
      reader->second.members.size() < kFewMembers)
    moves = adoptBest(func, mergesInSquares(func, reader->second, now), now);
  m_hasMoved = m_hasMoved || moves;
}

// Merges into a group with other tiles (squareTiles), for a func whose merge has no gain with the
// present tile.
std::vector<PlacementSearch::Change>
PlacementSearch::mergesInSquares(FuncId func, const Group &into, double now) {
  std::vector<Change> changes;
  addMerges(func, into, squareTiles(), now, changes);
  return changes;
}

// Whether the func's kernel and its readers' kernels are unchanged since its place was last
// searched.
bool PlacementSearch::isAsBefore(FuncId func, const std::set<FuncId> &readers) const {
  const auto placed = m_placed.find(func);
  const auto isAsThen = [&](FuncId output) {
    const auto last = m_lastChange.find(output);
    return last == m_lastChange.end() || last->second <= placed->second;
  };
  return placed != m_placed.end() && isAsThen(func) && std::ranges::all_of(readers, isAsThen);
}

// The groups that read a func, after the func has been removed from their members.
std::vector<Group> PlacementSearch::without(FuncId func, const std::set<FuncId> &readers) const {
  std::vector<Group> groups;
  for (const FuncId reader : readers) {
    const auto group = m_groups.find(reader);
    if (group == m_groups.end()) continue; // a reader in m_kept belongs to no group
    groups.push_back(group->second);
    std::erase_if(groups.back().members, [&](const Member &member) { return member.func == func; });
  }
  return groups;
}

void PlacementSearch::addMeasured(Change change, std::vector<Change> &changes) {
  const auto written = perform(change);
  if (!written) return;
  for (const Group &group : change.groups)
    change.seconds += secondsOf(*written, group);
  changes.push_back(std::move(change));
}

// Moves the func to a kernel of its own. When polishing, the kernel that it leaves gets another
// tile along with that, since its present tile was chosen for both.
void PlacementSearch::addSeparation(FuncId func, const std::set<FuncId> &readers, double now,
                                    std::vector<Change> &changes) {
  Change change;
  change.separated = {func};
  change.groups = without(func, readers);
  change.groups.push_back({.output = func, .ids = m_pipeline->ids()});
  addMeasured(change, changes);
  Group &left = change.groups.front();
  if (m_phase != Phase::Places || readers.size() > 1 || !isSmall(left)) return;
  if (changes.empty() || !isPromising(changes.back().seconds, now)) return;
  for (const Tile &tile : fewTiles(left)) {
    left.tile = tile;
    addMeasured(change, changes);
  }
}

void PlacementSearch::addInlining(FuncId func, const std::set<FuncId> &readers,
                                  std::vector<Change> &changes) {
  if (!schedule::mayBeInlined(*m_pipeline, func)) return;
  const auto own = m_groups.find(func);
  if (own != m_groups.end() && !own->second.members.empty()) return;
  Change change;
  change.inlined = {func};
  change.groups = without(func, readers);
  if (!change.groups.empty()) addMeasured(std::move(change), changes);
}

// Moves a func into the blocks or the threads of a group, together with the members of its own
// kernel.
void PlacementSearch::addMerges(FuncId func, const Group &into, const std::vector<Tile> &tiles,
                                double now, std::vector<Change> &changes) {
  Group merged = into;
  const auto own = m_groups.find(func);
  if (own != m_groups.end())
    merged.members.insert(merged.members.end(), own->second.members.begin(),
                          own->second.members.end());
  std::erase_if(merged.members, [&](const Member &member) { return member.func == func; });
  for (const Placement placement : {Placement::Block, Placement::Thread}) {
    Group group = merged;
    group.members.push_back({func, placement});
    std::ranges::sort(group.members, {}, &Member::func);
    if (into.find(func) && *into.find(func) == *group.find(func)) continue; // no change
    const double seconds =
        addTiled(group, tiles.empty() ? tilesToMerge(group, into) : tiles, now, changes);
    if (tiles.empty() && m_phase == Phase::Places && isSmall(group) && isPromising(seconds, now))
      addTiled(group, tilesFor(m_schedule, group, TileEffort::Many), now, changes);
  }
}

bool PlacementSearch::isSmall(const Group &group) const {
  return group.members.size() <= kFewMembers && m_groups.size() <= kFewKernels;
}

std::vector<Tile> PlacementSearch::tilesToMerge(const Group &merged, const Group &into) const {
  const bool isBrief = isAround() && m_work != Work::Anew;
  // The kernel's present tile was chosen from many, so only this one is tried here; others are
  // tried later.
  if (isBrief && into.tile) return {*into.tile};
  if (isBrief && !m_frozen.empty())
    return {tileLike(m_schedule, into)}; // frozen loops are kept in any case
  std::vector<Tile> tiles = tilesFor(m_schedule, merged, TileEffort::Few);
  if (into.tile) {
    if (m_phase == Phase::Places && !isSmall(merged))
      tiles = tilesNear(*m_pipeline, merged, *into.tile);
    tiles.push_back(*into.tile);
  }
  if (m_work != Work::Anew) return tiles;
  // The present tile comes first, since no further tile is tried after an impossible one.
  if (into.tile) std::ranges::rotate(tiles, tiles.end() - 1);
  return withSteps(merged, tiles);
}

// Varies the number of unrolled steps of each tile: a loop that adds up partial results waits for
// each result, unless several steps are unrolled.
std::vector<Tile> PlacementSearch::withSteps(const Group &group,
                                             std::span<const Tile> tiles) const {
  std::vector<Tile> stepped;
  for (const Tile &tile : tiles)
    for (const std::int64_t steps : stepChoices(*m_pipeline, group))
      stepped.emplace_back(tile).steps = steps;
  return stepped;
}

// Moves a sum, with all members of its kernel, into the threads or the blocks of its copy. `around`
// is the time of the other kernels, which stay unchanged.
void PlacementSearch::addBehindCopy(FuncId sum, double around, std::vector<Change> &changes) {
  const auto copy = idleCopyOf(m_schedule, sum);
  if (!copy) return;
  const std::size_t before = changes.size();
  for (const Placement placement : {Placement::Block, Placement::Thread}) {
    Group group{.output = *copy, .members = m_groups.at(sum).members, .ids = m_pipeline->ids()};
    group.members.push_back({sum, placement});
    std::ranges::sort(group.members, {}, &Member::func);
    addTiled(group, fewTiles(group), secondsNow(sum), changes);
  }
  for (std::size_t c = before; c < changes.size(); ++c)
    changes[c].seconds += around;
}

// Few tiles, all with Turns::Loops.
std::vector<Tile> PlacementSearch::fewTiles(const Group &group) const {
  std::vector<Tile> tiles = tilesFor(m_schedule, group, TileEffort::Few);
  std::erase_if(tiles, [](const Tile &tile) { return tile.turns != Turns::Loops; });
  return tiles;
}

std::optional<Schedule> PlacementSearch::perform(const Change &change) {
  Schedule schedule = m_schedule;
  for (const FuncId func : change.inlined) {
    auto without = withInlined(std::move(schedule), func, m_frozen);
    if (!without) return std::nullopt;
    schedule = std::move(*without);
  }
  // Readers are written before what they read, so that no func is computed in a loop that is gone.
  std::vector<const Group *> groups;
  for (const Group &group : change.groups)
    groups.push_back(&group);
  std::ranges::sort(groups, std::greater<>{}, [](const Group *group) { return group->output; });
  for (const FuncId func : change.separated) {
    auto own =
        withGroup(schedule, Group{.output = func, .ids = m_pipeline->ids()}, m_frozen, m_room);
    if (!own) return std::nullopt;
    schedule = std::move(own->schedule);
  }
  for (const Group *group : groups) {
    auto written = withGroup(schedule, *group, m_frozen, m_room);
    if (!written) return std::nullopt;
    schedule = std::move(written->schedule);
  }
  return schedule;
}

Move PlacementSearch::moveOf(FuncId func, const Change &change) {
  if (!change.separated.empty()) return {Move::Kind::OwnKernel, func};
  const Group &group = change.groups.front();
  return change.inlined.empty() ? moveInto(group, func) : Move{Move::Kind::Inline, group.output};
}

bool PlacementSearch::adoptBest(FuncId func, std::vector<Change> changes, double below) {
  PlacementTrace trace(m_trace, *m_pipeline, phase(), func, below);
  if (trace.isOn())
    for (const Change &change : changes)
      trace.found(moveOf(func, change), change.groups.front(), change.seconds);
  const bool isTaken = adoptFastest(func, std::move(changes), below, trace);
  if (trace.isOn()) trace.write(kWorthwhile);
  return isTaken;
}

bool PlacementSearch::adoptFastest(FuncId placed, std::vector<Change> changes, double below,
                                   PlacementTrace &trace) {
  std::erase_if(changes,
                [&](const Change &change) { return change.seconds >= below * kWorthwhile; });
  std::ranges::stable_sort(changes, {}, &Change::seconds);
  // If one tile is illegal because it needs too much of a thread, similar tiles usually are, too.
  // So only the first few tiles of each kind are tried.
  std::map<std::pair<Whole, Turns>, std::size_t> tried;
  for (Change &change : changes) {
    const Tile tile = change.groups.front().tile.value_or(Tile{.longWhole = Whole::None});
    if (tried[{tile.longWhole, tile.turns}]++ >= (m_frozen.empty() ? kTried : kTriedAroundFrozen))
      continue;
    auto schedule = perform(change);
    const bool isShort = schedule && isCompilable(*schedule, change.groups);
    if (!isShort || !m_legality.isLegal(*schedule)) {
      if (trace.isOn())
        trace.refuse(moveOf(placed, change), isShort    ? refusalOf(m_legality, *schedule)
                                             : schedule ? kTooLong
                                                        : kCannotBeWritten);
      continue;
    }
    if (trace.isOn()) trace.take(moveOf(placed, change), change.groups.front(), change.seconds);
    m_schedule = std::move(*schedule);
    ++m_changes;
    for (const FuncId func : change.inlined) {
      m_groups.erase(func);
      m_seconds.erase(func);
      m_owner.erase(func);
    }
    for (Group &group : change.groups) {
      for (const Member &member : group.members) {
        m_groups.erase(member.func);
        m_seconds.erase(member.func);
        m_owner[member.func] = group.output;
      }
      m_owner[group.output] = group.output;
      m_seconds[group.output] = secondsOf(m_schedule, group);
      m_tiled.insert(group.output);
      m_lastChange[group.output] = m_changes;
      m_groups[group.output] = std::move(group);
    }
    return true;
  }
  return false;
}

// Whether the expressions in these kernels are short enough for Halide (kMostOperations).
bool PlacementSearch::isCompilable(const Schedule &schedule, std::span<const Group> groups) const {
  ExpressionSizes sizes(schedule);
  for (const Group &group : groups)
    for (const FuncId func : group.funcs())
      for (std::uint32_t s = 0; s < m_pipeline->func(func).stageCount; ++s)
        if (sizes.of(static_cast<StageId>(index(m_pipeline->func(func).firstStage) + s)) >
            kMostOperations)
          return false;
  return true;
}

void PlacementSearch::chooseRegisterCap() {
  if (isRegisterCapFrozen(m_schedule)) return;
  Schedule best = m_schedule;
  cost::Predictor predictor(m_problem.machine);
  double least = predictor.predict(best).seconds;
  for (const int cap : kRegisterCaps) {
    Schedule schedule = withRegisterCap(m_schedule, cap);
    ++m_evaluations;
    const double seconds = predictor.predict(schedule).seconds;
    const bool isTaken = seconds < least * kWorthwhile && m_legality.isLegal(schedule);
    m_trace.add([&] {
      TraceRow row{std::string(phase()),
                   "at most " + std::to_string(cap) + " registers",
                   {},
                   finiteCost(seconds),
                   finiteCost(least - seconds),
                   isTaken ? TraceOutcome::Taken : TraceOutcome::Refused};
      if (!isTaken)
        row.reason = seconds < least * kWorthwhile ? refusalOf(m_legality, schedule)
                     : seconds < least             ? kGainsTooLittle
                                                   : kNotFaster;
      return row;
    });
    if (!isTaken) continue;
    best = std::move(schedule);
    least = seconds;
  }
  m_schedule = std::move(best);
}

} // namespace tessera::search

// SPDX-License-Identifier: MIT
// Measures how many schedules per second the cost model predicts, with all numbers of each: from
// nothing, and along a walk in which each schedule differs from all before.

#include "engine/cost/evaluator.h"
#include "engine/cost/prediction.h"
#include "engine/cost/predictor.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/schedule/scheduled.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

using namespace tessera;
using pipeline::FuncId;
using pipeline::StageId;
using schedule::FuncPlan;
using schedule::LoopKind;
using schedule::LoopRef;
using schedule::Schedule;

constexpr int kStages = 10;
constexpr LoopRef kFirstOfX{0, 0}, kFirstOfY{1, 0}, kSecondOfY{1, 1};

std::string name(int f) { return f < 0 ? "in" : "f" + std::to_string(f); }

// Each func reads three rows of the func before it and a point of the one before that. All are
// computed in the blocks of the last func. In all funcs but the last, each thread computes several
// rows, two of them unrolled.
Schedule groupOf(int stages) {
  std::string pipeline = "input in 4096 4096\n", directives;
  for (int f = 0; f < stages; ++f) {
    pipeline += "func " + name(f) + "(x y) 4096 4096 = " + name(f - 1) + "(x; y+[-1,1]) " +
                name(f < 2 ? -1 : f - 2) + "(x; y)\n";
    directives += name(f);
    directives += f + 1 < stages
                      ? " compute_at " + name(stages - 1) +
                            ":xo | split y yo yi 8 guard_with_if | split yi yt yu 2 round_up | "
                            "reorder yu x yt yo | unroll yu | gpu_threads x yt\n"
                      : " split x xo xi 32 shift_inwards | split y yo yi 8 shift_inwards | "
                        "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n";
  }
  return schedule::testing::scheduled(pipeline + "output " + name(stages - 1) + "\n", directives);
}

void predictFromNothing(benchmark::State &state) {
  const Schedule schedule = groupOf(static_cast<int>(state.range(0)));
  const machine::Machine machine;
  for (auto _ : state)
    benchmark::DoNotOptimize(cost::predict(schedule, machine));
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(predictFromNothing)->Arg(1)->Arg(3)->Arg(10)->Unit(benchmark::kMicrosecond);

// A change of one decision: the factor of a split.
struct Factor {
  StageId stage{};
  LoopRef cut;
  std::int64_t factor = 1;
};
struct Plan {
  FuncId func{};
  FuncPlan plan;
};
struct Cap {
  int registers = 64;
};
using Change = std::variant<Factor, Plan, Cap>;

void make(cost::Evaluator &evaluator, const Change &change) {
  if (const auto *factor = std::get_if<Factor>(&change))
    evaluator.setFactor(factor->stage, factor->cut, factor->factor);
  else if (const auto *plan = std::get_if<Plan>(&change))
    evaluator.set(plan->func, plan->plan);
  else
    evaluator.setRegisterCap(std::get<Cap>(change).registers);
}

void make(Schedule &schedule, const Change &change) {
  if (const auto *factor = std::get_if<Factor>(&change)) {
    schedule.setFactor(factor->stage, factor->cut, factor->factor);
  } else if (const auto *plan = std::get_if<Plan>(&change)) {
    schedule.set(plan->func, plan->plan);
  } else {
    schedule::Settings settings = schedule.settings();
    settings.registerCap = std::get<Cap>(change).registers;
    schedule.set(std::move(settings));
  }
}

// What a walk may change.
enum Kinds : unsigned {
  kMembers = 1, // a func in the blocks: its rows of threads, its unroll factor, its loop order
  kTiles = 2,   // the tile of the blocks, which changes the region of every func
  kCaps = 4,
  kAll = kMembers | kTiles | kCaps,
};

class Walk {
public:
  Walk(Schedule start, unsigned kinds) : m_schedule(std::move(start)), m_kinds(kinds) {
    m_seen.insert(m_schedule.hash());
  }

  // Returns `count` changes, each of which leads to a new schedule. All schedules are legal.
  std::vector<Change> take(std::size_t count) {
    constexpr std::size_t kChecked = 64; // one schedule in 64 is checked for legality
    std::vector<Change> changes;
    while (changes.size() < count) {
      const Change change = next();
      Schedule after = m_schedule;
      make(after, change);
      if (!m_seen.insert(after.hash()).second) continue;
      if (changes.size() % kChecked == 0 && !schedule::isLegal(after, {}))
        throw std::logic_error(schedule::check(after, {}).front().message);
      m_schedule = std::move(after);
      changes.push_back(change);
    }
    return changes;
  }

private:
  // Every func is chosen equally often, and the register cap as often as one func.
  Change next() {
    for (;;) {
      const std::size_t func = m_random() % (kStages + 1);
      if (func == kStages && (m_kinds & kCaps)) return Cap{of({32, 40, 48, 56, 64})};
      if (func == kStages - 1 && (m_kinds & kTiles)) return ofTile(static_cast<StageId>(func));
      if (func < kStages - 1 && (m_kinds & kMembers)) return ofMember(static_cast<FuncId>(func));
    }
  }

  Change ofTile(StageId stage) {
    if (m_random() % 2 == 0) return Factor{stage, kFirstOfX, of({16, 20, 24, 32, 40, 48})};
    return Factor{stage, kFirstOfY, of({2, 4, 6, 8, 10, 12})};
  }

  Change ofMember(FuncId func) {
    const auto stage = static_cast<StageId>(func);
    switch (m_random() % 4) {
    case 0:
    case 1:
      return Factor{stage, kFirstOfY, of({4, 8, 12})};
    case 2:
      return Factor{stage, kSecondOfY, of({1, 2, 4})};
    default:
      return otherTurns(func);
    }
  }

  // Exchanges the order of two kinds of loops. If the serial loop of each thread is around the
  // loops over threads, it moves inside of them, and otherwise outside.
  Plan otherTurns(FuncId func) const {
    FuncPlan plan = m_schedule.plan(func);
    std::vector<schedule::Loop> &loops = plan.stages.front().nest.loops;
    const auto turns = std::ranges::find(loops, kFirstOfY, &schedule::Loop::ref);
    if (turns == std::prev(loops.end()))
      std::rotate(std::next(loops.begin()), turns, loops.end());
    else
      std::rotate(turns, std::next(turns), loops.end());
    return Plan{func, std::move(plan)};
  }

  int of(std::initializer_list<int> values) { return values.begin()[m_random() % values.size()]; }

  Schedule m_schedule;
  unsigned m_kinds;
  std::mt19937_64 m_random{1};
  std::unordered_set<std::uint64_t> m_seen;
};

// The schedules differ in many decisions, and each is predicted from nothing. The predictor keeps
// only its allocated memory and what the stages of the pipeline read.
void predictAnother(benchmark::State &state) {
  constexpr std::size_t kSchedules = 1 << 6, kApart = 16;
  const machine::Machine machine;
  std::vector<Schedule> schedules{groupOf(kStages)};
  const std::vector<Change> changes = Walk(schedules.front(), kAll).take(kSchedules * kApart);
  for (std::size_t s = 0; s + 1 < kSchedules; ++s) {
    Schedule next = schedules.back();
    for (std::size_t c = 0; c < kApart; ++c)
      make(next, changes[s * kApart + c]);
    schedules.push_back(std::move(next));
  }
  cost::Predictor predictor(machine);
  std::size_t next = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(&predictor.predict(schedules[next++ % kSchedules]));
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(predictAnother)->Unit(benchmark::kMicrosecond);

// The evaluator knows nothing at the start, and all numbers of each prediction can be read. Lists
// of changes are generated outside of the measured time. They are short, so that reading them from
// memory costs little.
void walk(benchmark::State &state, unsigned kinds) {
  constexpr benchmark::IterationCount kAtOnce = 1 << 10;
  const machine::Machine machine;
  const Schedule start = groupOf(kStages);
  cost::Evaluator evaluator(start, machine);
  Walk walk(start, kinds);
  const benchmark::IterationCount atOnce = std::min(state.max_iterations, kAtOnce);
  while (state.KeepRunningBatch(atOnce)) {
    state.PauseTiming();
    std::vector<Change> changes;
    try {
      changes = walk.take(static_cast<std::size_t>(atOnce));
    } catch (const std::logic_error &error) {
      state.SkipWithError(error.what());
      return;
    }
    state.ResumeTiming();
    for (const Change &change : changes) {
      make(evaluator, change);
      benchmark::DoNotOptimize(&evaluator.prediction());
      benchmark::ClobberMemory();
    }
  }
  state.counters["schedules/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
constexpr benchmark::IterationCount kMany = 1 << 18, kFew = 1 << 6;
BENCHMARK_CAPTURE(walk, all, kAll)->Iterations(kMany)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(walk, members, kMembers)->Iterations(kMany)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(walk, members_and_tiles, kMembers | kTiles)
    ->Iterations(kMany)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(walk, tiles_and_caps, kTiles | kCaps)
    ->Iterations(kFew)
    ->Unit(benchmark::kMicrosecond);

} // namespace

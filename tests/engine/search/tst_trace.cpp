// SPDX-License-Identifier: MIT
#include "engine/search/trace.h"

#include "engine/search/algorithms.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/random_sketch.h"
#include "tests/engine/search/freezes.h"
#include "tests/engine/search/searched.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <span>

namespace tessera::search {
namespace {

using pipeline::test::sketch;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::Searched;
using testing::searched;
using ::testing::SizeIs;

TraceRow rowNamed(const char *what) { return {"phase", what, {}}; }

TEST(TraceWriter, RecordsNothingUnlessItIsAsked) {
  TraceWriter writer(0);
  bool isAsked = false;
  writer.add([&] {
    isAsked = true;
    return rowNamed("a");
  });
  writer.append({"s", {rowNamed("b")}, 1}, "phase");
  EXPECT_FALSE(isAsked);
  EXPECT_FALSE(writer.isOn());
  EXPECT_EQ(writer.trace(), Trace());
}

TEST(TraceWriter, CountsWhatItLeavesOut) {
  TraceWriter writer(2);
  std::size_t described = 0;
  for (const char *what : {"a", "b", "c", "d"})
    writer.add([&] {
      ++described;
      return rowNamed(what);
    });
  EXPECT_THAT(writer.trace().rows, SizeIs(2));
  EXPECT_EQ(writer.trace().leftOut, 2U);
  EXPECT_EQ(described, 2U);
}

TEST(TraceWriter, RowsOfAPhaseSayWhichItWas) {
  TraceWriter writer(3);
  writer.add([] { return rowNamed("a"); });
  writer.append({"s", {rowNamed("b"), rowNamed("c"), rowNamed("d")}, 5}, "copies");
  EXPECT_THAT(writer.trace().rows, ElementsAre(Field(&TraceRow::phase, "phase"),
                                               Field(&TraceRow::phase, "copies: phase"),
                                               Field(&TraceRow::phase, "copies: phase")));
  EXPECT_EQ(writer.trace().leftOut, 6U);
}

TEST(Trace, CostsAreFinite) {
  EXPECT_EQ(finiteCost(2), 2);
  EXPECT_FALSE(finiteCost(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(finiteCost(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Trace, SizesAreText) {
  EXPECT_EQ(sizesText(std::vector<std::int64_t>{32, 8}), "32×8");
  EXPECT_EQ(sizesText({}), "");
}

// --- of every algorithm

// Few samples, so that a hundred searches take seconds.
Problem problemOf(const std::string &text, std::string_view algorithm) {
  Problem problem{schedule::defaultSchedule(sketch(text)), {}};
  if (algorithm == "beam") problem.parameters = {{"SAMPLES", 3}, {"BEAM", 4}, {"PASSES", 2}};
  problem.seed = 7;
  return problem;
}

void expectEqual(const Searched &one, const Searched &other) {
  EXPECT_EQ(one.best.schedule, other.best.schedule);
  EXPECT_EQ(one.best.seconds, other.best.seconds);
  EXPECT_EQ(one.evaluations, other.evaluations);
  ASSERT_EQ(one.candidates.size(), other.candidates.size());
  for (std::size_t c = 0; c < one.candidates.size(); ++c)
    EXPECT_EQ(one.candidates[c].schedule, other.candidates[c].schedule);
  EXPECT_EQ(one.progress, other.progress);
}

// What is true of the rows of any search.
void expectSound(const Trace &trace) {
  for (const TraceRow &row : trace.rows) {
    EXPECT_FALSE(row.phase.empty());
    EXPECT_FALSE(row.what.empty()) << row.phase;
    EXPECT_EQ(std::set(row.funcs.begin(), row.funcs.end()).size(), row.funcs.size()) << row.what;
    if (row.outcome == TraceOutcome::Refused) EXPECT_FALSE(row.reason.empty()) << row.what;
    if (row.outcome == TraceOutcome::Frozen) EXPECT_THAT(row.funcs, SizeIs(1)) << row.what;
  }
}

class TraceOf : public ::testing::TestWithParam<std::string> {};

TEST_P(TraceOf, RecordingChangesNothingThatIsFound) {
  constexpr std::uint64_t kSeeds = 6;
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    schedule::testing::Random random(seed);
    const std::string text = schedule::testing::randomSketch(random, 2 + random() % 5);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Problem problem = problemOf(text, GetParam());
    if (seed % 2 == 0) testing::freezeSome(problem.start, random);
    const Searched without = searched(problem, GetParam());
    EXPECT_EQ(without.trace.rows.size(), 0U);
    problem.traceRows = kMostTraceRows;
    const Searched with = searched(problem, GetParam());
    expectEqual(with, without);
    expectSound(with.trace);
    EXPECT_EQ(searched(problem, GetParam()).trace, with.trace);
    rows += with.trace.rows.size();
    if (HasFailure()) return;
  }
  EXPECT_GT(rows, kSeeds);
}

TEST_P(TraceOf, ALimitLeavesOutTheEnd) {
  schedule::testing::Random random(3);
  Problem problem = problemOf(schedule::testing::randomSketch(random, 6), GetParam());
  problem.traceRows = kMostTraceRows;
  const Trace whole = searched(problem, GetParam()).trace;
  ASSERT_GT(whole.rows.size(), 1U);
  problem.traceRows = 1;
  const Trace part = searched(problem, GetParam()).trace;
  EXPECT_EQ(part.unit, whole.unit);
  EXPECT_TRUE(std::ranges::equal(part.rows, std::span(whole.rows).first(1)));
  EXPECT_EQ(part.leftOut, whole.rows.size() - 1);
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Algorithm &algorithm : algorithms())
    names.emplace_back(algorithm.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, TraceOf, ::testing::ValuesIn(names()), [](const auto &at) {
  std::string name = at.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

// --- what each algorithm tells

// Two stencils after each other: fusing them repeats little and saves the memory between them.
constexpr std::string_view kStencils = R"(
  input in 2048 2048
  func a(x y) 2048 2046 sine = in(x; y) in(x; y+1) in(x; y+2)
  func b(x y) 2046 2046 sine = a(x; y) a(x+1; y) a(x+2; y)
  output b
)";

Trace traceOf(std::string_view algorithm) {
  Problem problem = problemOf(std::string(kStencils), algorithm);
  problem.traceRows = kMostTraceRows;
  return searched(problem, algorithm).trace;
}

std::vector<TraceRow> rowsOf(const Trace &trace, std::string_view phase) {
  std::vector<TraceRow> rows;
  std::ranges::copy_if(trace.rows, std::back_inserter(rows),
                       [&](const TraceRow &row) { return row.phase == phase; });
  return rows;
}

TEST(Trace, AutoTellsEachMoveOfAFuncWithItsTime) {
  const Trace trace = traceOf("auto");
  EXPECT_EQ(trace.unit, "s");
  const std::vector<TraceRow> grouping = rowsOf(trace, "grouping");
  const auto isAboutA = [](const TraceRow &row) { return row.funcs.front() == "a"; };
  EXPECT_GE(std::ranges::count_if(grouping, isAboutA), 3) << "inline, blocks and threads of b";
  for (const TraceRow &row : grouping) {
    ASSERT_TRUE(row.cost && row.benefit) << row.what;
    EXPECT_GT(*row.cost, 0);
    if (row.outcome == TraceOutcome::Taken) EXPECT_GT(*row.benefit, 0) << row.what;
  }
  EXPECT_LE(std::ranges::count(grouping, TraceOutcome::Taken, &TraceRow::outcome), 1);
}

TEST(Trace, MergesHaveTheirBenefit) {
  for (const char *algorithm : {"autogpu", "mullapudi", "polymage-like"}) {
    SCOPED_TRACE(algorithm);
    const std::vector<TraceRow> merges = rowsOf(traceOf(algorithm), "grouping");
    ASSERT_THAT(merges, SizeIs(1));
    EXPECT_TRUE(merges.front().what.starts_with("merge into b")) << merges.front().what;
    EXPECT_EQ(merges.front().funcs.front(), "a");
    EXPECT_THAT(merges.front().funcs, Contains("b"));
    const bool isTaken = merges.front().outcome == TraceOutcome::Taken;
    EXPECT_EQ(merges.front().benefit.value_or(0) > 0, isTaken) << merges.front().reason;
  }
}

TEST(Trace, TheBaselineSaysWhatItDoesNotInline) {
  const std::vector<TraceRow> inlining = rowsOf(traceOf("mullapudi-baseline"), "inlining");
  ASSERT_THAT(inlining, SizeIs(1));
  EXPECT_EQ(inlining.front().outcome, TraceOutcome::Refused);
  EXPECT_EQ(inlining.front().reason, "it would compute something again");
}

TEST(Trace, DpFusionTellsThePartition) {
  const Trace trace = traceOf("dp-fusion");
  std::size_t members = 0;
  for (const TraceRow &row : trace.rows) {
    if (row.outcome != TraceOutcome::Taken) continue;
    members += row.funcs.size();
    EXPECT_TRUE(row.cost);
    EXPECT_EQ(row.benefit.has_value(), row.funcs.size() > 1);
  }
  EXPECT_EQ(members, 2U) << "each func is in one group";
}

TEST(Trace, BeamTellsItsPassesWhatIsFrozenAndItsSamples) {
  const Trace trace = traceOf("beam");
  const std::vector<TraceRow> prePass = rowsOf(trace, "pre-pass");
  ASSERT_THAT(prePass, SizeIs(2)) << "the pass, and one of two funcs that it froze";
  EXPECT_EQ(prePass.front().outcome, TraceOutcome::Tried);
  EXPECT_EQ(prePass.back().outcome, TraceOutcome::Frozen);
  const std::vector<TraceRow> passes = rowsOf(trace, "passes");
  ASSERT_THAT(passes, SizeIs(3)) << "two passes, and the sample";
  for (std::size_t p = 0; p < 2; ++p) {
    const auto &counts = passes[p].counts;
    ASSERT_THAT(counts, SizeIs(4));
    EXPECT_EQ(counts[2].first, "evaluated");
    EXPECT_GT(counts[2].second, 0);
    EXPECT_LE(counts[3].second, counts[2].second) << "kept of those evaluated";
  }
  EXPECT_EQ(passes.back().outcome, TraceOutcome::Taken) << "the first is the best so far";
  EXPECT_THAT(rowsOf(trace, "greedy samples"), SizeIs(2));
  const std::vector<TraceRow> chosen = rowsOf(trace, "samples");
  ASSERT_THAT(chosen, SizeIs(1));
  EXPECT_LE(*chosen.front().cost, *passes.back().cost);
}

} // namespace
} // namespace tessera::search

// SPDX-License-Identifier: MIT
#include "engine/cost/load/live_values.h"

#include "tests/engine/schedule/scheduled.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace tessera::cost {
namespace {

using schedule::testing::scheduled;
using schedule::testing::stageOf;

// The number of values of each source that a thread keeps while it runs a body of "g".
class Kept {
public:
  Kept(std::string_view pipeline, const std::string &directives)
      : m_schedule(scheduled(pipeline, directives)) {
    std::vector<pipeline::FuncId> funcs;
    for (std::uint32_t f = 0; f < m_schedule.pipeline()->funcs().size(); ++f)
      funcs.push_back(pipeline::FuncId{f});
    const KernelRuns runs(m_schedule, schedule::Bounds(m_schedule), funcs);
    const Run &run = runs.of(stageOf(m_schedule, "g"));
    std::vector<pipeline::Interval> boxes;
    std::vector<pipeline::Interval> body;
    run.overBody(body);
    run.reads->evaluate(body, boxes);
    std::vector<Reads::Count> counts(run.reads->sources().size());
    run.reads->count(volumeOf(body), run.numbers, boxes, counts);
    LiveValues live;
    live.look(run, body, counts);
    for (std::size_t s = 0; s < counts.size(); ++s)
      m_kept[m_schedule.pipeline()->producerName(run.reads->sources()[s].producer)] = live.of(s);
  }

  double of(const std::string &source) const { return m_kept.at(source); }

private:
  schedule::Schedule m_schedule;
  std::map<std::string, double> m_kept;
};

const std::string kThreads = "gpu_threads xi | gpu_blocks xo yo";
std::string unrolled(const std::string &loops, const std::string &x, const std::string &y) {
  return "g split x xo xt " + x + " round_up | split xt xi xu " + x + " round_up | split y yo yu " +
         y + " round_up | reorder " + loops + " xi xo yo | unroll xu | unroll yu | " + kThreads;
}
const std::string kWindow = "input f 64 66\n"
                            "func g(x y) 64 64 = f(x; y) f(x; y+1) f(x; y+2)\noutput g\n";

TEST(LiveValues, OfAColumnThatReadsAWindowTwoRows) {
  // The 8 points read 10 elements. Each point reads three of them, and two of these are kept for
  // the next point.
  EXPECT_EQ(Kept(kWindow, unrolled("yu xu", "1", "8")).of("f"), 2);
}

TEST(LiveValues, OfOnePointNothingWaits) {
  EXPECT_EQ(Kept(kWindow, unrolled("yu xu", "1", "1")).of("f"), 0);
}

TEST(LiveValues, TheBodyIsTakenAlongTheLoopWhereRowsShareLeast) {
  // A body of 4 × 8 points. A row of 4 points shares two rows of 4 elements with the next row.
  // Neighbouring columns of 8 points share nothing, so the body is taken column by column.
  EXPECT_EQ(Kept(kWindow, unrolled("yu xu", "4", "8")).of("f"), 0);
  // Each point reads the diagonal of a box of 3 × 3. The boxes of neighbouring rows of 4 points
  // share 2 * 6 elements, those of neighbouring columns of 8 points 2 * 10. The order of the loops
  // does not matter.
  const std::string box = "input f 66 66\n"
                          "func g(x y) 64 64 = f(x; y) f(x+1; y+1) f(x+2; y+2)\noutput g\n";
  EXPECT_EQ(Kept(box, unrolled("yu xu", "4", "8")).of("f"), 2 * 6);
  EXPECT_EQ(Kept(box, unrolled("xu yu", "4", "8")).of("f"), 2 * 6);
}

TEST(LiveValues, NeverMoreThanIsLoaded) {
  // The boxes of two neighbours overlap in 9 elements, but neither point reads 7 of these. The two
  // points load only 4 elements.
  const std::string gaps = "input f 80 64\nfunc g(x y) 64 64 = f(x; y) f(x+9; y)\noutput g\n";
  EXPECT_EQ(Kept(gaps, unrolled("xu yu", "2", "1")).of("f"), 4);
}

TEST(LiveValues, WhatInlinedFuncsReadIsKeptAlongTheirOwnRows) {
  // g reads e at x..x+2, and e reads the input at y..y+2. The three values of e that a point of g
  // reads share no element of the input. Neighbouring points of a row share two values of e.
  const std::string blur = "input in 66 66\n"
                           "func e(x y) 66 64 = in(x; y) in(x; y+1) in(x; y+2)\n"
                           "func g(x y) 64 64 = e(x; y) e(x+1; y) e(x+2; y)\noutput g\n";
  const Kept row(blur, unrolled("xu yu", "4", "1"));
  EXPECT_EQ(row.of("e"), 2);
  EXPECT_EQ(row.of("in"), 2 * 3);
  // If e reads x..x+2 instead, two adjacent values of e share two elements of the input.
  const Kept point("input in 68 66\n"
                   "func e(x y) 66 64 = in(x; y) in(x+1; y) in(x+2; y)\n"
                   "func g(x y) 64 64 = e(x; y) e(x+1; y) e(x+2; y)\noutput g\n",
                   unrolled("xu yu", "1", "1"));
  EXPECT_EQ(point.of("e"), 0);
  EXPECT_EQ(point.of("in"), 2);
}

TEST(LiveValues, WhatIsOnlyPassedOnWaitsForNobody) {
  // The values of e are kept. Each needs one element of the input, which need not be kept.
  const Kept passed("input in 66 66\nfunc e(x y) 66 64 = in(x; y)\n"
                    "func g(x y) 64 64 = e(x; y) e(x+1; y) e(x+2; y)\noutput g\n",
                    unrolled("xu yu", "4", "1"));
  EXPECT_EQ(passed.of("e"), 2);
  EXPECT_EQ(passed.of("in"), 0);
  // If g also reads the input itself, the element has to be kept.
  const Kept both("input in 68 66\nfunc e(x y) 66 64 = in(x; y)\n"
                  "func g(x y) 64 64 = e(x; y) e(x+1; y) in(x; y) in(x+1; y)\noutput g\n",
                  unrolled("xu yu", "4", "1"));
  EXPECT_EQ(both.of("e"), 1);
  EXPECT_EQ(both.of("in"), 1);
}

} // namespace
} // namespace tessera::cost

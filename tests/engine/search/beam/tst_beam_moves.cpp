// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_moves.h"

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace tessera::search {
namespace {

using schedule::Depth;
using schedule::testing::funcOf;
using ::testing::Contains;
using ::testing::Each;

// The pipeline of section 6, with more work to do.
constexpr std::string_view kStencils = R"(
  input in 1538 2560
  func intermed(x y) 1536 2560 sine = in(x; y) in(x+1; y) in(x+2; y)
  func output(x y) 1534 2560 = intermed(x; y) intermed(x+1; y) intermed(x+2; y)
  output output
)";

class BeamMovesOf : public ::testing::Test {
protected:
  BeamMovesOf()
      : m_start(schedule::defaultSchedule(pipeline::test::sketch(kStencils))),
        m_cost(m_start, m_machine), m_moves(m_start, m_start, {}, m_machine, m_parameters, m_cost),
        m_intermed(funcOf(m_start, "intermed")), m_output(funcOf(m_start, "output")) {}

  // With the output in blocks of 32 × 8.
  BeamStatePtr tiled() {
    const BeamStatePtr placed =
        m_moves.applied(m_moves.initial(), m_output,
                        m_moves.places(*m_moves.initial(), m_output, BeamSpace::All).front());
    for (const BeamOption &option : m_moves.tiles(m_output))
      if (option.shape.threads == BeamSizes{32, 8} && option.shape.serial == BeamSizes{1, 1})
        return m_moves.applied(placed, m_output, option);
    return nullptr;
  }

  std::vector<BeamPlace> placesIn(const BeamState &state, BeamSpace space) {
    std::vector<BeamPlace> places;
    for (const BeamOption &option : m_moves.places(state, m_intermed, space))
      if (places.empty() || places.back() != option.place) places.push_back(option.place);
    return places;
  }

  const machine::Machine m_machine;
  const BeamParameters m_parameters;
  const schedule::Schedule m_start;
  AnalyticBeamCost m_cost;
  BeamMoves m_moves;
  const pipeline::FuncId m_intermed, m_output;
};

TEST_F(BeamMovesOf, GoesFromTheOutputToTheInputs) {
  EXPECT_EQ(m_moves.order(), (std::vector<pipeline::FuncId>{m_output, m_intermed}));
  EXPECT_TRUE(schedule::isLegal(m_moves.initial()->schedule, m_machine));
}

// An output has no other option.
TEST_F(BeamMovesOf, AnOutputIsAKernel) {
  const auto options = m_moves.places(*m_moves.initial(), m_output, BeamSpace::All);
  ASSERT_EQ(options.size(), 1U);
  EXPECT_EQ(options.front().place, BeamPlace::Root);
}

TEST_F(BeamMovesOf, HasTheFourPlacesOfThePaper) {
  const BeamStatePtr state = tiled();
  ASSERT_TRUE(state);
  EXPECT_EQ(placesIn(*state, BeamSpace::All),
            (std::vector{BeamPlace::Root, BeamPlace::Inline, BeamPlace::Thread, BeamPlace::Block}));
  EXPECT_EQ(placesIn(*state, BeamSpace::RootOrInline),
            (std::vector{BeamPlace::Root, BeamPlace::Inline}));
}

TEST_F(BeamMovesOf, EachStateIsLegalAndHasACost) {
  const BeamStatePtr state = tiled();
  ASSERT_TRUE(state);
  std::vector<Depth> depths;
  for (const BeamOption &option : m_moves.places(*state, m_intermed, BeamSpace::All)) {
    const BeamStatePtr next = m_moves.applied(state, m_intermed, option);
    if (!next) continue;
    EXPECT_TRUE(schedule::isLegal(next->schedule, m_machine));
    EXPECT_TRUE(std::isfinite(next->cost) && next->cost > 0);
    EXPECT_EQ(next->parent, state);
    const auto at = schedule::Bounds(next->schedule).of(m_intermed).depth;
    if (!next->schedule.plan(m_intermed).isInline()) depths.push_back(at);
  }
  EXPECT_THAT(depths, Contains(Depth::Host));
  EXPECT_THAT(depths, Contains(Depth::Block));
  EXPECT_THAT(depths, Contains(Depth::Thread));
}

// Figure 3, with states of the search.
TEST_F(BeamMovesOf, StatesOfFigure3DifferAtDepth2) {
  const BeamStatePtr state = tiled();
  ASSERT_TRUE(state);
  BeamStatePtr inThread, inBlock;
  for (const BeamOption &option : m_moves.places(*state, m_intermed, BeamSpace::All)) {
    if (option.place == BeamPlace::Thread) inThread = m_moves.applied(state, m_intermed, option);
    if (option.place == BeamPlace::Block && !inBlock)
      inBlock = m_moves.applied(state, m_intermed, option);
  }
  ASSERT_TRUE(inThread && inBlock);
  EXPECT_EQ(inThread->hashAt(1), inBlock->hashAt(1));
  EXPECT_NE(inThread->hashAt(2), inBlock->hashAt(2));
}

// Section 6.6: a chain of inlined stencils of three points computes 3^n points.
TEST_F(BeamMovesOf, PrunesWhatIsComputedTooOften) {
  BeamParameters strict;
  strict.recompute = 2;
  BeamMoves moves(m_start, m_start, {}, m_machine, strict, m_cost);
  BeamOption option;
  option.place = option.shape.place = BeamPlace::Inline;
  const BeamStatePtr state = moves.initial();
  EXPECT_FALSE(moves.applied(state, m_intermed, option));
  EXPECT_TRUE(m_moves.applied(state, m_intermed, option));
}

TEST_F(BeamMovesOf, SharesCostsOutToFuncs) {
  const BeamStatePtr state = tiled();
  ASSERT_TRUE(state);
  BeamOption option;
  option.place = option.shape.place = BeamPlace::Inline;
  const BeamStatePtr inlined = m_moves.applied(state, m_intermed, option);
  ASSERT_TRUE(inlined);
  const std::vector<double> costs = m_moves.costsOf(*inlined);
  EXPECT_THAT(costs, Each(::testing::Gt(0)));
  EXPECT_NEAR(costs[0] + costs[1], inlined->cost, 1e-12);
  EXPECT_GT(costs[index(m_intermed)], costs[index(m_output)]); // a sine at each of three points
}

} // namespace
} // namespace tessera::search

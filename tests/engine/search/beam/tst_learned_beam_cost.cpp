// SPDX-License-Identifier: MIT
#include "engine/search/beam/learned_beam_cost.h"

#include "engine/search/beam/beam_moves.h"
#include "engine/search/beam/beam_search.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"

#include <gmock/gmock.h>

#include <memory>

namespace tessera::search {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kStencils = R"(
  input in 1538 2560
  func intermed(x y) 1536 2560 = in(x; y) in(x+1; y) in(x+2; y)
  func output(x y) 1534 2560 = intermed(x; y) intermed(x+1; y) intermed(x+2; y)
  output output
)";

class LearnedBeamCostOf : public ::testing::Test {
protected:
  LearnedBeamCostOf()
      : m_start(schedule::defaultSchedule(pipeline::test::sketch(kStencils))),
        m_cost(m_weights, m_machine),
        m_moves(m_start, m_start, {}, m_machine, m_parameters, m_cost),
        m_intermed(schedule::testing::funcOf(m_start, "intermed")),
        m_output(schedule::testing::funcOf(m_start, "output")) {}

  // The output in tiles, with nothing decided about what it reads.
  BeamStatePtr tiled() {
    BeamOption place;
    place.place = place.shape.place = BeamPlace::Root;
    const BeamStatePtr placed = m_moves.applied(m_moves.initial(), m_output, place);
    return m_moves.applied(placed, m_output, m_moves.tiles(m_output).front());
  }

  const machine::Machine m_machine;
  const BeamParameters m_parameters;
  const learn::Weights m_weights = learn::randomWeights(3);
  const schedule::Schedule m_start;
  LearnedBeamCost m_cost;
  BeamMoves m_moves;
  const pipeline::FuncId m_intermed, m_output;
};

TEST_F(LearnedBeamCostOf, IsTheSumThatTheNetworkPredicts) {
  const BeamStatePtr state = tiled();
  learn::CostModel model(m_weights, m_machine);
  std::size_t compared = 0;
  for (const BeamOption &option : m_moves.places(*state, m_intermed, BeamSpace::All)) {
    if (option.place == BeamPlace::Root) continue; // its tiles are not decided yet
    const BeamStatePtr next = m_moves.applied(state, m_intermed, option);
    if (!next) continue;
    EXPECT_NEAR(next->cost, model.milliseconds(next->schedule), 1e-9 * next->cost);
    EXPECT_GT(next->cost, 0);
    ++compared;
  }
  EXPECT_GT(compared, 2U); // inlined, in threads, and in blocks with several tiles
}

// Producers that are not scheduled yet are features of what is decided, and cost nothing
// themselves.
TEST_F(LearnedBeamCostOf, CountsWhatIsDecidedAlone) {
  const BeamStatePtr state = tiled();
  learn::CostModel model(m_weights, m_machine);
  const std::vector<double> stages = model.costs(state->schedule);
  EXPECT_NEAR(state->cost, stages[1], 1e-9 * stages[1]);
  EXPECT_EQ(m_cost.ofFuncs(*state), stages);
}

TEST(LearnedBeamSearch, RanksByTheNetwork) {
  Problem problem{schedule::defaultSchedule(pipeline::test::sketch(kStencils)), {}};
  problem.parameters = {{"COST", 1}, {"SAMPLES", 2}, {"BEAM", 4}, {"PASSES", 2}};
  BeamSearch search(problem, std::make_shared<const learn::Weights>(learn::randomWeights(3)));
  while (search.step()) {
  }
  EXPECT_TRUE(schedule::isLegal(search.best().schedule, problem.machine));
  EXPECT_THAT(search.remarks(), Not(Contains(HasSubstr("no learned weights"))));
  ASSERT_FALSE(search.kernelCosts().empty());
  EXPECT_EQ(search.kernelCosts().front().terms.front().first, "learned");
}

} // namespace
} // namespace tessera::search

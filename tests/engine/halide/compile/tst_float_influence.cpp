// SPDX-License-Identifier: MIT
#include "engine/halide/compile/float_influence.h"
#include "engine/halide/capture.h"
#include "engine/halide/import/import.h"
#include "tests/engine/halide/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using namespace Halide;
using report::FloatInfluence;
using ::testing::ElementsAre;

class FloatInfluenceTest : public ::testing::Test {
protected:
  // The influence on each element of a func of `size` elements.
  std::vector<FloatInfluence> on(Func output) {
    output.set_estimate(output.args()[0], 0, 16);
    const std::string path = m_folder.file("pipeline.hlpipe");
    const Status captured = capturePipeline(Pipeline(output), path);
    EXPECT_TRUE(captured) << captured.error().message;
    ImportOptions options;
    options.path = path;
    const auto prepared = preparePipeline(options);
    EXPECT_TRUE(prepared) << prepared.error().message;
    return prepared ? floatInfluences(prepared->raw) : std::vector<FloatInfluence>{};
  }

  FloatInfluence onValue(const Expr &value) {
    Func output("output");
    output(x) = value;
    const auto influences = on(output);
    return influences.empty() ? FloatInfluence::None : influences[0];
  }

  Var x{"x"};
  ImageParam bytes{UInt(8), 1, "bytes"}, floats{Float(32), 1, "floats"};

private:
  TemporaryFolder m_folder;
};

TEST_F(FloatInfluenceTest, IntegersOfIntegersHaveNone) {
  EXPECT_EQ(onValue(cast<std::uint8_t>(bytes(x) / 2)), FloatInfluence::None);
}

TEST_F(FloatInfluenceTest, AFloatThatBecomesTheValueIsRounded) {
  EXPECT_EQ(onValue(cast<std::uint8_t>(floats(x) * 255.0f)), FloatInfluence::Rounded);
  EXPECT_EQ(onValue(max(cast<int>(round(floats(x))), 3) + 1), FloatInfluence::Rounded);
  EXPECT_EQ(onValue(select(bytes(x) < 7, cast<int>(floats(x)), 0)), FloatInfluence::Rounded);
}

TEST_F(FloatInfluenceTest, AnExternStageMayRoundTheFloatsThatItGets) {
  for (const Expr &value : {floats(x), cast<float>(cast<int>(bytes(x)))}) {
    Func handed("handed"), foreign("foreign"), output("output");
    handed(x) = value;
    handed.set_estimate(x, 0, 16);
    foreign.define_extern("a_function", {handed}, Int(32), 1);
    output(x) = foreign(x);
    EXPECT_THAT(on(output), ElementsAre(FloatInfluence::Rounded));
  }
  Func handed("handed"), foreign("foreign"), output("output");
  handed(x) = cast<int>(bytes(x));
  handed.set_estimate(x, 0, 16);
  foreign.define_extern("a_function", {handed, 7}, Int(32), 1);
  output(x) = foreign(x);
  EXPECT_THAT(on(output), ElementsAre(FloatInfluence::None));
}

TEST_F(FloatInfluenceTest, AConditionOrAnIndexDecides) {
  EXPECT_EQ(onValue(select(floats(x) < 0.5f, 3, 4)), FloatInfluence::Decides);
  EXPECT_EQ(onValue(floats(x) < 0.5f), FloatInfluence::Decides);
  EXPECT_EQ(onValue(cast<int>(bytes(clamp(cast<int>(floats(x) * 16.0f), 0, 15)))),
            FloatInfluence::Decides);
  EXPECT_EQ(onValue(cast<bool>(floats(x))), FloatInfluence::Decides);
}

TEST_F(FloatInfluenceTest, ItComesThroughOtherFuncs) {
  Func scaled("scaled"), label("label");
  scaled(x) = cast<int>(floats(x) * 16.0f);
  EXPECT_EQ(onValue(scaled(x) + 1), FloatInfluence::Rounded);
  EXPECT_EQ(onValue(select(scaled(x) < 3, 1, 2)), FloatInfluence::Decides);
  label(x) = select(floats(x) < 0.5f, 1, 2);
  EXPECT_EQ(onValue(label(x) + 1), FloatInfluence::Decides);
}

TEST_F(FloatInfluenceTest, TheBinOfAHistogramDecides) {
  Func counts("counts");
  const RDom r(0, 16);
  counts(x) = 0;
  counts(clamp(cast<int>(floats(r) * 16.0f), 0, 15)) += 1;
  EXPECT_THAT(on(counts), ElementsAre(FloatInfluence::Decides));
}

TEST_F(FloatInfluenceTest, EachElementOfATupleHasItsOwn) {
  Func best("best");
  const RDom r(0, 16);
  best(x) = Tuple(1e9f, -1, 0);
  const Expr cost = abs(floats(r) - cast<float>(x));
  best(x) = Tuple(select(cost < best(x)[0], cost, best(x)[0]),
                  select(cost < best(x)[0], Expr(r), best(x)[1]), best(x)[2] + 1);
  EXPECT_THAT(on(best),
              ElementsAre(FloatInfluence::Decides, FloatInfluence::Decides, FloatInfluence::None));
}

} // namespace
} // namespace tessera::halide::testing

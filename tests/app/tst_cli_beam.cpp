// SPDX-License-Identifier: MIT
// Tests the algorithm beam as a user of the command schedule meets it, on samples.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tessera::app {
namespace {

using ::testing::HasSubstr;

class CliBeam : public test::CliTest {
protected:
  static std::string beamSample(const std::string &name) {
    return test::kSamples + name + ".hlpipe";
  }

  void expectRefusal(const std::vector<std::string> &arguments, int code,
                     const std::string &message) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, code);
    EXPECT_THAT(ran.errors, HasSubstr(message));
    EXPECT_EQ(ran.output, "");
  }
};

// Anderson et al. 2021, section 4: all funcs but a logarithm are frozen. Of 13, 34 and 103 funcs
// that is 9, 28 and 96. local_laplacian is as large as the last; harris has one func less than the
// first, and stencil_chain one more than the second.
TEST_F(CliBeam, FreezesAllButALogarithm) {
  const auto expectFrozen = [&](const std::string &name, const std::string &remark) {
    const Ran ran = run({"schedule", beamSample(name), "--algorithm", "beam", "--param",
                         "PRESET=greedy-sample", "--json"});
    ASSERT_EQ(ran.code, 0) << ran.errors;
    const auto found = nlohmann::json::parse(ran.output);
    EXPECT_EQ(found["legal"], true);
    EXPECT_THAT(found["remarks"].dump(), HasSubstr(remark + " frozen by the pre-pass")) << name;
  };
  expectFrozen("harris", "8 funcs were");
  expectFrozen("stencil_chain", "29 funcs were");
  expectFrozen("local_laplacian", "96 funcs were");
}

TEST_F(CliBeam, ALearnedCostNeedsWeights) {
  const std::string blur = beamSample("blur");
  expectRefusal({"schedule", blur, "--algorithm", "beam", "--param", "COST=learned"}, 2,
                "COST=learned needs weights\n  give a file to --weights");
  expectRefusal({"schedule", blur, "--weights", blur}, 2,
                "the algorithm auto has no learned cost\n  --weights needs --algorithm beam");
  expectRefusal({"schedule", blur, "--algorithm", "beam", "--weights", blur}, 3,
                "is not a file of weights");
}

TEST_F(CliBeam, ItsModesAreItsOwn) {
  const std::string blur = beamSample("blur");
  expectRefusal({"tune", blur, "--mode", "top5"}, 2,
                "the algorithm auto has no modes\n  --mode needs --algorithm beam");
  expectRefusal({"tune", blur, "--algorithm", "beam", "--batches", "3"}, 2, "--mode");
  expectRefusal({"tune", blur, "--algorithm", "beam", "--mode", "best"}, 2, "autotune");
  expectRefusal({"tune", blur, "--algorithm", "beam", "--mode", "top5", "--batches", "3"}, 2,
                "the mode top5 is one batch\n  --batches needs --mode autotune");
  expectRefusal({"tune", blur, "--algorithm", "beam", "--mode", "top5", "--weights", blur}, 3,
                "is not a file of weights");
}

} // namespace
} // namespace tessera::app

// SPDX-License-Identifier: MIT
// `learn data`, `train` and `test` on schedules that were measured on a GPU.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class CliLearnTest : public CliTest {
protected:
  // Features of twenty schedules of mat_mul and twelve of harris.
  Ran makeData() {
    return runIn("{ xz -dc '" + kRows +
                     "' | grep '\"pipeline\": \"mat_mul\"' | head -20; xz -dc '" + kRows +
                     "' | grep '\"pipeline\": \"harris\"' | head -12; } | \"$@\"",
                 {"learn", "data", "-", "--machine", "h200", "--commit", "21ce015", "-o", kData});
  }
  std::string contentOf(const std::string &path) const {
    const auto content = host::readFile(path);
    EXPECT_TRUE(content) << path;
    return content ? *content : "";
  }
  void write(const std::string &path, const std::string &content) const {
    EXPECT_TRUE(host::writeFile(path, content));
  }
  Ran train(const std::string &into, const std::string &seed) {
    return run({"learn", "train", kData, "--epochs", "2", "--seed", seed, "-o", into});
  }

  const std::string kRows =
      tessera::test::sourcePath("tests/campaigns/times/results/h200.jsonl.xz");
  const std::string kData = home() + "/data.jsonl", kWeights = home() + "/mine.weights";
};

TEST_F(CliLearnTest, TrainsAndTestsWithWhatWasMeasured) {
  const Ran data = makeData();
  ASSERT_EQ(data.code, 0) << data.errors;
  EXPECT_EQ(data.output, "31 schedules of 2 applications written to " + kData + "\n");
  EXPECT_THAT(data.errors, HasSubstr("1 break a rule of today"));
  const std::string lines = contentOf(kData);
  EXPECT_TRUE(lines.find(R"("machine":"NVIDIA H200 SXM","commit":"21ce015")") != std::string::npos);
  EXPECT_TRUE(lines.ends_with("{\"rows\":31}\n"));

  ASSERT_EQ(train(kWeights, "3").code, 0);
  const json trained = json::parse(contentOf(kWeights));
  EXPECT_EQ(trained["samples"], 31);
  EXPECT_EQ(trained["seed"], 3);
  EXPECT_EQ(trained["applications"], json::array({"harris", "mat_mul"}));
  EXPECT_EQ(trained["machines"], json::array({"NVIDIA H200 SXM"}));
  const std::string first = contentOf(kWeights);
  ASSERT_EQ(train(kWeights, "3").code, 0);
  EXPECT_EQ(contentOf(kWeights), first) << "the same seed, the same weights";
  ASSERT_EQ(train(home() + "/other.weights", "4").code, 0);
  EXPECT_NE(contentOf(home() + "/other.weights"), first);

  const Ran found = run({"schedule", kSamples + "blur.hlpipe", "--algorithm", "beam", "--param",
                         "PRESET=greedy-sample", "--weights", kWeights, "--json"});
  EXPECT_EQ(found.code, 0) << found.errors;

  const Ran ranked = run({"learn", "test", kData, "--weights", kWeights, "--json"});
  ASSERT_EQ(ranked.code, 0) << ranked.errors;
  const json rows = json::parse(ranked.output);
  ASSERT_EQ(rows["applications"].size(), 2U);
  EXPECT_EQ(rows["applications"][1]["application"], "mat_mul");
  EXPECT_EQ(rows["applications"][1]["schedules"], 20);
  // The analytic model ranks random schedules of mat_mul well; see the campaign `times`.
  EXPECT_GT(rows["applications"][1]["analytic"]["rank_correlation"], 0.5);

  const Ran held = run({"learn", "test", kData, "--epochs", "1"});
  EXPECT_EQ(held.code, 0) << held.errors;
  EXPECT_THAT(held.output, AllOf(HasSubstr("harris"), HasSubstr("median")));
}

TEST_F(CliLearnTest, CorrectsWhatTheModelSays) {
  ASSERT_EQ(makeData().code, 0);
  const std::string correction = home() + "/mine.correction";
  const Ran learned = run({"learn", "correct", kData, "-o", correction});
  ASSERT_EQ(learned.code, 0) << learned.errors;
  EXPECT_THAT(learned.output, AllOf(HasSubstr("kernels of 2 applications"), HasSubstr(correction)));
  const std::string first = contentOf(correction);
  ASSERT_EQ(run({"learn", "correct", kData, "-o", correction}).code, 0);
  EXPECT_EQ(contentOf(correction), first) << "the same seed, the same trees";

  const std::string blur = kSamples + "blur.hlpipe";
  const Ran explained = run({"explain", blur, "--schedule", "default", "--correction", correction});
  ASSERT_EQ(explained.code, 0) << explained.errors;
  EXPECT_THAT(explained.output, AllOf(HasSubstr("corrected by"), HasSubstr("NVIDIA H200")));
  const Ran asJson =
      run({"explain", blur, "--schedule", "default", "--correction", correction, "--json"});
  ASSERT_EQ(asJson.code, 0) << asJson.errors;
  const json document = json::parse(asJson.output);
  EXPECT_EQ(document["correction"]["applications"], json::array({"harris", "mat_mul"}));
  double milliseconds = document["predicted_ms"];
  for (const json &kernel : document["kernels"]) {
    const double factor = kernel["corrected"]["factor"], ms = kernel["corrected"]["ms"];
    EXPECT_GE(kernel["corrected"]["spread"], 1);
    milliseconds += ms - ms / factor;
  }
  EXPECT_NEAR(document["corrected_ms"].get<double>(), milliseconds, 1e-9);

  const Ran elsewhere = run(
      {"explain", blur, "--schedule", "default", "--machine", "a100", "--correction", correction});
  EXPECT_EQ(elsewhere.code, 3);
  EXPECT_THAT(elsewhere.errors, AllOf(HasSubstr("was learned on NVIDIA H200"), HasSubstr("A100")));

  const Ran ranked = run({"learn", "test", kData, "--correction", correction, "--json"});
  ASSERT_EQ(ranked.code, 0) << ranked.errors;
  const json rows = json::parse(ranked.output);
  EXPECT_EQ(rows["predicted"]["applications"].size(), 2U);
  EXPECT_EQ(rows["compiled"]["applications"].size(), 2U);
  EXPECT_GT(rows["predicted"]["applications"][1]["learned"]["rank_correlation"], 0.5);
  const Ran held = run({"learn", "test", kData, "--corrected"});
  ASSERT_EQ(held.code, 0) << held.errors;
  EXPECT_THAT(held.output, AllOf(HasSubstr("As a search predicts"), HasSubstr("mat_mul")));

  write(correction, first.substr(0, first.size() / 2));
  for (const auto &words : {std::vector<std::string>{"explain", blur, "--schedule", "default",
                                                     "--correction", correction},
                            {"learn", "test", kData, "--correction", correction}}) {
    const Ran refused = run(words);
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.errors, HasSubstr("mine.correction' is damaged"));
  }
}

TEST_F(CliLearnTest, DamagedFilesAreRefusedByName) {
  ASSERT_EQ(makeData().code, 0);
  ASSERT_EQ(train(kWeights, "3").code, 0);
  const std::string weights = contentOf(kWeights), data = contentOf(kData);
  write(kWeights, weights.substr(0, weights.size() / 2));
  const Ran cut = run({"learn", "test", kData, "--weights", kWeights});
  EXPECT_EQ(cut.code, 3);
  EXPECT_THAT(cut.errors, AllOf(HasSubstr("'" + kWeights + "' is damaged: it is not whole."),
                                HasSubstr("learn train")));
  const Ran foreign = run({"learn", "train", kData, "--start", kData, "-o", kWeights});
  EXPECT_EQ(foreign.code, 3);
  EXPECT_THAT(foreign.errors, HasSubstr("'" + kData + "' is not a file of weights."));
  EXPECT_EQ(contentOf(kWeights), weights.substr(0, weights.size() / 2)) << "nothing was written";
  write(kData, data.substr(0, data.size() / 2));
  const Ran half = run({"learn", "train", kData, "-o", kWeights, "--json"});
  EXPECT_EQ(half.code, 3);
  EXPECT_THAT(json::parse(half.output)["error"]["message"].get<std::string>(),
              HasSubstr("'" + kData + "' is damaged"));
}

TEST_F(CliLearnTest, SaysWhatIsMissing) {
  EXPECT_EQ(run({"learn"}).code, 2);
  const Ran nothing = run({"learn", "data", "-o", kData});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.errors, HasSubstr("--of FILE"));
  const Ran noStore = run({"learn", "data", "--of", kSamples + "blur.hlpipe", "--store",
                           home() + "/none.sqlite", "-o", kData});
  EXPECT_EQ(noStore.code, 3);
  EXPECT_THAT(noStore.errors, HasSubstr("no store of tunings at '" + home() + "/none.sqlite'"));
  const Ran noFile = run({"learn", "train", home() + "/none.jsonl", "-o", kWeights});
  EXPECT_NE(noFile.code, 0);
  EXPECT_THAT(noFile.errors, HasSubstr("none.jsonl"));
  write(kData, "{\"pipeline\": \"bgu\"}\n");
  EXPECT_THAT(run({"learn", "test", kData}).errors, HasSubstr("is not a file of learning data"));
}

// A line that cannot be read is no reason to lose the others.
TEST_F(CliLearnTest, LinesThatCannotBeReadAreLeftOut) {
  const Ran ran = runIn("{ echo '{\"ms\": 1}'; echo no JSON; xz -dc '" + kRows +
                            "' | grep '\"pipeline\": \"mat_mul\"' | head -2; } | \"$@\"",
                        {"learn", "data", "-", "-o", kData, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_EQ(document["rows"], 2);
  EXPECT_EQ(document["unread"], 2);
}

TEST_F(CliLearnTest, IsCancelledBetweenEpochs) {
  ASSERT_EQ(makeData().code, 0);
  // timeout signals the program and then its group: the second signal is no second request.
  const Ran ran = runIn("timeout --preserve-status -s INT 2 \"$@\"",
                        {"learn", "train", kData, "--epochs", "1000000", "-o", kWeights});
  EXPECT_EQ(ran.code, 130);
  EXPECT_THAT(ran.errors, HasSubstr("Cancelled"));
  EXPECT_FALSE(host::readFile(kWeights));
}

} // namespace
} // namespace tessera::app::test

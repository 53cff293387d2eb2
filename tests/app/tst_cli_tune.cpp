// SPDX-License-Identifier: MIT
// Tests the command tune on a fake of NVIDIA's driver, also when it is killed in the middle.
#include "engine/tune/tune_store.h"
#include "tests/app/fake_gpu_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tune::TunedCandidate;

class CliTuneTest : public FakeGpuTest {
protected:
  std::vector<std::string> arguments(const std::string &budget) const {
    return {"tune",       kSamples + "blur.hlpipe",
            "--estimate", "output=0:320,0:240",
            "--store",    storePath(),
            "--budget",   budget,
            "--json"};
  }
  std::string storePath() const { return home() + "/tune.sqlite"; }

  // All candidates in the store, or none before the program has made it.
  std::vector<TunedCandidate> stored() const {
    if (!std::filesystem::exists(storePath())) return {};
    const auto store = tune::TuneStore::open(storePath());
    if (!store) return {};
    auto all = (*store)->candidates(1);
    return all ? std::move(*all) : std::vector<TunedCandidate>();
  }
  // The number of connections through which tessera-gpu was started.
  std::ptrdiff_t connections() const {
    const std::string asked = m_ssh->asked();
    std::ptrdiff_t count = 0;
    for (std::size_t at = 0; (at = asked.find("; exit $?", at)) != std::string::npos; ++at)
      ++count;
    return count;
  }
  static std::vector<TunedCandidate> ended(std::vector<TunedCandidate> all) {
    std::erase_if(all, [](const TunedCandidate &one) { return !one.outcome; });
    return all;
  }
};

TEST_F(CliTuneTest, WritesTheFastest) {
  const std::string file = home() + "/best.schedule.h";
  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"-o", file, "--candidates", "3"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_GT(document["best_seconds"], 0);
  EXPECT_GE(document["measured"], 3);
  EXPECT_LT(document["seconds"], 50);
  EXPECT_EQ(document["store"], storePath());
  const auto text = host::readFile(file);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("measured in consecutive runs"));
}

TEST_F(CliTuneTest, ByKernelsItSaysHowManyItMeasured) {
  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"--by-kernels", "--candidates", "2"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_GE(document["measured"], 2);
  EXPECT_GE(document["kernels"], 1);
  EXPECT_GT(document["best_seconds"], 0);
}

TEST_F(CliTuneTest, BeamTrainsItsCostModelBetweenBatches) {
  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"--algorithm", "beam", "--mode", "autotune", "--batches", "2",
                             "--param", "SAMPLES=10", "--param", "BEAM=2", "--param", "PASSES=1"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  ASSERT_EQ(document["trained"].size(), 1U);
  EXPECT_GE(document["trained"][0]["samples"], 9);
  EXPECT_GT(document["trained"][0]["loss"], 0);
  EXPECT_GT(document["best_seconds"], 0);
}

TEST_F(CliTuneTest, ANewerGpuGetsTheNewestThatPtxasKnows) {
  useNotingPtxas();
  wish(kRight + "device 13 0");
  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"--candidates", "1"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_GE(json::parse(ran.output)["measured"], 1);
  const auto asked = host::readFile(ptxasNotes());
  ASSERT_TRUE(asked);
  EXPECT_THAT(*asked, HasSubstr("-arch=sm_121 "));
}

// Kills the program while candidates are compiled and measured. The next run must know every
// candidate that had ended, must not measure it again, and must continue with the others.
TEST_F(CliTuneTest, KilledItLosesNothingAndMeasuresNothingTwice) {
  auto child = job::ChildProcess::start(
      {.program = tessera::test::binPath("tessera-cli"),
       .arguments = arguments("50s"),
       .environment = {{"HOME", home()}, {"XDG_CACHE_HOME", ""}, {"XDG_CONFIG_HOME", ""}}});
  ASSERT_TRUE(child);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(45);
  while (ended(stored()).size() < 3 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  child->kill();
  ASSERT_TRUE(child->wait(deadline + std::chrono::seconds(5)));
  const auto before = ended(stored());
  ASSERT_GE(before.size(), 3U);

  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"--candidates", "2"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_EQ(document["known_before"], before.size());
  const auto after = stored();
  EXPECT_GT(ended(after).size(), before.size());
  for (const TunedCandidate &one : before) {
    const auto same = std::ranges::find(after, one.hash, &TunedCandidate::hash);
    ASSERT_NE(same, after.end());
    EXPECT_EQ(same->measurement, one.measurement);
    EXPECT_EQ(same->attempts, one.attempts);
  }
}

TEST_F(CliTuneTest, MeasuresOnAnotherMachine) {
  useFakeSsh();
  ASSERT_EQ(run({"machine", "probe", "--host", "me@gpu"}).code, 0); // installs tessera-gpu
  m_ssh->wish("CUT", "500000"); // cuts the connection after this many bytes: one or two bundles
  std::vector<std::string> words = arguments("50s");
  words.insert(words.end(), {"--candidates", "4", "--host", "me@gpu"});
  const Ran ran = run(words);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json document = json::parse(ran.output);
  EXPECT_GE(document["measured"], 4);
  EXPECT_EQ(document["failed"], 0);
  EXPECT_THAT(m_ssh->asked(), HasSubstr("mv -f"));
  EXPECT_GE(connections(), 3) << "none was lost";
  for (const TunedCandidate &one : ended(stored())) {
    EXPECT_EQ(one.attempts, 1);
    EXPECT_EQ(json::parse(one.measurement)["machine"], "Fake GPU");
  }
  const Ran again = run(words);
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_GE(json::parse(again.output)["known_before"], 4);
}

TEST_F(CliTuneTest, AHostThatCannotBeReachedIsNamed) {
  useFakeSsh();
  std::vector<std::string> words = arguments("5s");
  words.insert(words.end(), {"--host", "nowhere"});
  const Ran ran = run(words);
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.output, HasSubstr("Cannot reach nowhere: ssh: Could not resolve hostname"));
  EXPECT_FALSE(std::filesystem::exists(storePath()));
}

TEST_F(CliTuneTest, WithoutAGpuItSaysSo) {
  wish("fail cuInit 100");
  const Ran ran = run(arguments("5s"));
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.output, HasSubstr("cuInit"));
}

TEST_F(CliTuneTest, SizesThatThePipelineCannotRunAtAreRefused) {
  std::vector<std::string> wrong = arguments("5s");
  wrong.insert(wrong.end(), {"--estimate", "input=0:100,0:100"});
  const Ran ran = run(wrong);
  EXPECT_EQ(ran.code, 3) << ran.errors;
  EXPECT_THAT(ran.errors, HasSubstr("input: it is accessed at"));
}

TEST_F(CliTuneTest, ABudgetIsATime) {
  const Ran ran = run(arguments("soon"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("60s, 5m or 2h"));
}

} // namespace
} // namespace tessera::app::test

// SPDX-License-Identifier: MIT
// Tests footprint as a script sees it, on samples.
#include "tests/app/cli_test.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tessera::app {
namespace {

using nlohmann::json;
using test::kSamples;
using testing::HasSubstr;

class CliFootprint : public test::CliTest {
protected:
  static std::string sample(const std::string &name) { return kSamples + name + ".hlpipe"; }

  // Returns a file with a schedule that a search has found.
  std::string scheduled(const std::string &name) {
    const std::string file = home() + "/" + name + ".schedule.h";
    const Ran ran = run({"schedule", sample(name), "-o", file});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return file;
  }

  json answer(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "footprint");
    arguments.emplace_back("--json");
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 0) << ran.output << ran.errors;
    return ran.code == 0 ? json::parse(ran.output) : json();
  }
};

TEST_F(CliFootprint, JsonHasAllKernelsAndLevels) {
  for (const std::string name : {"harris", "local_laplacian", "synthetic100"}) {
    const std::string schedule = scheduled(name);
    const json found = answer({sample(name), "--schedule", schedule});
    EXPECT_EQ(found["pipeline"], name);
    EXPECT_EQ(found["machine"], "h200");
    const Ran explained = run({"explain", sample(name), "--schedule", schedule, "--json"});
    const json kernels = json::parse(explained.output)["kernels"];
    ASSERT_EQ(found["kernels"].size(), kernels.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) { // the same launches, in the same order
      const json &kernel = found["kernels"][k];
      EXPECT_EQ(kernel["blocks"], kernels[k]["blocks"]) << name << " " << k;
      EXPECT_EQ(kernel["threads"], kernels[k]["threads"]);
      EXPECT_EQ(kernel["shared_bytes"], kernels[k]["shared_bytes"]);
      EXPECT_EQ(kernel["entries"][0]["role"], "output");
      for (const char *level : {"thread", "warp", "block", "grid"})
        for (const json &entry : kernel["entries"]) {
          const json &box = entry["levels"][level];
          EXPECT_LE(box["own_points"], box["points"]) << entry["name"];
          EXPECT_GE(box["shared_percent"], 0);
        }
      // The launch asks for as much shared memory as a block keeps there.
      double shared = 0;
      for (const json &entry : kernel["entries"])
        if (entry["memory"] == "shared") shared += entry["stored_bytes"].get<double>();
      EXPECT_EQ(shared, kernel["shared_bytes"].get<double>()) << name << " " << kernel["kernel"];
    }
  }
}

TEST_F(CliFootprint, KernelLevelAndTileCanBeChosen) {
  const json all = answer({sample("blur"), "--schedule", "default"});
  ASSERT_GT(all["kernels"].size(), 1U);
  const std::string last = all["kernels"].back()["kernel"];
  const json one =
      answer({sample("blur"), "--schedule", "default", "--kernel", last, "--level", "block"});
  ASSERT_EQ(one["kernels"].size(), 1U);
  EXPECT_EQ(one["kernels"][0]["kernel"], last);
  EXPECT_FALSE(one["kernels"][0]["tiles"].contains("thread"));
  const std::string number = std::to_string(all["kernels"].size());
  EXPECT_EQ(
      answer({sample("blur"), "--schedule", "default", "--kernel", number, "--level", "block"}),
      one);
  const json &side = one["kernels"][0]["tiles"]["block"][0];
  const json moved = answer({sample("blur"), "--schedule", "default", "--kernel", last, "--level",
                             "block", "--at", side["loop"].get<std::string>() + "=0"});
  EXPECT_EQ(moved["kernels"][0]["tiles"]["block"][0]["min"], 0);
  EXPECT_EQ(moved["kernels"][0]["tiles"]["block"][0]["extent"], side["extent"]);
}

TEST_F(CliFootprint, SizesOfATileAreOffered) {
  const json found = answer(
      {sample("blur"), "--schedule", "default", "--kernel", "1", "--level", "block", "--sizes"});
  const json &edges = found["kernels"][0]["edges"];
  ASSERT_FALSE(edges.empty());
  int legal = 0, refused = 0;
  for (const json &edge : edges)
    for (const json &size : edge["sizes"]) {
      ++(size["legal"] ? legal : refused);
      EXPECT_NE(size["legal"].get<bool>(), size.contains("refusal"));
    }
  EXPECT_GT(legal, 0);
  EXPECT_GT(refused, 0);
}

TEST_F(CliFootprint, TextHasTheSameNumbers) {
  const Ran ran = run({"footprint", sample("blur"), "--schedule", "default", "--level", "block"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("func or input"));
  EXPECT_THAT(ran.output, HasSubstr("output"));
  EXPECT_THAT(ran.output, HasSubstr("global"));
}

TEST_F(CliFootprint, WrongWishesAreRefused) {
  const Ran kernel =
      run({"footprint", sample("blur"), "--schedule", "default", "--kernel", "nothing"});
  EXPECT_EQ(kernel.code, 3);
  EXPECT_THAT(kernel.errors, HasSubstr("the schedule has no kernel 'nothing'"));
  const Ran level = run({"footprint", sample("blur"), "--schedule", "default", "--level", "lane"});
  EXPECT_EQ(level.code, 2);
  const Ran at = run({"footprint", sample("blur"), "--schedule", "default", "--at", "x"});
  EXPECT_EQ(at.code, 3);
  EXPECT_THAT(at.errors, HasSubstr("LOOP=INDEX"));
}

} // namespace
} // namespace tessera::app

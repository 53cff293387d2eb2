// SPDX-License-Identifier: MIT
// Tests the command compare on fakes of NVIDIA's libraries (tests/engine/bench/fake_cuda.cpp).
#include "tests/app/fake_gpu_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tessera::app::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class CliCompareTest : public FakeGpuTest {
protected:
  // Compares at the only size for which the fake GPU knows the right output.
  Ran compare(std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "compare", kSamples + "blur.hlpipe", "--estimate", "output=0:320,0:240", "--rounds", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  // Returns the folder of a prepared comparison in which nothing is measured yet.
  std::string prepared(const std::string &candidates) {
    const std::string folder = home() + "/comparison";
    const Ran ran = compare({"--with", candidates, "--prepare", folder});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    return folder;
  }

  static json named(const json &comparison, const std::string &name) {
    for (const json &contender : comparison["contenders"])
      if (contender["name"] == name) return contender;
    ADD_FAILURE() << "no contender " << name;
    return {};
  }
};

TEST_F(CliCompareTest, MeasuresInTurnsAndSaysWhyNot) {
  const Ran ran = compare({"--with", "default,li2018,adams2019,auto", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const json comparison = json::parse(ran.output);
  for (const char *name : {"default", "li2018", "auto"}) {
    const json contender = named(comparison, name);
    EXPECT_EQ(contender["state"], "measured") << contender;
    EXPECT_EQ(contender["measurement"]["verified"], true);
    EXPECT_EQ(contender["measurement"]["back_to_back"]["samples"], 3);
    EXPECT_GE(contender["seconds"], comparison["best_seconds"]);
    EXPECT_GT(contender["predicted_seconds"], 0);
  }
  EXPECT_EQ(named(comparison, "default")["schedule_seconds"], nullptr);
  EXPECT_EQ(named(comparison, "adams2019")["state"], "no schedule");
  EXPECT_THAT(named(comparison, "adams2019")["why"].get<std::string>(), HasSubstr("CPU"));
}

// Among the schedules of blur, only that of Li2018 has a kernel named k1_output_s0.
TEST_F(CliCompareTest, WhatFailsIsLeftOutAndTheOthersAreMeasured) {
  struct Case {
    std::string wishes, state, why;
  };
  for (const Case &c :
       {Case{"spoil k1_output_s0", "wrong output", "the output 'output' is wrong"},
        Case{"in k1_output_s0 fail cuCtxSynchronize 700", "not measured", "ILLEGAL_ADDRESS"},
        Case{"in k1_output_s0 die cuCtxSynchronize", "not measured", "SIGSEGV"}}) {
    wish(kRight + c.wishes);
    const Ran ran = compare({"--with", "auto,li2018", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    const json comparison = json::parse(ran.output);
    EXPECT_EQ(named(comparison, "auto")["state"], "measured") << c.wishes;
    const json failed = named(comparison, "li2018");
    EXPECT_EQ(failed["state"], c.state) << failed;
    EXPECT_THAT(failed["why"].get<std::string>(), HasSubstr(c.why));
    EXPECT_EQ(failed["seconds"], nullptr);
  }
}

TEST_F(CliCompareTest, ANewerGpuGetsTheNewestThatPtxasKnows) {
  useNotingPtxas();
  wish(kRight + "device 13 0");
  const Ran ran = compare({"--with", "default", "--csv"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("\n\"default\",measured,"));
  const auto asked = host::readFile(ptxasNotes());
  ASSERT_TRUE(asked);
  EXPECT_THAT(*asked, HasSubstr("-arch=sm_121 "));
}

// Where the GPU itself is missing, the machine file gives the compute capability.
TEST_F(CliCompareTest, ANewerMachineGetsTheNewestThatPtxasKnows) {
  useNotingPtxas();
  auto machine = json::parse(*host::readFile(tessera::test::sharePath("machines/b200.json")));
  machine["name"] = "newer";
  machine["compute_capability"] = {13, 0};
  const std::string file = home() + "/newer.json";
  ASSERT_TRUE(host::writeFile(file, machine.dump()));
  const Ran ran =
      compare({"--with", "default", "--machine", file, "--prepare", home() + "/comparison"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  const auto asked = host::readFile(ptxasNotes());
  ASSERT_TRUE(asked);
  EXPECT_THAT(*asked, HasSubstr("-arch=sm_121 "));
}

TEST_F(CliCompareTest, WithoutAGpuEverythingUpToTheLaunchIsThere) {
  ASSERT_TRUE(host::writeFile(home() + "/libcuda.so.1", "no library"));
  ::setenv("LD_LIBRARY_PATH", home().c_str(), 1);
  const Ran ran = compare({"--with", "default,adams2019"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.errors,
              HasSubstr("nothing was measured this time: NVIDIA's driver was not found"));
  EXPECT_THAT(ran.output, StartsWith("candidate"));
  EXPECT_THAT(ran.output, HasSubstr("no schedule: it schedules for the CPU"));
}

// The folder is prepared here, measured where there is no Halide and no pipeline, and read here
// again.
TEST_F(CliCompareTest, APreparedFolderIsMeasuredElsewhere) {
  const std::string folder = home() + "/comparison";
  const Ran prepared = compare({"--with", "default,auto", "--prepare", folder});
  EXPECT_EQ(prepared.code, 0) << prepared.errors;
  EXPECT_THAT(prepared.errors, HasSubstr("tessera-cli compare " + folder));
  EXPECT_TRUE(std::filesystem::exists(folder + "/reference/reference.json"));
  useFakeSsh();
  const Ran measured = run({"compare", folder, "--host", "me@gpu", "--rounds", "3"});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  wish("fail cuInit 100"); // there is no GPU any more
  const Ran read = run({"compare", folder, "--csv"});
  EXPECT_EQ(read.code, 0) << read.errors;
  EXPECT_THAT(read.errors, HasSubstr("nothing was measured this time"));
  EXPECT_THAT(read.output, HasSubstr("\n\"default\",measured,"));
  EXPECT_EQ(std::ranges::count(read.output, '\n'), 3);
}

TEST_F(CliCompareTest, AConnectionThatIsLostIsMadeAgain) {
  const std::string folder = prepared("default,auto");
  useFakeSsh();
  ASSERT_EQ(run({"machine", "probe", "--host", "me@gpu"}).code, 0); // installs tessera-gpu
  // Cuts the connection after this many bytes, before the second bundle ends.
  m_ssh->wish("CUT", "250000");
  const Ran measured = run({"compare", folder, "--host", "me@gpu", "--rounds", "3", "--csv"});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  EXPECT_THAT(measured.output, HasSubstr("\n\"default\",measured,"));
  EXPECT_THAT(measured.output, HasSubstr("\n\"auto\",measured,"));
}

// The connection is lost during the measurement of each contender. This is not a fault of any
// contender, so none of them is left out.
TEST_F(CliCompareTest, AConnectionThatNeverLastsIsNobodysFault) {
  const std::string folder = prepared("default,auto");
  useFakeSsh();
  m_ssh->wish("DROPS", "1");
  wish(kRight + "after 20 die cuLaunchKernel");
  const Ran measured = run({"compare", folder, "--host", "me@gpu", "--rounds", "3", "--csv"});
  EXPECT_THAT(measured.errors, HasSubstr("The connection to me@gpu was lost"));
  EXPECT_THAT(measured.output, HasSubstr("\n\"default\",ready,"));
  EXPECT_THAT(measured.output, HasSubstr("\n\"auto\",ready,"));
}

// The outputs of an opaque candidate are also compared with those of the pipeline without a
// schedule.
TEST_F(CliCompareTest, AnOpaqueCandidateIsMeasuredFromItsOwnFile) {
  const std::string folder = home() + "/comparison";
  const Ran prepared = run({"compare", kSamples + "blur.hlpipe", "--estimate",
                            "output=0:1024,0:768", "--with", "mullapudi2016", "--prepare", folder});
  EXPECT_EQ(prepared.code, 0) << prepared.errors;
  wish("write \"" + folder + "/reference/output0.raw\"");
  const Ran measured = run({"compare", folder, "--rounds", "3", "--json"});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  const json contender = named(json::parse(measured.output), "mullapudi2016");
  EXPECT_EQ(contender["state"], "measured") << contender;
  EXPECT_EQ(contender["opaque"], true);
  EXPECT_THAT(contender["why"].get<std::string>(),
              HasSubstr("Tessera's rules refuse this schedule: "));
  EXPECT_GT(contender["seconds"], 0);
}

// The floor is the shortest time that the ceilings of a GPU allow. How far a measured time is from
// the floor is shown only if these ceilings are known.
TEST_F(CliCompareTest, SaysHowFarTheFloorIs) {
  const std::string folder = prepared("default");
  const Ran unknown = run({"compare", folder, "--rounds", "2", "--json"});
  ASSERT_EQ(unknown.code, 0) << unknown.errors;
  const json before = json::parse(unknown.output);
  EXPECT_FALSE(before["floor"].contains("seconds"));
  EXPECT_FALSE(before["contenders"][0].contains("times_floor"));
  // The pipeline writes 320 × 240 values of two bytes, for which it reads at least as many.
  EXPECT_EQ(before["floor"]["bytes"], 2 * (320 * 240 + 320 * 240));

  wish("ceilings 1000 \"" + home() + "/launches\"");
  ASSERT_EQ(run({"machine", "ceilings"}).code, 0);
  wish(kRight);
  const Ran known = run({"compare", folder, "--rounds", "2", "--json"});
  ASSERT_EQ(known.code, 0) << known.errors;
  const json after = json::parse(known.output);
  const double floor = after["floor"]["seconds"].get<double>();
  EXPECT_GT(floor, 0);
  EXPECT_THAT(after["floor"]["ceilings"].get<std::string>(), HasSubstr("measured on Fake GPU"));
  const json &contender = after["contenders"][0];
  EXPECT_DOUBLE_EQ(contender["times_floor"].get<double>(),
                   contender["seconds"].get<double>() / floor);
  const Ran table = run({"compare", folder, "--rounds", "2"});
  EXPECT_THAT(table.output, HasSubstr("× floor"));
  EXPECT_THAT(table.output, HasSubstr("\nfloor: "));
  // bench shows the distance from the floor for one schedule.
  const Ran bench = run({"bench", kBundle});
  EXPECT_THAT(bench.output, HasSubstr(" times the floor of "));
  EXPECT_TRUE(json::parse(run({"bench", kBundle, "--json"}).output).contains("times_floor"));
}

// The run that measures is not given the machine's file, and yet it computes the floor.
TEST_F(CliCompareTest, TheFloorNeedsNoMachine) {
  const std::string file = home() + "/probed.json", folder = home() + "/comparison";
  ASSERT_EQ(run({"machine", "probe", "-o", file}).code, 0);
  ASSERT_EQ(run({"compare", kSamples + "blur.hlpipe", "--estimate", "output=0:320,0:240", "--with",
                 "default", "--machine", file, "--prepare", folder})
                .code,
            0);
  wish("ceilings 1000 \"" + home() + "/launches\"");
  ASSERT_EQ(run({"machine", "ceilings"}).code, 0);
  wish(kRight);
  const Ran measured = run({"compare", folder, "--rounds", "2", "--json"});
  ASSERT_EQ(measured.code, 0) << measured.errors;
  const json floor = json::parse(measured.output)["floor"];
  ASSERT_TRUE(floor.contains("seconds")) << floor;
  EXPECT_GT(floor["seconds"].get<double>(), 0);
}

TEST_F(CliCompareTest, RequestsThatMeanNothing) {
  const Ran none = run({"compare", kSamples + "blur.hlpipe"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.errors, HasSubstr("No candidates to compare were given."));
  const Ran unknown = compare({"--with", "auto,nobody"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("'nobody' cannot be compared"));
}

} // namespace
} // namespace tessera::app::test

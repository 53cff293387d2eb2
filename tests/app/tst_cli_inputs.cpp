// SPDX-License-Identifier: MIT
// Tests --input: the reference, the GPU and tuning use the user's files.
#include "engine/tune/tune_store.h"
#include "tests/app/fake_gpu_test.h"
#include "tests/engine/array/npy_file.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace tessera::app::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class CliInputsTest : public FakeGpuTest {
protected:
  // Makes an image in which both bytes of every sample but the last are `value`. Its blur is the
  // same. `value` must not be above 'U' (0x55), or the sum of three 16-bit samples would overflow.
  std::string flatImage(const std::string &name, char value, int width = 322, int height = 242) {
    const std::string header = "{'descr': '<u2', 'fortran_order': False, 'shape': (" +
                               std::to_string(height) + ", " + std::to_string(width) + "), }";
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    std::vector<std::uint8_t> elements(2 * count, static_cast<std::uint8_t>(value));
    ++elements.back(); // outputs that are all the same could not be judged
    const auto bytes = array::test::npyBytes(header, elements);
    const std::string path = home() + "/" + name;
    EXPECT_TRUE(
        host::writeFile(path, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}));
    return path;
  }

  static std::vector<std::string> onBlur(const std::string &command,
                                         const std::vector<std::string> &more) {
    std::vector<std::string> arguments{command,      kSamples + "blur.hlpipe",
                                       "--estimate", "output=0:320,0:240",
                                       "--estimate", "input=0:322,0:242"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  static bool isFlat(const std::string &path, char value) {
    const auto content = host::readFile(path);
    EXPECT_TRUE(content) << path;
    constexpr int kOfLastElement = 4; // bytes that differ, in an input and an output
    return content && !content->empty() &&
           std::ranges::count_if(*content, [&](char c) { return c != value; }) <= kOfLastElement;
  }

  void wishForRight(const std::string &reference, const std::string &more = "") {
    wish("write \"" + reference + "/output0.raw\" " + more);
  }
};

TEST_F(CliInputsTest, ReferenceAndDeviceHaveTheFile) {
  const std::string bundle = home() + "/made", uploads = home() + "/uploads";
  const Ran made = run(onBlur("bench", {"--schedule", "default", "--prepare", "-o", bundle,
                                        "--input", "input=" + flatImage("a.npy", 'A')}));
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_TRUE(isFlat(bundle + "/reference/output0.raw", 'A'));
  wishForRight(bundle + "/reference", "uploads " + uploads);
  const Ran ran = run({"bench", bundle});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("outputs equal the reference"));
  EXPECT_TRUE(isFlat(uploads, 'A'));
}

TEST_F(CliInputsTest, TheyTravelWithTheBundle) {
  useFakeSsh();
  const std::string bundle = home() + "/made", uploads = home() + "/uploads";
  ASSERT_EQ(run(onBlur("bench", {"--schedule", "default", "--prepare", "-o", bundle, "--input",
                                 "input=" + flatImage("b.npy", 'B')}))
                .code,
            0);
  wishForRight(bundle + "/reference", "uploads " + uploads);
  const Ran ran = run({"bench", bundle, "--host", "me@gpu"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  EXPECT_TRUE(isFlat(uploads, 'B'));
}

TEST_F(CliInputsTest, AReferenceOfOtherInputsIsRefused) {
  const std::string bundle = home() + "/made";
  ASSERT_EQ(run(onBlur("bench", {"--schedule", "default", "--prepare", "-o", bundle, "--input",
                                 "input=" + flatImage("c.npy", 'C')}))
                .code,
            0);
  fs::remove(bundle + "/reference/inputs.json"); // without it, the GPU would take random inputs
  const Ran ran = run({"bench", bundle});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, HasSubstr("its inputs are from other files"));
}

TEST_F(CliInputsTest, ADamagedInputIsNoticed) {
  const std::string bundle = home() + "/made";
  ASSERT_EQ(run(onBlur("bench", {"--schedule", "default", "--prepare", "-o", bundle, "--input",
                                 "input=" + flatImage("d.npy", 'D')}))
                .code,
            0);
  ASSERT_TRUE(host::writeFile(bundle + "/reference/input0.raw", "short"));
  const Ran ran = run({"bench", bundle});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, HasSubstr("its checksum differs"));
}

TEST_F(CliInputsTest, CandidatesOfAComparisonHaveTheFile) {
  const std::string folder = home() + "/comparison", uploads = home() + "/uploads";
  const Ran made = run(onBlur("compare", {"--with", "default,manual", "--prepare", folder,
                                          "--input", "input=" + flatImage("e.npy", 'E')}));
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_TRUE(isFlat(folder + "/reference/output0.raw", 'E'));
  wishForRight(folder + "/reference", "uploads " + uploads);
  const Ran ran = run({"compare", folder, "--json", "--rounds", "2"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const json comparison = json::parse(ran.output);
  ASSERT_EQ(comparison["contenders"].size(), 2U);
  for (const json &contender : comparison["contenders"])
    EXPECT_EQ(contender["state"], "measured") << contender;
  EXPECT_TRUE(isFlat(uploads, 'E'));
  const Ran again = run({"compare", folder, "--input", "input=" + flatImage("e.npy", 'E')});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.errors, HasSubstr("Leave out --with, --prepare and --input"));
}

// Times on other inputs are different times, so none of the stored ones is used. The fake GPU knows
// the right output for this size, but only for random inputs.
TEST_F(CliInputsTest, ATuningOnOtherInputsStartsAnew) {
  const std::string uploads = home() + "/uploads";
  const std::vector<std::string> onRandom{"tune",         kSamples + "blur.hlpipe",
                                          "--estimate",   "output=0:320,0:240",
                                          "--store",      home() + "/tune.sqlite",
                                          "--budget",     "50s",
                                          "--candidates", "1",
                                          "--json"};
  std::vector<std::string> onFile = onRandom;
  onFile.insert(onFile.end(), {"--input", "input=" + flatImage("f.npy", 'F', 2562, 1922)});
  ASSERT_EQ(run(onRandom).code, 0);
  wish(kRight + "uploads " + uploads);
  const Ran other = run(onFile); // every output is wrong for these inputs
  EXPECT_THAT(other.output, HasSubstr("\"known_before\": 0"));
  EXPECT_TRUE(isFlat(uploads, 'F'));
  wish(kRight);
  const Ran again = run(onRandom);
  ASSERT_EQ(again.code, 0) << again.errors;
  EXPECT_GE(json::parse(again.output)["known_before"], 1);
}

TEST_F(CliInputsTest, AValueIsWhatAScalarIsRunWith) {
  const std::string bundle = home() + "/made";
  const Ran ran = run({"bench", kSamples + "iir_blur.hlpipe", "--schedule", "default", "--prepare",
                       "-o", bundle, "--estimate", "input=0:64,0:48,0:3", "--estimate",
                       "output=0:64,0:48,0:3", "--input", "alpha=0.25"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  std::string alpha;
  const auto text = host::readFile(bundle + "/bundle.json");
  ASSERT_TRUE(text);
  const json document = json::parse(*text);
  for (const json &argument : document["arguments"])
    if (argument["name"] == "alpha") alpha = argument["value"];
  EXPECT_EQ(alpha, "0.25");
}

TEST_F(CliInputsTest, WhatDoesNotFitIsSaidBeforeAnythingIsCompiled) {
  const std::string path = flatImage("g.npy", 'G');
  for (const char *command : {"bench", "compare", "tune", "verify"}) {
    std::vector<std::string> arguments{command, kSamples + "blur.hlpipe", "--input",
                                       "input=" + path};
    if (std::string(command) == "compare") arguments.insert(arguments.end(), {"--with", "default"});
    if (std::string(command) != "compare" && std::string(command) != "tune")
      arguments.insert(arguments.end(), {"--schedule", "default"});
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.code, 3) << command;
    EXPECT_THAT(ran.errors, HasSubstr("it is 322×242, but \"input\" takes ")) << command;
  }
  const Ran ofBundle = run({"bench", kBundle, "--input", "input=" + path});
  EXPECT_EQ(ofBundle.code, 2);
  EXPECT_THAT(ofBundle.errors, HasSubstr("which runs on the inputs of its reference"));
}

} // namespace
} // namespace tessera::app::test

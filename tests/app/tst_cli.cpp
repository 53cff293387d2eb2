// SPDX-License-Identifier: MIT
// tessera-cli as a script sees it: output, exit codes, errors as text and as JSON.

#include "tests/app/cli_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

using app::test::kSamples;
using Cli = app::test::CliTest;

TEST_F(Cli, InspectPrintsATree) {
  const Ran ran = run({"inspect", kSamples + "harris.hlpipe"});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("harris: "), HasSubstr("Inputs\n"), HasSubstr("Outputs\n"),
                    HasSubstr("1530×2554"), HasSubstr("from sidecar")));
  EXPECT_EQ(ran.errors, "") << "nothing on standard error where it is no terminal";
}

TEST_F(Cli, InspectPrintsJson) {
  const Ran ran = run({"inspect", "--json", kSamples + "harris.hlpipe"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const auto json = nlohmann::ordered_json::parse(ran.output);
  EXPECT_EQ(json.begin().key(), "name");
  for (const char *key : {"funcs", "stages", "edges", "inputs", "outputs"})
    EXPECT_TRUE(json.at(key).is_array() && !json.at(key).empty()) << key;
}

TEST_F(Cli, SameInputSameBytes) {
  const std::vector<std::string> arguments{"inspect", "--json", kSamples + "synthetic100.hlpipe"};
  EXPECT_EQ(run(arguments).output, run(arguments).output);
}

// Each size in the samples' table must open and give the extents in the table.
TEST_F(Cli, OpensTheSamplesAtThePapersSizes) {
  const auto table = nlohmann::ordered_json::parse(*host::readFile(kSamples + "sizes.json"));
  for (const auto &[name, sizes] : table.items())
    for (const auto &[size, entry] : sizes.items()) {
      const Ran ran = run({"inspect", kSamples + name + ".hlpipe", "--size", size});
      EXPECT_EQ(ran.code, 0) << name << " " << size << ": " << ran.errors;
      EXPECT_THAT(ran.output, HasSubstr(name + ": "));
      for (const std::string estimate : entry.value("estimates", nlohmann::ordered_json::array())) {
        std::string range = estimate.substr(estimate.find('=') + 1) + "  from user";
        for (std::size_t i = range.find(','); i != std::string::npos; i = range.find(',', i + 2))
          range.replace(i, 1, ", ");
        EXPECT_THAT(ran.output, HasSubstr(range)) << name << " " << size;
      }
    }
  EXPECT_THAT(run({"inspect", kSamples + "mat_mul.hlpipe", "--size", "paper-small"}).output,
              HasSubstr("0:512, 0:512"));
  EXPECT_THAT(run({"inspect", kSamples + "harris.manual.hlpipe", "--size", "paper-small"}).output,
              HasSubstr("3:186, 3:314"));
}

TEST_F(Cli, AnUnknownSizeIsAWrongUse) {
  const Ran ran = run({"inspect", kSamples + "blur.hlpipe", "--size", "paper-tiny"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("'paper-tiny'"), HasSubstr("'target', 'paper-large'")));
}

TEST_F(Cli, DrawsTheDag) {
  const std::string picture = home() + "/dag.svg";
  EXPECT_EQ(run({"inspect", kSamples + "local_laplacian.hlpipe", "--dot", picture}).code, 0);
  EXPECT_THAT(*host::readFile(picture), AllOf(HasSubstr("<svg"), HasSubstr("local_laplacian")));
  const Ran refused =
      run({"inspect", kSamples + "blur.hlpipe", "--dot", "/proc/no-such-folder/dag.svg"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.errors, HasSubstr("/proc/no-such-folder"));
}

TEST_F(Cli, EstimatesCanBeOverridden) {
  const Ran ran =
      run({"inspect", "--json", kSamples + "blur.hlpipe", "--estimate", "output=0:640,0:480"});
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const auto json = nlohmann::json::parse(ran.output);
  EXPECT_EQ(json["outputs"][0]["dims"][0],
            (nlohmann::json{{"min", 0}, {"extent", 640}, {"source", "user"}}));
}

TEST_F(Cli, UsageIsExitCode2) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"inspect"}).code, 2);
  EXPECT_EQ(run({"inspect", "--no-such-option", "x"}).code, 2);
  EXPECT_EQ(run({"frobnicate"}).code, 2);
  EXPECT_EQ(run({"inspect", kSamples + "blur.hlpipe", "--estimate", "nonsense"}).code, 2);
  EXPECT_EQ(run({"inspect", kSamples + "blur.hlpipe", "--param", "nonsense"}).code, 2);
  EXPECT_EQ(run({"inspect", kSamples + "blur.hlpipe", "--generator", "x"}).code, 2);
}

TEST_F(Cli, AWordThatIsNoCommandIsNamed) {
  const Ran ran = run({"shedule", kSamples + "blur.hlpipe"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("there is no command 'shedule'"), HasSubstr(" inspect "),
                                HasSubstr(" schedule ")));
  const Ran negative = run({"schedule", kSamples + "blur.hlpipe", "--seed", "-1"});
  EXPECT_EQ(negative.code, 2);
  EXPECT_THAT(negative.errors, HasSubstr("--seed"));
}

TEST_F(Cli, AnyJsonIsNoSchedule) {
  const std::string file = home() + "/a.json";
  ASSERT_TRUE(host::writeFile(file, "{\"a\": 1}"));
  const Ran ran = run({"explain", kSamples + "blur.hlpipe", "--schedule", file});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, AllOf(HasSubstr(file), HasSubstr("not a Tessera schedule")));
}

TEST_F(Cli, RefusedInputIsExitCode3) {
  const Ran missing = run({"inspect", home() + "/missing.hlpipe"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.errors, HasSubstr("missing.hlpipe"));

  const std::string garbage = home() + "/garbage.hlpipe";
  ASSERT_TRUE(host::writeFile(garbage, "this is no pipeline at all"));
  const Ran ran = run({"inspect", garbage});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.errors, HasSubstr("garbage.hlpipe"));

  const Ran code = run({"inspect", tessera::test::binPath("tessera-gengen")});
  EXPECT_EQ(code.code, 3) << "code asks for trust first";
  EXPECT_THAT(code.errors, HasSubstr("--trust"));
}

TEST_F(Cli, ErrorsAreJsonWhenAskedFor) {
  const Ran ran = run({"inspect", "--json", home() + "/missing.hlpipe"});
  EXPECT_EQ(ran.code, 3);
  const auto json = nlohmann::json::parse(ran.output);
  EXPECT_EQ(json["error"]["code"], "input_refused");
  EXPECT_THAT(json["error"]["message"].get<std::string>(), HasSubstr("missing.hlpipe"));
}

TEST_F(Cli, AMissingWorkerIsExitCode4) {
  // A copy of the program alone, in a folder without the workers.
  const std::string lonely = home() + "/tessera-cli";
  fs::copy_file(tessera::test::binPath("tessera-cli"), lonely);
  const auto report = job::runProcess({.program = lonely,
                                       .arguments = {"inspect", kSamples + "blur.hlpipe"},
                                       .environment = {{"HOME", home()}}},
                                      std::chrono::seconds(60));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->end, (job::ProcessEnd{false, 4})) << report->errors;
  EXPECT_THAT(report->errors, HasSubstr("tessera-halide"));
}

TEST_F(Cli, AGeneratorProgramIsTrustedOnce) {
  const std::string generator = tessera::test::binPath("blur.generator");
  if (!fs::exists(generator)) GTEST_SKIP() << "the samples were not built";
  EXPECT_EQ(run({"inspect", generator}).code, 3);
  const Ran listed = run({"inspect", generator, "--trust", "--list-generators"});
  EXPECT_EQ(listed.code, 0) << listed.errors;
  EXPECT_THAT(listed.output, HasSubstr("blur\n"));
  const Ran opened = run({"inspect", generator});
  EXPECT_EQ(opened.code, 0) << opened.errors;
  EXPECT_THAT(opened.output, HasSubstr("blur: "));
}

TEST_F(Cli, HelpNamesEverything) {
  const Ran help = run({"inspect", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char *option : {"--json", "--dot", "--generator", "--param", "--estimate",
                             "--own-schedule", "--list-generators", "--trust"})
    EXPECT_THAT(help.output, HasSubstr(option));
  EXPECT_THAT(run({"--help"}).output, HasSubstr("5 an output is wrong, 6 undecided"));
  EXPECT_THAT(run({"--version"}).output, HasSubstr("tessera-cli "));
}

TEST_F(Cli, CompletionIsValidBash) {
  const Ran ran = run({"completion"});
  EXPECT_EQ(ran.code, 0);
  const std::string script = home() + "/completion.bash";
  ASSERT_TRUE(host::writeFile(script, ran.output));
  const auto completed = [&](const std::string &words, int current) {
    const std::string ask = "source " + script + " && COMP_WORDS=(" + words +
                            ") COMP_CWORD=" + std::to_string(current) +
                            " && _tessera_cli && echo \"${COMPREPLY[@]}\"";
    const auto report = job::runProcess({.program = "/bin/bash", .arguments = {"-c", ask}},
                                        std::chrono::seconds(20));
    EXPECT_TRUE(report);
    EXPECT_EQ(report->errors, "");
    return report->output;
  };
  EXPECT_EQ(completed("tessera-cli inspect --j", 2), "--json\n");
  EXPECT_EQ(completed("tessera-cli exp", 1), "explain export\n");
  EXPECT_EQ(completed("tessera-cli machine ''", 2), "list show probe ceilings\n");
  EXPECT_EQ(completed("tessera-cli machine ceilings --ag", 3), "--again\n");
  EXPECT_EQ(completed("tessera-cli bench f --ro", 3), "--roofline\n");
  EXPECT_EQ(completed("tessera-cli schedule f --algorithm auto", 4).substr(0, 4), "auto");
  EXPECT_EQ(completed("tessera-cli export f --format ''", 4), "h py json\n");
  EXPECT_EQ(completed("tessera-cli verify f --target o", 4), "opencl\n");
  EXPECT_THAT(completed("tessera-cli compile f --schedule ma", 4), HasSubstr("manual"));
  EXPECT_EQ(completed("tessera-cli compile f --schedule " + script.substr(0, script.size() - 3), 4),
            script + "\n");
}

} // namespace
} // namespace tessera

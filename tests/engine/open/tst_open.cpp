// SPDX-License-Identifier: MIT
// Opening by every way a user has, with the real worker, plugin and sandbox.

#include "engine/open/open.h"
#include "tests/engine/open/open_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::open {
namespace {

using test::OpenTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(OpenTest, ALibraryAsksForTrustFirst) {
  const Error error = refusal({.path = m_library, .generator = "smooth"});
  EXPECT_EQ(error.code, ErrorCode::NotTrusted);
  EXPECT_THAT(error.message, HasSubstr("it has not been allowed"));
  EXPECT_FALSE(m_opener->generators(m_library));
}

TEST_F(OpenTest, ALibraryListsItsGenerators) {
  trust(m_library);
  const auto generators = m_opener->generators(m_library);
  ASSERT_TRUE(generators) << generators.error().message;
  ASSERT_EQ(generators->size(), 2U);
  EXPECT_EQ(generators->front().name, "smooth");
  EXPECT_THAT(generators->front().parameters,
              ElementsAre(GeneratorParameter{"radius", "int32_t", {}, "1"},
                          GeneratorParameter{"filter", "enum", {"box", "tent"}, "box"}));
}

TEST_F(OpenTest, ALibraryWithParameters) {
  trust(m_library);
  const auto opened =
      open({.path = m_library, .generator = "smooth", .parameters = {{"radius", "3"}}});
  ASSERT_TRUE(opened) << opened.error().message;
  const pipeline::Pipeline &p = *opened->pipeline;
  EXPECT_EQ(opened->kind, SourceKind::GeneratorLibrary);
  EXPECT_EQ(p.name(), "smooth");
  ASSERT_EQ(p.funcs().size(), 2U);
  EXPECT_EQ(p.edge(p.edgesInto(pipeline::StageId{0})[0]).loads, 7U) << "2 · radius + 1";
  EXPECT_EQ(p.inputs()[0].dims[0].range, (pipeline::Interval{-8, 71}));
  EXPECT_EQ(p.inputs()[0].dims[0].source, pipeline::EstimateSource::Sidecar);
  EXPECT_TRUE(p.foundSchedule().empty()) << "captured before its own schedule";
}

TEST_F(OpenTest, ARelativePathIsTheUsersNotTheSandboxs) {
  const std::string relative =
      std::filesystem::relative(m_library, std::filesystem::current_path()).string();
  trust(relative);
  const auto opened = open({.path = relative, .generator = "smooth"});
  EXPECT_TRUE(opened) << opened.error().message;
}

TEST_F(OpenTest, ALibraryWithItsOwnSchedule) {
  trust(m_library);
  const auto opened =
      open({.path = m_library, .generator = "smooth", .ownSchedule = OwnSchedule::Apply});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->pipeline->foundSchedule().size(), 2U);
  const auto &dims = opened->pipeline->inputs()[0].dims;
  EXPECT_EQ(dims[0].source, pipeline::EstimateSource::Sidecar);
  // What the generator promises where it schedules itself, beside estimates that it gives always.
  EXPECT_EQ(dims[0].range, (pipeline::Interval{-8, 71}));
  EXPECT_TRUE(dims[0].fixed);
  EXPECT_EQ(dims[1].range, (pipeline::Interval{0, 47}));
  EXPECT_FALSE(dims[1].fixed);
  const auto found = m_opener->scheduleIn(opened->file);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->promises,
            (std::vector<report::Promise>{{.buffer = "input", .dim = 0, .min = -8, .extent = 80},
                                          {.buffer = "input", .dim = 1, .stride = 80}}));
  EXPECT_TRUE(found->others.empty());
  EXPECT_EQ(std::ranges::count_if(found->directives, schedule::isOpaque), 1);
}

TEST_F(OpenTest, AGeneratorMustBeChosenAmongSeveral) {
  trust(m_library);
  const Error error = refusal({.path = m_library});
  EXPECT_EQ(error.code, ErrorCode::Usage);
  EXPECT_THAT(error.message, HasSubstr("'smooth', 'twice'"));
  EXPECT_THAT(refusal({.path = m_library, .generator = "nope"}).hint, HasSubstr("'smooth'"));
}

TEST_F(OpenTest, AnUnknownParameterIsNamed) {
  trust(m_library);
  const Error error =
      refusal({.path = m_library, .generator = "smooth", .parameters = {{"raduis", "3"}}});
  EXPECT_THAT(error.message, HasSubstr("'raduis'"));
  EXPECT_THAT(error.hint, HasSubstr("radius, filter"));
}

TEST_F(OpenTest, ARefusedParameterValueShowsWhatHalideSaid) {
  trust(m_library);
  const Error error =
      refusal({.path = m_library, .generator = "smooth", .parameters = {{"radius", "wide"}}});
  EXPECT_EQ(error.code, ErrorCode::InputRefused);
  EXPECT_THAT(error.message, HasSubstr("smooth"));
  EXPECT_THAT(error.message, HasSubstr("wide"));
  EXPECT_THAT(error.hint, HasSubstr("--param NAME=VALUE sets: radius=1 filter=box"));
}

TEST_F(OpenTest, MissingEstimatesSayHowToGiveThem) {
  trust(m_library);
  const Error error = refusal({.path = m_library, .generator = "twice"});
  EXPECT_EQ(error.code, ErrorCode::InputRefused);
  EXPECT_EQ(error.remedy, ErrorRemedy::Estimates);
  EXPECT_THAT(error.message, HasSubstr("output"));
  EXPECT_THAT(error.message + error.hint, HasSubstr("--estimate"));
  EXPECT_THAT(error.message, StartsWith("'" + m_library + "': output \"output\""));
  EXPECT_THAT(error.message + error.hint, Not(HasSubstr("scratch.")));

  const auto opened = open({.path = m_library,
                            .generator = "twice",
                            .estimates = {{"output", {{0, 99}}, ""}, {"gain", {}, "2"}}});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->pipeline->outputs()[0].dims[0].source, pipeline::EstimateSource::User);
  EXPECT_EQ(opened->pipeline->inputs()[0].dims[0].source, pipeline::EstimateSource::Derived);
}

TEST_F(OpenTest, ASourceIsBuiltOnceAndOpened) {
  const std::string source = tessera::test::sourcePath("tests/data/two_generators.cpp");
  trust(source);
  const auto opened = open({.path = source, .generator = "smooth"});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->kind, SourceKind::GeneratorSource);
  EXPECT_EQ(opened->pipeline->funcs().size(), 2U);
  int built = 0;
  for (const auto &entry : std::filesystem::directory_iterator(m_tools.cacheDir + "/generators")) {
    (void)entry;
    ++built;
  }
  EXPECT_EQ(built, 1);
  m_tools.compiler = "/bin/false";
  EXPECT_FALSE(PipelineOpener(m_tools, m_trust).open({.path = source, .generator = "smooth"}))
      << "another compiler is another build";
}

TEST_F(OpenTest, ABuiltSourceIsNamedNotTheLibraryBuiltFromIt) {
  const std::string source = tessera::test::sourcePath("tests/data/two_generators.cpp");
  trust(source);
  const Error error =
      refusal({.path = source, .generator = "smooth", .parameters = {{"radius", "wide"}}});
  EXPECT_THAT(error.message, HasSubstr("of '" + source + "'"));
  EXPECT_THAT(error.message, Not(HasSubstr(m_tools.cacheDir)));
}

TEST_F(OpenTest, ASourceThatDoesNotCompileShowsTheCompilersWords) {
  const std::string source = file("broken.cpp", "#include <vector>\nint f( { return 1; }\n");
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_EQ(error.code, ErrorCode::InputRefused);
  EXPECT_THAT(error.message, HasSubstr("broken.cpp:2"));
}

TEST_F(OpenTest, ASourceGetsWhatItNeedsToBeCompiled) {
  std::filesystem::create_directories(folder() + "/inc");
  file("inc/wants.h", "int taps();\n");
  const std::string second = file("second.cpp", "int taps() { return 3; }\n");
  const std::string source =
      file("wants.cpp", "#include <Halide.h>\n#include \"wants.h\"\n"
                        "struct Wants : Halide::Generator<Wants> {\n"
                        "  Output<Buffer<float, 1>> out{\"out\"};\n"
                        "  void generate() {\n"
                        "    Halide::Var x;\n"
                        "    out(x) = Halide::cast<float>(x * RADIUS + taps());\n"
                        "    out.set_estimates({{0, 64}});\n"
                        "  }\n"
                        "};\n"
                        "HALIDE_REGISTER_GENERATOR(Wants, wants)\n");
  trust(source);
  EXPECT_THAT(refusal({.path = source}).message, HasSubstr("wants.cpp:2:10: fatal error"));

  OpenRequest request{.path = source,
                      .build = {.includes = {folder() + "/inc"},
                                .definitions = {},
                                .sources = {second},
                                .libraries = {}}};
  const Error untrusted = refusal(request);
  EXPECT_EQ(untrusted.code, ErrorCode::NotTrusted) << "a second source is code, too";
  EXPECT_THAT(untrusted.message, HasSubstr("second.cpp"));
  trust(second);
  EXPECT_THAT(refusal(request).message, HasSubstr("RADIUS"));
  request.build.definitions = {"RADIUS=2"};
  const auto opened = open(request);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->pipeline->outputs()[0].dims[0].range.extent(), 64);

  // The same, found in a compile_commands.json, but for the second source, which belongs to no
  // other.
  file("compile_commands.json",
       R"([{"directory": ")" + folder() +
           R"(", "file": "wants.cpp", "command": "c++ -Iinc -DRADIUS=2"}])");
  request.build = {.includes = {}, .definitions = {}, .sources = {second}, .libraries = {}};
  EXPECT_TRUE(open(request));
}

TEST_F(OpenTest, AGeneratorThatAsksForAFeatureOrNamesItsAutoscheduler) {
  const std::string source = file(
      "asks.cpp", "#include <Halide.h>\n#include <cassert>\n"
                  "struct Asks : Halide::Generator<Asks> {\n"
                  "  GeneratorParam<bool> asks{\"asks\", true};\n"
                  "  Input<Buffer<float, 1>> in{\"in\"};\n"
                  "  Output<Buffer<float, 1>> out{\"out\"};\n"
                  "  void generate() {\n"
                  "    assert(!asks || get_target().has_feature(Halide::Target::NoBoundsQuery));\n"
                  "    Halide::Var x;\n"
                  "    Halide::Func twice(\"twice\");\n"
                  "    twice(x) = in(x) * 2;\n"
                  "    out(x) = twice(x) + twice(x + 1);\n"
                  "    in.set_estimates({{0, 65}});\n"
                  "    out.set_estimates({{0, 64}});\n"
                  "  }\n"
                  "};\n"
                  "HALIDE_REGISTER_GENERATOR(Asks, asks)\n"
                  "HALIDE_REGISTER_GENERATOR_ALIAS(named, asks,\n"
                  "  {{\"autoscheduler\", \"Mullapudi2016\"}, {\"asks\", \"false\"}})\n");
  trust(source);
  const std::string target = "host-cuda-cuda_capability_86-no_runtime-no_bounds_query";
  EXPECT_THAT(refusal({.path = source, .generator = "asks"}).hint,
              HasSubstr("--param target=" + target));
  const auto asked =
      open({.path = source, .generator = "asks", .parameters = {{"target", target}}});
  ASSERT_TRUE(asked) << asked.error().message;

  const auto named = open({.path = source, .generator = "named"});
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_TRUE(named->isUnscheduled);
  EXPECT_EQ(named->pipeline->funcs().size(), asked->pipeline->funcs().size());
  EXPECT_TRUE(named->pipeline->foundSchedule().empty());
}

// What a compiler says after its first errors would hide them.
TEST_F(OpenTest, TheFirstErrorOfACompilerComesFirst) {
  std::string text = "#include <Halide.h>\nint first = missing_name;\n";
  for (int i = 0; i < 300; ++i)
    text += "Halide::Expr e" + std::to_string(i) + " = Halide::Var(1, 2, 3);\n";
  const std::string source = file("many.cpp", text);
  trust(source);
  const std::string message = refusal({.path = source}).message;
  const std::size_t said = message.find(":\n");
  ASSERT_NE(said, std::string::npos) << message;
  EXPECT_THAT(message.substr(said + 2, 200), HasSubstr("many.cpp:2:13: error")) << message;
}

TEST_F(OpenTest, ALibraryWithoutGeneratorsSaysSo) {
  const std::string library = tessera::test::binPath("libautoschedule_tessera.so");
  trust(library);
  EXPECT_THAT(refusal({.path = library}).message, HasSubstr("registers none"));
}

TEST_F(OpenTest, AProgramThatIsNoGeneratorSaysSo) {
  trust("/bin/true");
  EXPECT_THAT(refusal({.path = "/bin/true"}).message, HasSubstr("is not a Halide generator"));
}

TEST_F(OpenTest, ASerializedPipelineHasNoGenerators) {
  // Not in a scratch folder, whose name no message says.
  const std::string path = testing::TempDir() + "open_no_generators.hlpipe";
  ASSERT_TRUE(host::writeFile(path, "garbage, but that comes later"));
  EXPECT_EQ(refusal({.path = path, .generator = "x"}).code, ErrorCode::Usage);
  EXPECT_TRUE(m_opener->generators(path)->empty());
  const Error error = refusal({.path = path});
  EXPECT_EQ(error.code, ErrorCode::InputRefused);
  EXPECT_EQ(error.remedy, ErrorRemedy::None) << "no estimate would help";
  EXPECT_THAT(error.message, HasSubstr(path));
}

TEST_F(OpenTest, AMissingWorkerIsNamed) {
  m_tools.halideWorker = folder() + "/no-such-worker";
  PipelineOpener opener(m_tools, m_trust);
  const auto opened = opener.open({.path = file("a.hlpipe", "x")});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::System);
  EXPECT_THAT(opened.error().message, HasSubstr("no-such-worker"));
}

TEST_F(OpenTest, WithoutASandboxNothingOfTheUsersRuns) {
  trust(m_library);
  m_tools.sandbox.clear();
  PipelineOpener opener(m_tools, m_trust);
  const auto generators = opener.generators(m_library);
  ASSERT_FALSE(generators);
  EXPECT_THAT(generators.error().hint, HasSubstr("bubblewrap"));
}

TEST_F(OpenTest, StopsWhenAsked) {
  trust(m_library);
  std::stop_source stop;
  stop.request_stop();
  const auto opened = m_opener->open({.path = m_library, .generator = "smooth"}, stop.get_token());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace tessera::open

// SPDX-License-Identifier: MIT
// Generators that need something: what is asked for opens them when it is given.

#include "engine/base/asked.h"
#include "tests/engine/open/open_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::open {
namespace {

using test::OpenTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class OpenNeedsTest : public OpenTest {
protected:
  // Does as the hint of the error says.
  void give(OpenRequest &request, const Error &error) {
    for (const auto &[option, value] : error.asked) {
      const std::size_t equals = value.find('=');
      if (option == "param")
        request.parameters.emplace_back(value.substr(0, equals), value.substr(equals + 1));
      if (option == "include") request.build.includes.push_back(value);
      if (option == "with-source") request.build.sources.push_back(value);
      if (option == "with-source") trust(value);
      if (option == "estimate") {
        const auto estimate = parseEstimate(value);
        ASSERT_TRUE(estimate) << value;
        setEstimate(request, *estimate);
      }
    }
  }

  // How often the user has to do as told until the file opens.
  int turnsUntilOpen(OpenRequest request) {
    constexpr int kMost = 5;
    for (int turn = 0; turn < kMost; ++turn) {
      const auto opened = open(request);
      if (opened) return turn;
      EXPECT_THAT(opened.error().asked, Not(testing::IsEmpty())) << opened.error().message;
      EXPECT_THAT(opened.error().hint, HasSubstr(commandWords(opened.error().asked)));
      give(request, opened.error());
    }
    return kMost;
  }
};

TEST_F(OpenNeedsTest, TypesAndDimensionsAreAskedForByNameAllAtOnce) {
  const std::string source =
      file("unset.cpp", "#include <Halide.h>\n"
                        "struct Unset : Halide::Generator<Unset> {\n"
                        "  Input<Buffer<>> first{\"first\"};\n"
                        "  Input<Buffer<void, 2>> second{\"second\"};\n"
                        "  Input<float> gain{\"gain\"};\n"
                        "  Output<Buffer<float, 2>> out{\"out\"};\n"
                        "  void generate() {\n"
                        "    Halide::Var x, y;\n"
                        "    _halide_user_assert(first.type().is_float()) << \"floats only\\n\";\n"
                        "    out(x, y) = first(x, y) + second(x, y) * gain;\n"
                        "    out.set_estimates({{0, 64}, {0, 48}});\n"
                        "  }\n"
                        "};\n"
                        "HALIDE_REGISTER_GENERATOR(Unset, unset)\n");
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_EQ(error.remedy, ErrorRemedy::Parameters);
  EXPECT_THAT(error.asked,
              ElementsAre(Asked{"param", "first.type=float32"}, Asked{"param", "first.dim=2"},
                          Asked{"param", "second.type=float32"}))
      << error.message;
  EXPECT_THAT(error.message, HasSubstr("the type and the dimensions of input 'first'; the type of "
                                       "input 'second'"));
  const Error rest =
      refusal({.path = source, .parameters = {{"first.type", "float32"}, {"first.dim", "2"}}});
  EXPECT_THAT(rest.asked, ElementsAre(Asked{"param", "second.type=uint8"}));
  EXPECT_EQ(turnsUntilOpen({.path = source}), 1);
}

TEST_F(OpenNeedsTest, HeadersNearbyAreFoundEvenIfOneHidesAnother) {
  for (const char *name : {"app/gen", "app/lib", "common"})
    std::filesystem::create_directories(folder() + "/" + name);
  file("common/two.h", "constexpr int kTwo = 2;\n");
  file("app/lib/one.h", "#include <two.h>\n");
  const std::string source =
      file("app/gen/lacks.cpp", "#include \"lib/one.h\"\n#include <Halide.h>\n"
                                "struct Lacks : Halide::Generator<Lacks> {\n"
                                "  Output<Buffer<int, 1>> out{\"out\"};\n"
                                "  void generate() { Halide::Var x; out(x) = x * kTwo; }\n"
                                "};\n"
                                "HALIDE_REGISTER_GENERATOR(Lacks, lacks)\n");
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_EQ(error.remedy, ErrorRemedy::Build);
  EXPECT_THAT(error.asked, ElementsAre(Asked{"include", folder() + "/app"},
                                       Asked{"include", folder() + "/common"}));
  EXPECT_EQ(turnsUntilOpen({.path = source}), 2) << "folders, then the estimate";

  const std::string nowhere = file("nowhere.cpp", "#include \"not_here.h\"\n");
  trust(nowhere);
  EXPECT_THAT(refusal({.path = nowhere}).hint, HasSubstr("Not found nearby: 'not_here.h'"));
}

TEST_F(OpenNeedsTest, AHeaderThatTheSystemsHidesIsAskedFor) {
  std::filesystem::create_directories(folder() + "/app/gen");
  file("app/signal.h", "#pragma once\n#include_next <signal.h>\nconstexpr int kPeriod = 8;\n");
  const std::string source =
      file("app/gen/hidden.cpp", "#include <Halide.h>\n#include \"signal.h\"\n"
                                 "struct Hidden : Halide::Generator<Hidden> {\n"
                                 "  Output<Buffer<int, 1>> out{\"out\"};\n"
                                 "  void generate() {\n"
                                 "    Halide::Var x;\n"
                                 "    out(x) = x % kPeriod;\n"
                                 "    out.set_estimates({{0, 64}});\n"
                                 "  }\n"
                                 "};\n"
                                 "HALIDE_REGISTER_GENERATOR(Hidden, hidden)\n");
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_EQ(error.remedy, ErrorRemedy::Build);
  EXPECT_THAT(error.asked, ElementsAre(Asked{"include", folder() + "/app"})) << error.message;
  EXPECT_THAT(error.hint, HasSubstr("\"signal.h\" was taken from /usr/include/"));
  EXPECT_EQ(turnsUntilOpen({.path = source}), 1);
}

TEST_F(OpenNeedsTest, TheStubOfAnotherGeneratorIsWritten) {
  const std::string twice =
      file("twice.cpp", "#include <Halide.h>\n"
                        "struct Twice : Halide::Generator<Twice> {\n"
                        "  Input<Func> in{\"in\", Halide::Float(32), 1};\n"
                        "  Output<Func> out{\"out\", Halide::Float(32), 1};\n"
                        "  void generate() { Halide::Var x; out(x) = in(x) * 2.0f; }\n"
                        "};\n"
                        "HALIDE_REGISTER_GENERATOR(Twice, twice)\n");
  const std::string source =
      file("user.cpp", "#include <Halide.h>\n#include \"twice.stub.h\"\n"
                       "struct User : Halide::Generator<User> {\n"
                       "  Input<Buffer<float, 1>> in{\"in\"};\n"
                       "  Output<Buffer<float, 1>> out{\"out\"};\n"
                       "  void generate() {\n"
                       "    Halide::Var x;\n"
                       "    out(x) = twice::generate(this, {Halide::Func(in)})(x) + 1.0f;\n"
                       "    out.set_estimates({{0, 64}});\n"
                       "  }\n"
                       "};\n"
                       "HALIDE_REGISTER_GENERATOR(User, user)\n");
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_THAT(error.asked, ElementsAre(Asked{"with-source", twice})) << error.message;
  EXPECT_EQ(turnsUntilOpen({.path = source}), 1) << "the other generator need not be chosen from";
  const auto generators = m_opener->generators(
      source, {.includes = {}, .definitions = {}, .sources = {twice}, .libraries = {}});
  ASSERT_TRUE(generators) << generators.error().message;
  ASSERT_EQ(generators->size(), 1U);
  EXPECT_EQ(generators->front().name, "user");
}

// A generator that calls a function of another source.
constexpr const char *kCallsTaps = "#include <Halide.h>\nint taps(int);\n"
                                   "struct Calls : Halide::Generator<Calls> {\n"
                                   "  Output<Buffer<int, 1>> out{\"out\"};\n"
                                   "  void generate() {\n"
                                   "    Halide::Var x;\n"
                                   "    out(x) = x * taps(3);\n"
                                   "    out.set_estimates({{0, 64}});\n"
                                   "  }\n"
                                   "};\n"
                                   "HALIDE_REGISTER_GENERATOR(Calls, calls)\n";

TEST_F(OpenNeedsTest, TheSourceOfAnUndefinedFunctionIsAskedFor) {
  const std::string other = file("taps.cpp", "int taps(int a) { return a; }\n");
  const std::string source = file("calls.cpp", kCallsTaps);
  trust(source);
  const Error error = refusal({.path = source});
  EXPECT_EQ(error.remedy, ErrorRemedy::Build);
  EXPECT_THAT(error.asked, ElementsAre(Asked{"with-source", other})) << error.message;
  EXPECT_EQ(turnsUntilOpen({.path = source}), 1);
}

TEST_F(OpenNeedsTest, ASourceThatWasAskedForMayNeedAnother) {
  file("a.cpp", "int scale(int); int taps(int a) { return scale(a); }\n");
  file("b.cpp", "int scale(int a) { return 2 * a; }\n");
  const std::string source = file("calls.cpp", kCallsTaps);
  trust(source);
  EXPECT_EQ(turnsUntilOpen({.path = source}), 2);
}

TEST_F(OpenNeedsTest, EstimatesAreAskedForOnceInWordsThatWork) {
  trust(m_library);
  EXPECT_EQ(turnsUntilOpen({.path = m_library, .generator = "twice"}), 1);
}

} // namespace
} // namespace tessera::open

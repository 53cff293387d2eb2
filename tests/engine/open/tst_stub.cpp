// SPDX-License-Identifier: MIT
#include "engine/open/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::open {
namespace {

using testing::ElementsAre;

constexpr std::string_view kStub = R"(
enum class Enum_mode {
  fast,
  slow,
};
class gee final : public Halide::NamesInterface {
 struct GeneratorParams final {
  int32_t tile{ 32 };
  bool flag{ true };
  float sigma{ 1.5f };
  double wide{ 2.5 };
  Enum_mode mode{ Enum_mode::fast };
  Type t{ Halide::UInt(8) };
  std::string s{ "a; b" };

  GeneratorParams() {}

  GeneratorParams(
   int32_t not_a_member{ 1 };
)";

TEST(Stub, GivesParametersAsTheCommandLineTakesThem) {
  EXPECT_THAT(parametersOfStub(kStub),
              ElementsAre(GeneratorParameter{"tile", "int32_t", {}, "32"},
                          GeneratorParameter{"flag", "bool", {}, "true"},
                          GeneratorParameter{"sigma", "float", {}, "1.5"},
                          GeneratorParameter{"wide", "double", {}, "2.5"},
                          GeneratorParameter{"mode", "enum", {"fast", "slow"}, "fast"},
                          GeneratorParameter{"t", "Type", {}, "uint8"},
                          GeneratorParameter{"s", "std::string", {}, "a; b"}));
}

TEST(Stub, MayHaveNone) {
  EXPECT_TRUE(parametersOfStub("class x { struct GeneratorParams final {\n\n GeneratorParams() {}")
                  .empty());
  EXPECT_TRUE(parametersOfStub("").empty());
}

TEST(Stub, NamesAreReadFromHalidesMessage) {
  EXPECT_THAT(
      generatorNames("Unhandled exception: Error: Either -g <name> or -r must be specified; "
                     "available Generators are:\n    two\n    one\n\ngengen\n  [-g NAME]\n"),
      ElementsAre("one", "two"));
  EXPECT_TRUE(generatorNames("segmentation fault").empty());
}

} // namespace
} // namespace tessera::open

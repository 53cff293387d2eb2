// SPDX-License-Identifier: MIT
#include "engine/open/missing_sources.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::open {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MissingSources : public host::test::ScratchTest {
protected:
  MissingSources() { std::filesystem::create_directories(folder() + "/app/gen"); }
};

TEST_F(MissingSources, HeadersOfARuleThatDoNotExist) {
  const std::string there = file("there.h", "");
  EXPECT_THAT(missingHeaders("a.o: " + there + " lib/gone.h \\\n also.h lib/gone.h\nb.o: " + there),
              ElementsAre("lib/gone.h", "also.h"));
  EXPECT_THAT(missingHeaders(""), IsEmpty());
}

TEST_F(MissingSources, TheFolderOfAHeaderIsAboveOrBeside) {
  const std::string source = file("app/gen/g.cpp", "");
  std::filesystem::create_directories(folder() + "/app/lib");
  std::filesystem::create_directories(folder() + "/common");
  file("app/lib/above.h", "");
  file("common/beside.h", "");
  EXPECT_EQ(folderWith("lib/above.h", source), folder() + "/app");
  EXPECT_EQ(folderWith("beside.h", source), folder() + "/common");
  EXPECT_EQ(folderWith("nowhere.h", source), std::nullopt);
}

TEST_F(MissingSources, AHeaderOfTheSameNameMayHideAnother) {
  std::filesystem::create_directories(folder() + "/system");
  const std::string taken = file("system/signal.h", ""), meant = file("app/signal.h", "");
  file("app/gen/own.h", "");
  file("app/two.h", "");
  const std::string source = file("app/gen/g.cpp", "#include <two.h>\n"
                                                   "  # include \"signal.h\" // ours\n"
                                                   "#include \"own.h\"\n");
  const std::string rule = "g.o: " + source + " " + taken + " \\\n " + folder() +
                           "/app/gen/own.h " + folder() + "/system/two.h";
  EXPECT_THAT(hiddenHeaders(source, rule, {}),
              ElementsAre(HiddenHeader{"signal.h", taken, folder() + "/app"}));
  EXPECT_THAT(hiddenHeaders(source, rule, {folder() + "/system"}), IsEmpty()) << "it was given";
  EXPECT_THAT(hiddenHeaders(source, "g.o: " + meant, {}), IsEmpty());
}

TEST_F(MissingSources, AStubNamesItsGenerator) {
  EXPECT_EQ(generatorOfStub("stubs/blur.stub.h"), "blur");
  EXPECT_EQ(generatorOfStub("blur.h"), std::nullopt);
  const std::string source = file("app/gen/user.cpp", "HALIDE_REGISTER_GENERATOR(User, blur)\n");
  const std::string longer = file("app/gen/a.cpp", "HALIDE_REGISTER_GENERATOR(Blur2, blur2)\n");
  EXPECT_EQ(sourceRegistering("blur", source), std::nullopt) << "not itself, not a longer name";
  const std::string other = file("app/gen/b.cpp", "HALIDE_REGISTER_GENERATOR(Blur, blur)\n");
  EXPECT_EQ(sourceRegistering("blur", source), other);
  EXPECT_EQ(sourceRegistering("blur2", source), longer);
}

TEST_F(MissingSources, ALoadersComplaintNamesAFunction) {
  EXPECT_THAT(undefinedNames("x: symbol lookup error: y.so: undefined symbol: _ZN2ns4tapsEif\n"),
              ElementsAre("taps"));
  EXPECT_THAT(undefinedNames("(undefined symbol: c_function)"), ElementsAre("c_function"));
  EXPECT_THAT(undefinedSymbols("undefined symbol: _ZN2ns4tapsEif\nundefined symbol: "
                               "_ZN2ns4tapsEif\n(undefined symbol: c_function)"),
              ElementsAre("_ZN2ns4tapsEif", "c_function"));
  EXPECT_EQ(plainName("_ZN2ns4tapsEif"), "taps");
  EXPECT_THAT(undefinedNames("undefined symbol: _ZN6Halide5PrintEv\t(x)\nundefined symbol: "
                             "halide_error\nundefined symbol: b\t(x)\nundefined symbol: b"),
              ElementsAre("b"))
      << "Halide has its own";
  EXPECT_THAT(undefinedNames("all is well"), IsEmpty());
}

TEST_F(MissingSources, TheSourceOfAFunctionIsAskedFor) {
  const std::string source = file("app/gen/g.cpp", "int taps(int, float); int x = taps(1, 2);\n");
  const Error said{ErrorCode::InputRefused, "undefined symbol: _Z4tapsif", ""};
  const Error alone = askingForSymbols(said, "", source, {});
  EXPECT_THAT(alone.asked, IsEmpty());
  EXPECT_THAT(alone.hint, HasSubstr("'taps'"));
  file("app/gen/caller.cpp", "HALIDE_REGISTER_GENERATOR(C, c) int x = taps(3, 4);\n");
  const std::string other = file("app/gen/h.cpp", "int taps(int a, float b) { return a; }\n");
  const Error error = askingForSymbols(said, "", source, {});
  EXPECT_EQ(error.remedy, ErrorRemedy::Build);
  EXPECT_THAT(error.asked, ElementsAre(Asked{"with-source", other}));
  EXPECT_THAT(error.hint, HasSubstr("--with-source " + other));
  file("app/gen/k.cpp", "int more() { return 1; }\n");
  EXPECT_EQ(
      askingForSymbols(said, "undefined symbol: _Z4tapsif\nundefined symbol: _Z4morev", source, {})
          .asked.size(),
      2U)
      << "all that a loader knows of";
  const Error unrelated{ErrorCode::System, "disk full", "free some"};
  EXPECT_EQ(askingForSymbols(unrelated, "", source, {}), unrelated);
}

// The source that was asked for may need another one, which it calls as well.
TEST_F(MissingSources, TheSourceThatHasTheBodyComesBeforeThoseThatCall) {
  const std::string source = file("app/gen/g.cpp", "int taps(int);\n");
  const std::string caller =
      file("app/gen/a.cpp", "int taps(int a);\nint u(int a) { if (taps(a)) return taps(2); }\n");
  EXPECT_EQ(sourceDefining("taps", source, {}), caller) << "a macro may hide the body";
  EXPECT_EQ(sourceDefining("taps", source, {caller}), std::nullopt) << "it is given already";
  const std::string body =
      file("app/gen/z.cpp", "int taps(int a = (1 + 2)) noexcept\n{ return a; }");
  EXPECT_EQ(sourceDefining("taps", source, {}), body);
  EXPECT_EQ(sourceDefining("tap", source, {}), std::nullopt);
  const Error said{ErrorCode::InputRefused, "undefined symbol: _Z4tapsi", ""};
  EXPECT_THAT(askingForSymbols(said, "", source, {caller}).asked,
              ElementsAre(Asked{"with-source", body}));
}

} // namespace
} // namespace tessera::open

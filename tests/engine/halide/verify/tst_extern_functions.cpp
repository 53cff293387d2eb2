// SPDX-License-Identifier: MIT
// A pipeline with extern stages runs where their functions are, and says where they are not.
#include "engine/halide/verify/verify.h"
#include "engine/halide/capture.h"
#include "engine/halide/compile/extern_functions.h"
#include "engine/halide/compile/under_estimates.h"
#include "engine/halide/import/load.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/schedule/sketch.h"
#include "tests/support/build_paths.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::Pipeline;
using Halide::Var;
using ::testing::HasSubstr;

// doubled_in → doubled (extern) → doubled_out
VerifyOptions doubling(const TemporaryFolder &folder) {
  const Var x("x"), y("y");
  Func in("doubled_in"), doubled("doubled"), out("doubled_out");
  in(x, y) = x * 3 + y;
  doubled.define_extern("tessera_test_double", {in}, Halide::Int(32), 2);
  out(x, y) = doubled(x + 1, y) + doubled(x, y);
  in.set_estimates({{0, 33}, {0, 16}});
  out.set_estimates({{0, 32}, {0, 16}});
  VerifyOptions options;
  options.import.path = folder.file("doubling.hlpipe");
  const Status captured = capturePipeline(Pipeline(out), options.import.path);
  EXPECT_TRUE(captured) << captured.error().message;
  options.target = CompileTarget::Host;
  options.directives =
      schedule::sketch(in.name() + " compute_root | parallel y\n" + doubled.name() +
                       " compute_root\n" + out.name() + " parallel y");
  return options;
}

VerifyResult verified(const VerifyOptions &options) {
  auto prepared = preparePipeline(options.import);
  EXPECT_TRUE(prepared) << prepared.error().message;
  return Verifier().verify(std::make_shared<const PreparedPipeline>(std::move(*prepared)), options);
}

TEST(ExternFunctions, AScheduleIsVerifiedWhereTheyAreAndRefusedWhereNot) {
  const TemporaryFolder folder;
  const VerifyOptions options = doubling(folder);
  const VerifyResult missing = verified(options);
  EXPECT_EQ(missing.outcome, Outcome::CompileError);
  EXPECT_THAT(missing.error.message, HasSubstr(" calls tessera_test_double"));
  EXPECT_THAT(missing.error.hint, HasSubstr("scheduled, explained and exported"));

  void *const library = ::dlopen(tessera::test::binPath("libtessera_extern_functions.so").c_str(),
                                 RTLD_NOW | RTLD_GLOBAL);
  ASSERT_TRUE(library) << ::dlerror();
  const VerifyResult there = verified(options);
  ::dlclose(library);
  EXPECT_EQ(there.outcome, Outcome::Ok) << there.error.message;
  ASSERT_EQ(there.report.outputs.size(), 1u);
  EXPECT_EQ(there.report.outputs[0].verdict(), report::Verdict::Equal);
  EXPECT_EQ(there.report.outputs[0].elements, 32u * 16u);
}

// The counts of a compiled schedule are those of a run at the estimated sizes.
TEST(ExternFunctions, TheBoundsThatTheyAskForAreTheEstimates) {
  namespace ir = Halide::Internal;
  const TemporaryFolder folder;
  const auto prepared = preparePipeline(doubling(folder).import);
  ASSERT_TRUE(prepared) << prepared.error().message;
  const auto asked = [&](const std::string &buffer, const std::string &what) {
    const Halide::Expr call = ir::Call::make(
        Halide::Int(32), what, {ir::Variable::make(Halide::Handle(), buffer), 0}, ir::Call::Extern);
    const ir::Stmt known = withAskedBounds(ir::Evaluate::make(call), *prepared);
    return ir::as_const_int(known.as<ir::Evaluate>()->value);
  };
  const std::string in = prepared->raw.funcs[0].function.name();
  EXPECT_EQ(asked(in + ".o0.bounds_query.e", ir::Call::buffer_get_extent), 33);
  EXPECT_EQ(asked(in + ".o0.bounds_query.e", ir::Call::buffer_get_max), 32);
  EXPECT_EQ(asked(in + ".o0.bounds_query.e", ir::Call::buffer_get_min), 0);
  EXPECT_FALSE(asked("another.buffer", ir::Call::buffer_get_min));
}

TEST(ExternFunctions, ABundleHasThoseThatItIsLinkedWith) {
  const TemporaryFolder folder;
  const auto loaded = loadPipeline(doubling(folder).import.path, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const std::optional<LinkedFunctions> &without :
       {std::optional<LinkedFunctions>(),
        std::optional(LinkedFunctions{{}, {"tessera_test_double"}})}) {
    const Status refused = checkLinkedFunctions(loaded->pipeline, without);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("the functions of its extern stages"));
  }
  EXPECT_TRUE(checkLinkedFunctions(loaded->pipeline, LinkedFunctions{{"double.o"}, {}}));
}

} // namespace
} // namespace tessera::halide::testing

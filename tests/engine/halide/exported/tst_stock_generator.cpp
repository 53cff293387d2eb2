// SPDX-License-Identifier: MIT
// An exported header in a generator program with Halide's own main().
#include "tests/engine/halide/exported/lowered_code.h"

#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

TEST(StockGenerator, CompilesTheKernelsOfTheWorker) {
  const ScratchFolder folder;
  ASSERT_TRUE(run(tessera::test::testPath("stock_generator"),
                  {"-g", "stock_blur", "-f", "stock_blur", "-e", "stmt", "-o", folder.file("."),
                   "target=x86-64-linux-cuda-cuda_capability_86-no_runtime"}));
  ASSERT_TRUE(run(tessera::test::testPath("lower_directives"),
                  {tessera::test::sharePath("samples/blur.hlpipe"),
                   tessera::test::testPath("engine/halide/exported/tst_exported/blur_shared.json"),
                   folder.file("directives")}));
  expectSameCode(ptxIn(contentOf(folder.file("directives"))),
                 ptxIn(contentOf(folder.file("stock_blur.stmt"))));
}

} // namespace
} // namespace tessera::halide::testing

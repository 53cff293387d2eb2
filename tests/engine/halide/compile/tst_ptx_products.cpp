// SPDX-License-Identifier: MIT
// Products that ptxas gets wrong, and similar ones that it gets right, found by evaluating the code
// that it makes of such sums. For CUDA 11.8 to 13.5, see wrong_product.ptx.
#include "engine/halide/compile/ptx_products.h"

#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tessera::halide::testing {
namespace {

// Instructions that add a shifted product to %r2. In the n-th sum, the product is y * %r(10 + n).
struct Sum {
  int amount = 0;
  std::string y = "%r1";
  std::string after = {}; // PTX after the sum
};

std::string kernel(const std::vector<Sum> &sums) {
  std::ostringstream text;
  text << ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n";
  int next = 20;
  for (std::size_t n = 0; n < sums.size(); ++n, next += 3) {
    text << "\tmul.lo.s32 \t%r" << next << ", " << sums[n].y << ", %r" << 10 + n << ";\n"
         << "\tshl.b32 \t%r" << next + 1 << ", %r" << next << ", " << sums[n].amount << ";\n"
         << "\tadd.s32 \t%r" << next + 2 << ", %r" << next + 1 << ", %r2;\n"
         << sums[n].after;
  }
  text << "\tret;\n}\n";
  return text.str();
}

std::string found(const std::string &ptx) {
  std::string text;
  for (const WrongProduct &wrong : wrongProducts(ptx))
    text += wrong.kernel + ":" + std::to_string(wrong.line) + " " + std::to_string(wrong.meant) +
            " as " + std::to_string(wrong.made) + "; ";
  return text;
}

TEST(PtxProducts, TakesTheFactorOfAShiftForItsAmount) {
  EXPECT_EQ(found(kernel({{2}, {2}, {1}})), "k:12 1 as 2; ");
  EXPECT_EQ(found(kernel({{4}, {4}, {2}})), "k:12 2 as 4; ");
  EXPECT_EQ(found(kernel({{8}, {8}, {3}})), "k:12 3 as 8; ");
  EXPECT_EQ(found(kernel({{2}, {0}, {2}, {1}})), "k:15 1 as 2; ");
}

TEST(PtxProducts, AreRightInAnotherOrderAndWithOtherAmounts) {
  for (const std::vector<Sum> &sums : {std::vector<Sum>{{2}, {1}},
                                       {{2}, {1}, {2}},
                                       {{1}, {2}, {2}},
                                       {{2}, {2}, {2}},
                                       {{1}, {1}, {2}},
                                       {{3}, {3}, {1}},
                                       {{2}, {2}, {3}},
                                       {{2}, {2}, {0}},
                                       {{16}, {16}, {5}}})
    EXPECT_EQ(found(kernel(sums)), "") << sums[0].amount << sums[1].amount;
}

TEST(PtxProducts, AreRightWithAnotherFactorOrInAnotherBlock) {
  EXPECT_EQ(found(kernel({{2}, {2}, {1, "%r3"}})), "");
  EXPECT_EQ(found(kernel({{2}, {2, "%r3"}, {1}})), "");
  EXPECT_EQ(found(kernel({{2}, {2, "%r1", "\t@%p1 bra \t$L__BB0_2;\n"}, {1}})), "");
  EXPECT_EQ(found(kernel({{2, "%r1", "$L__BB0_2:\n"}, {2}, {1}})), "");
}

TEST(PtxProducts, AreRightWhereSomethingElseNeedsThem) {
  const auto used = [](const std::string &name) {
    return "\tst.global.b32 \t[%rd1], " + name + ";\n";
  };
  for (const std::string name : {"%r20", "%r21", "%r23", "%r24", "%r26", "%r27"})
    EXPECT_EQ(found(kernel({{2}, {2}, {1, "%r1", used(name)}})), "") << name;
  EXPECT_NE(found(kernel({{2}, {2}, {1, "%r1", used("%r28")}})), "");
}

TEST(PtxProducts, AreToldOfEachKernel) {
  const std::string bad = kernel({{2}, {2}, {1}}), good = kernel({{1}, {1}, {2}});
  EXPECT_EQ(found("// two kernels\n" + good + bad),
            "k:" + std::to_string(1 + 15 + 12) + " 1 as 2; ");
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("no PTX at all, %r"), "");
}

TEST(PtxProducts, AreFoundInTheKernelThatShowsThem) {
  std::ifstream file(tessera::test::sourcePath("tests/data/wrong_product.ptx"));
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(found(text.str()), "sums:30 1 as 2; ");
}

} // namespace
} // namespace tessera::halide::testing

// SPDX-License-Identifier: MIT
#include "engine/pipeline/dot.h"
#include "engine/pipeline/text_tree.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tessera::pipeline {
namespace {

using test::sketch;
using testing::HasSubstr;

TEST(TextTree, ShowsEachFuncOnce) {
  const PipelinePtr p = sketch("input in 64\n"
                               "func a(x) 64 = in(x)\n"
                               "func b(x) 62 = a(x+[0,2])\n"
                               "func c(x) 60 = a(x) b(x+[0,2])\n"
                               "output c\n");
  EXPECT_EQ(textTree(*p), "sketch: 3 funcs, 3 stages, 4 edges (Halide 21.0.0)\n"
                          "\n"
                          "Inputs\n"
                          "  in  uint8     0:64  from file\n"
                          "\n"
                          "Outputs\n"
                          "  c   float32   0:60  from file\n"
                          "\n"
                          "Funcs, each under the one that needs it\n"
                          "c  float32  60  1 op, 2 loads\n"
                          "├─ a  float32  64  1 op, 1 load\n"
                          "│  └─ in  (input)\n"
                          "└─ b  float32  62  1 op, 1 load\n"
                          "   └─ a  (above)\n");
}

std::string chain(int length) {
  std::string text = "input in 64\nfunc f0(x) 64 = in(x)\n";
  for (int i = 1; i < length; ++i)
    text += "func f" + std::to_string(i) + "(x) 64 = f" + std::to_string(i - 1) + "(x)\n";
  return text + "output f" + std::to_string(length - 1) + "\n";
}

TEST(TextTree, KeepsLinesShortOnDeepPipelines) {
  const PipelinePtr p = sketch(chain(1000));
  std::istringstream lines(textTree(*p));
  std::size_t longest = 0;
  std::size_t funcs = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
    funcs += line.find(" op, ") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(funcs, 1000U);
  EXPECT_LT(longest, 120U);
}

TEST(Dot, EscapesNames) {
  PipelineParts parts = test::sketchParts("input in 64\nfunc f(x) 64 = in(x)\noutput f\n");
  parts.funcs[0].name = "f\"];evil\\";
  const std::string dot = toDot(**Pipeline::create(parts));
  EXPECT_THAT(dot, HasSubstr("f\\\"];evil\\\\"));
}

TEST(Dot, DrawsOneArrowForAllLoads) {
  const std::string dot = toDot(*sketch("input in 64\n"
                                        "func f(x) 60 = in(x) in(x+1) in(x+2)\n"
                                        "output f\n"));
  EXPECT_THAT(dot, HasSubstr("i0 -> f0 [label=\"3\"];"));
  EXPECT_THAT(dot, HasSubstr("peripheries=2"));
}

} // namespace
} // namespace tessera::pipeline

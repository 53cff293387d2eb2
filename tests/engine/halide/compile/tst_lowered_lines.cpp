// SPDX-License-Identifier: MIT
// Finds the stage that a line of lowered loops computes, on texts as Halide prints them. Whole
// samples are in tst_compile.cpp.
#include "engine/halide/compile/lowered_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::halide::testing {
namespace {

using report::KernelStage;

const std::map<std::string, std::uint32_t> kStages{{"f", 1}, {"g", 2}, {"f1$1", 3}, {"out", 1}};

// Returns the text with the stage in front of each line: "g.1| let g.s1.r.max = 3".
std::string marked(const std::string &text) {
  const auto ranges = stagesOfLines(text, kStages);
  std::string result;
  std::uint32_t number = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    ++number;
    for (const auto &[first, last, stage] : ranges)
      if (first <= number && number <= last)
        result += stage.func + "." + std::to_string(stage.stage);
    result += '|';
    result += text.substr(begin, end + 1 - begin);
    begin = end + 1;
  }
  return result;
}

// Removes the marks (the text before the bars) from `expected`, and expects the same marks for the
// remaining text.
void expectMarks(const std::string &expected) {
  std::string text;
  std::size_t begin = 0;
  while (begin < expected.size()) {
    const std::size_t bar = expected.find('|', begin), end = expected.find('\n', begin);
    text += expected.substr(bar + 1, end - bar);
    begin = end + 1;
  }
  EXPECT_EQ(marked(text), expected);
}

TEST(LoweredLines, LoopsAreCalledAfterTheirStage) {
  EXPECT_EQ(stageOfLoop("f.s0.x.xi"), (KernelStage{"f", 0}));
  EXPECT_EQ(stageOfLoop("f1$1.s12.r$x.block_id_x"), (KernelStage{"f1$1", 12}));
  EXPECT_EQ(stageOfLoop("f.s1"), (KernelStage{"f", 1}));
  for (const char *name : {".thread_id_x", "f.x", "f.step.s0x", "", ".s0", "f.s99999999999"})
    EXPECT_FALSE(stageOfLoop(name)) << name;
}

TEST(LoweredLines, ConsumersGoOnAfterTheirProducers) {
  expectMarks("|let input.stride.1 = 8\n"
              "|assert(0 <= input.extent.0, halide_error())\n"
              "out.0|produce out {\n"
              "out.0| gpu_block<CUDA> (out.s0.y.block_id_y, 0, 8) {\n"
              "out.0|  allocate f.0[float32 * 8] in GPUShared\n"
              "out.0|  gpu_thread<CUDA> (.thread_id_x, 0, 32) {\n"
              "f.0|   produce f {\n"
              "f.0|    let t1 = .thread_id_x*4\n"
              "f.0|    f.0[t1] = input[t1]\n"
              "f.0|   }\n"
              "out.0|   gpu_thread_barrier(2)\n"
              "out.0|   consume f {\n"
              "out.0|    out[.thread_id_x] = f.0[.thread_id_x]\n"
              "out.0|   }\n"
              "out.0|  }\n"
              "out.0|  free f.0\n"
              "out.0| }\n"
              "out.0|}\n");
}

TEST(LoweredLines, StagesOfAFuncByTheirLoops) {
  expectMarks("out.0|produce out {\n"
              "g.0| produce g {\n"
              "g.0|  for (g.s0.x, 0, 8) {\n"
              "g.0|   g[g.s0.x] = 0\n"
              "g.0|  }\n"
              "g.1|  let t5 = input.extent.0\n"
              "g.1|  if (t5 < 8) {\n"
              "g.1|   let g.s1.r$x.max.s = t5\n"
              "g.1|   for (g.s1.r$x, 0, g.s1.r$x.max.s) {\n"
              "f.0|    produce f {\n"
              "f.0|     f[0] = 1\n"
              "f.0|    }\n"
              "g.1|    atomic (g) {\n"
              "g.1|      g[g.s1.r$x] = g[g.s1.r$x] + f[0]\n"
              "g.1|    }\n"
              "g.1|   }\n"
              "g.1|  } else {\n"
              "g.1|   g[0] = g[0] + 1\n"
              "g.1|  }\n"
              "g.0| }\n"
              "out.0| consume g {\n"
              "out.0|  out[0] = g[0]\n"
              "out.0| }\n"
              "out.0|}\n");
}

TEST(LoweredLines, WithoutLoopsByBarriersAndByWhatReadsItself) {
  // g is in shared memory, with loops over threads only.
  expectMarks("g.0|produce g {\n"
              "g.0| if (.thread_id_x < 8) {\n"
              "g.0|  allocgroup__g.1__f.0[.thread_id_x] = 0\n"
              "g.0| }\n"
              "g.1| gpu_thread_barrier(2)\n"
              "g.1| let t1 = .thread_id_x\n"
              "g.1| allocgroup__g.1__f.0[t1] = allocgroup__g.1__f.0[t1] + 1\n"
              "g.1| gpu_thread_barrier(2)\n"
              "g.0|}\n");
  // g is in registers, inside an unrolled loop of out. So it is produced twice, each time beginning
  // with its first stage.
  const std::string once = "g.0| produce g {\n"
                           "g.0|  g[0] = 0\n"
                           "g.1|  let t7 = input[3]\n"
                           "g.1|  g[0] = g[0] + t7\n"
                           "g.0| }\n";
  expectMarks("out.0|produce out {\n" + once + "out.0| out[0] = g[0]\n" + once +
              "out.0| out[1] = g[0]\n" + "out.0|}\n");
}

TEST(LoweredLines, NamesWithDollarsTuplesAndSharedLoops) {
  expectMarks("f1$1.0|produce f1$1 {\n"
              "f1$1.0| f1$1.0[0] = 3\n"
              "f1$1.0| f1$1.1[0] = 4\n"
              "f1$1.2| for (f1$1.s2.r$y, 0, 3) {\n"
              "f1$1.2|  f1$1.1[0] = 5\n"
              "f1$1.2| }\n"
              "f1$1.0|}\n");
  // Two funcs share one loop nest. The loop belongs to one of them, and each stored value to its
  // own func.
  expectMarks("out.0|produce out {\n"
              "f.0| produce f {\n"
              "f.0|  for (f.s0.fused.x, 0, 8) {\n"
              "f.0|   f[f.s0.fused.x] = 1\n"
              "out.0|   out[f.s0.fused.x] = 2\n"
              "f.0|  }\n"
              "f.0| }\n"
              "out.0|}\n");
}

// The host computes the largest size of f's shared memory over all blocks. A store to that size
// reads it, but is no update of g.
TEST(LoweredLines, SizesOfSharedMemoryAreNoUpdates) {
  expectMarks("g.0|produce g {\n"
              "g.0| f.0.shared_size[0] = 0\n"
              "g.0| f.0.shared_size[0] = max(f.0.shared_size[0], 64)\n"
              "g.0| g[0] = 0\n"
              "g.0|}\n");
}

TEST(LoweredLines, TextOfAnythingElseIsOfNoStage) {
  expectMarks("|} {\n"
              "|}\n"
              "|\n"
              "|produce nobody {\n"
              "| for (nobody.s0.x, 0, 8) {\n"
              "|  nobody[0] = 1\n");
  EXPECT_TRUE(stagesOfLines("", kStages).empty());
}

} // namespace
} // namespace tessera::halide::testing

// SPDX-License-Identifier: MIT
// The smallest cases of Halide bugs that the engine works around. If a test fails with a new
// version of Halide, the bug is fixed, and the workaround can go.
#include "engine/halide/compile/compile.h"
#include "engine/halide/compile/device_code.h"
#include "tests/engine/halide/captured.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>

namespace tessera::halide::testing {
namespace {

using namespace Halide;

// Returns the loops over a func that is needed only up to the end of an input. The func has tiles
// that are split again.
std::string loopsOverCopy(bool mayPartition) {
  ImageParam in(UInt(16), 2, "in");
  Var x("x"), y("y"), outer("outer"), rest("rest"), middle("middle"), inner("inner");
  Func copy("copy"), edge("edge"), blurred("blurred");
  copy(x, y) = in(x, y);
  edge(x, y) = copy(likely(clamp(x, in.dim(0).min(), in.dim(0).max())),
                    likely(clamp(y, in.dim(1).min(), in.dim(1).max())));
  blurred(x, y) = edge(x, y - 1) + edge(x, y + 1);
  edge.compute_root();
  copy.compute_root()
      .split(y, outer, rest, 8, TailStrategy::GuardWithIf)
      .split(rest, middle, inner, 2, TailStrategy::GuardWithIf);
  if (!mayPartition) copy.never_partition_all();

  const TemporaryFolder folder;
  const std::string file = folder.file("lowered.stmt");
  blurred.compile_to_lowered_stmt(file, {in}, Text);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::size_t begin = text.str().find("produce copy");
  return text.str().substr(begin, text.str().find("consume copy") - begin);
}

// Whether a guard is left, as a condition or as an inner loop that ends earlier. See
// engine/schedule/directives/partitions.h.
bool hasGuard(const std::string &loops) {
  return loops.find("if (") != std::string::npos || loops.find("new_max") != std::string::npos;
}

TEST(HalideFacts, TheGuardOfATileOfTilesIsLostWhenLoopsArePartitioned) {
  EXPECT_FALSE(hasGuard(loopsOverCopy(true)));
  EXPECT_TRUE(hasGuard(loopsOverCopy(false)));
}

// Lowers a pair of values, inlined into a func that reads `read` of them. Only the second needs
// `sum`, which reads `source`.
void lowerPair(int read) {
  ImageParam in(Int(32), 1, "in");
  Var x("x");
  const RDom r(0, 3);
  Func source("source"), sum("sum"), pair("pair"), out("out");
  source(x) = in(x);
  sum(x) = 0;
  sum(x) += source(x + r);
  pair(x) = Tuple(source(x), sum(x));
  out(x) = pair(x)[read];
  source.compute_root();
  sum.compute_root();
  out.compile_to_module({in}, "out");
}

// See engine/schedule/rules/inlining.h.
TEST(HalideFacts, AnUnreadValueThatIsInlinedEndsBoundsInference) {
  lowerPair(1);
  EXPECT_DEATH(lowerPair(0), "");
}

// The index of the least cost, found by a running minimum whose value comes first.
int indexOfLeast(const Target &target) {
  Buffer<float> costs(3);
  costs(0) = 3;
  costs(1) = 1;
  costs(2) = 2;
  Func best("best");
  const RDom r(0, 3);
  best() = Tuple(100.0f, -1);
  const Expr cost = costs(Expr(r));
  best() = Tuple(select(cost < best()[0], cost, best()[0]),
                 select(cost < best()[0], Expr(r), best()[1]));
  const Realization found = best.realize({}, target);
  return Buffer<int>(found[1])();
}

// See engine/halide/HALIDE_TUPLES.md.
TEST(HalideFacts, UnderStrictFloatAnElementOfATupleIsStoredTooEarly) {
  const Target usual = get_host_target();
  EXPECT_EQ(indexOfLeast(usual), 1);
  EXPECT_EQ(indexOfLeast(usual.with_feature(Target::StrictFloat)), -1);
}

// The PTX of a kernel in which each thread converts a vector of float32 to float16.
std::string halvesInVectors(int lanes, bool isAligned) {
  ImageParam in(Float(32), 1, "in");
  Var x("x"), block("block"), rest("rest"), lane("lane");
  Func halves("halves");
  halves(x) = cast(Float(16), in(x));
  if (isAligned) halves.output_buffer().set_host_alignment(16).dim(0).set_bounds(0, 4096);
  halves.split(x, rest, lane, lanes, TailStrategy::RoundUp).vectorize(lane);
  halves.gpu_tile(rest, block, rest, 32, TailStrategy::RoundUp);
  const auto target = halideTarget(CompileTarget::Cuda, 86);
  return deviceCodeOf(Pipeline(halves).compile_to_module({in}, "entry", *target));
}

// See engine/halide/lowered/known_faults.h.
TEST(HalideFacts, AVectorOfFloat16LosesItsConversionWhereItIsStored) {
  const std::string conversion = "cvt.rn.f16";
  const auto converts = [&](int lanes, bool isAligned) {
    return halvesInVectors(lanes, isAligned).find(conversion) != std::string::npos;
  };
  EXPECT_TRUE(converts(1, false));
  EXPECT_FALSE(converts(2, false));
  EXPECT_FALSE(converts(4, false));
  EXPECT_FALSE(converts(2, true));
  EXPECT_TRUE(converts(4, true));
}

// Compiles a kernel in which each thread adds to a vector of four bytes, which it reads in this
// order.
void compileBytes(const std::function<Expr(Expr)> &order) {
  ImageParam in(UInt(8), 1, "in");
  Var x("x"), block("block"), rest("rest"), lane("lane");
  Func bytes("bytes");
  bytes(x) = in(order(x)) & Expr(std::uint8_t{63});
  bytes.split(x, rest, lane, 4, TailStrategy::RoundUp).vectorize(lane);
  bytes.gpu_tile(rest, block, rest, 32, TailStrategy::RoundUp);
  Pipeline(bytes).compile_to_module({in}, "entry", *halideTarget(CompileTarget::Cuda, 86));
}

// Compiles a kernel that looks bytes up. The vectors of a thread lie between one another.
void compileLookup(bool isInterleaved) {
  ImageParam in(UInt(16), 1, "in"), table(UInt(8), 1, "table");
  Var x("x"), block("block"), rest("rest"), lane("lane"), copy("copy");
  Func bytes("bytes");
  bytes(x) = table(clamp(cast<int>(in(x)), 0, 1023));
  bytes.split(x, rest, lane, 8, TailStrategy::RoundUp);
  if (isInterleaved)
    bytes.split(lane, lane, copy, 2).reorder(copy, lane, rest).vectorize(lane).unroll(copy);
  else
    bytes.split(lane, copy, lane, 4).reorder(lane, copy, rest).vectorize(lane).unroll(copy);
  bytes.gpu_tile(rest, block, rest, 32, TailStrategy::RoundUp);
  Pipeline(bytes).compile_to_module({in, table}, "entry", *halideTarget(CompileTarget::Cuda, 86));
}

// See engine/schedule/rules/shuffled_bytes.h.
TEST(HalideFacts, VectorsOfBytesThatLieBetweenOthersEndTheCodeGenerator) {
  compileLookup(false);
  EXPECT_DEATH(compileLookup(true), "Illegal bit extraction");
}

// See engine/schedule/rules/shuffled_bytes.h.
TEST(HalideFacts, AVectorOfBytesThatIsReadBackwardsEndsTheCodeGenerator) {
  compileBytes([](const Expr &x) { return x; });
  compileBytes([](const Expr &x) { return x * 2; });
  EXPECT_DEATH(compileBytes([](const Expr &x) { return 99 - x; }), "Illegal bit extraction");
}

// See engine/schedule/rules/shuffled_bytes.h. The elements of the spread vector are 4 apart.
TEST(HalideFacts, AVectorOfBytesThatASerialLoopSpreadsEndsTheCodeGenerator) {
  const auto compile = [](bool isSpread) {
    ImageParam in(UInt(8), 1, "in");
    Var x("x"), block("block"), rest("rest"), lane("lane"), inner("inner");
    Func bytes("bytes");
    bytes(x) = in(x) / ((in(x)&Expr(std::uint8_t{7})) + Expr(std::uint8_t{1}));
    bytes.split(x, rest, lane, 32, TailStrategy::RoundUp);
    if (isSpread)
      bytes.split(lane, lane, inner, 4).reorder(inner, lane, rest).vectorize(lane);
    else
      bytes.split(lane, inner, lane, 8).reorder(lane, inner, rest).vectorize(lane);
    bytes.gpu_tile(rest, block, rest, 32, TailStrategy::RoundUp);
    Pipeline(bytes).compile_to_module({in}, "entry", *halideTarget(CompileTarget::Cuda, 86));
  };
  compile(false);
  EXPECT_DEATH(compile(true), "Illegal bit extraction");
}

// See engine/schedule/rules/shuffled_bytes.h. No byte is loaded, and the bytes lie between others.
TEST(HalideFacts, BytesThatAreMadeOfNumbersEndTheCodeGeneratorToo) {
  const auto compile = [](int lanes, int copies, TailStrategy tail) {
    ImageParam in(Int(32), 1, "in");
    Var x("x"), block("block"), rest("rest"), lane("lane"), copy("copy");
    Func bytes("bytes");
    const Expr scaled = rounding_mul_shift_right(in(x), 1584622671, Expr(std::uint32_t{31}));
    bytes(x) = saturating_cast(UInt(8), rounding_shift_right(scaled, Expr(std::uint32_t{5})) + 140);
    bytes.split(x, rest, lane, lanes * copies, tail)
        .split(lane, lane, copy, copies)
        .reorder(copy, lane, rest)
        .vectorize(lane)
        .unroll(copy);
    bytes.gpu_tile(rest, block, rest, 32, tail);
    Pipeline(bytes).compile_to_module({in}, "entry", *halideTarget(CompileTarget::Cuda, 86));
  };
  const TailStrategy whole = TailStrategy::RoundUp, guarded = TailStrategy::GuardWithIf;
  compile(32, 1, whole);
  compile(2, 2, whole);
  EXPECT_DEATH(compile(3, 2, whole), "Illegal bit extraction");
  EXPECT_DEATH(compile(32, 4, whole), "Illegal bit extraction");
  // A guard takes vectors apart, and those of five to seven elements are filled up to eight.
  compile(32, 4, guarded);
  EXPECT_DEATH(compile(5, 2, guarded), "Illegal bit extraction");
}

// See checkCopiedThreads() in engine/schedule/rules/rules_nest.cpp.
TEST(HalideFacts, ThreadLoopsInAnUnrolledLoopRepeatAName) {
  const auto compile = [](bool isUnrolled) {
    ImageParam in(Float(32), 2, "in");
    Var x("x"), y("y"), column("column"), inColumn("in_column"), row("row"), inRow("in_row");
    Func shared("shared"), sum("sum");
    shared(x, y) = in(x, y) + 1;
    sum(x, y) = shared(x, y) + shared(x + 1, y + 1);
    sum.split(x, column, inColumn, 32, TailStrategy::GuardWithIf)
        .split(y, row, inRow, 2, TailStrategy::GuardWithIf)
        .reorder(inColumn, inRow, column, row)
        .gpu_blocks(column, row);
    if (isUnrolled) sum.unroll(inRow);
    shared.compute_at(sum, inRow).store_in(MemoryType::GPUShared).gpu_threads(x);
    Pipeline(sum).compile_to_module({in}, "entry", *halideTarget(CompileTarget::Cuda, 86));
  };
  compile(false);
  EXPECT_THROW(compile(true), Halide::Error);
}

} // namespace
} // namespace tessera::halide::testing

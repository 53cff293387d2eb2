// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/lower.h"

#include "engine/schedule/directives/raise.h"
#include "tests/engine/pipeline/sketch.h"
#include "tests/engine/schedule/scheduled.h"
#include "tests/engine/schedule/sketch.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using testing::loweredText;
using testing::scheduled;

constexpr std::string_view kLowered = "input in 66 66\n"
                                      "func f(x y) 66 64 = in(x; y+[0,2])\n"
                                      "func g(x y) 64 64 = f(x+[0,2]; y)\n"
                                      "output g\n";

constexpr std::string_view kLoweredSum =
    "input in 64 64\n"
    "func s(x) 64 = \n"
    "update s(x) r$x:0:64 r$y:0:8 commutative = s(x) in(x; r$x)\n"
    "output s\n";

// Expects that the schedule is lowered to `text`, and that raising gives the same schedule again.
void expectLowered(std::string_view pipeline, std::string_view directives, std::string_view text) {
  const Schedule schedule = scheduled(pipeline, directives);
  EXPECT_EQ(loweredText(schedule), text);
  const auto again = raise(schedule.base(), lower(schedule));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, schedule);
}

TEST(Lower, AnOutputWithPlainLoopsNeedsNoWords) { expectLowered(kLowered, "g compute_root", ""); }

TEST(Lower, ATiledKernelWithAProducerInItsBlocks) {
  expectLowered(kLowered,
                "g split x xo xi 32 guard_with_if | split y yo yi 8 guard_with_if | "
                "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo\n"
                "f compute_at g:xo | store_in shared | gpu_threads x y",
                "g split x x_block x_thread 32 guard_with_if | "
                "split y y_block y_thread 8 guard_with_if | "
                "reorder x_thread y_thread x_block y_block | "
                "gpu_threads x_thread y_thread | gpu_blocks x_block y_block\n"
                "f compute_at g:x_block | store_in shared | gpu_threads x y");
}

// A thread keeps rows of 6 elements of 4 bytes. A vector would be loaded as 8 or 16 bytes, so if
// the thread has vectors, the rows are padded to 8 elements.
TEST(Lower, WhatAKernelKeepsIsBoundedAndBesideVectorsPadded) {
  const auto text = [](const std::string &loop, const std::string &verb, const std::string &place) {
    return "g split x x_block x_rest 32 shift_inwards | split x_rest x_thread " + loop +
           " 4 guard_with_if | " + verb + " " + loop +
           " | gpu_threads x_thread | gpu_blocks x_block y\nf compute_at g:" + place;
  };
  const std::string kept = text("x_vector", "vectorize", "x_thread");
  expectLowered(kLowered, kept, kept + " | bound_storage x 8 | bound_storage y 1");
  const std::string unrolled = text("x_unroll", "unroll", "x_thread");
  expectLowered(kLowered, unrolled, unrolled + " | bound_storage x 6 | bound_storage y 1");
  // Halide computes the size in shared memory itself, so no bound is added.
  const std::string shared = text("x_vector", "vectorize", "x_block");
  expectLowered(kLowered, shared, shared + " | align_storage x 4");
}

TEST(Lower, WhereAThreadKeepsItsOwnNeedNotBeSaid) {
  const std::string text = "g split x x_block x_thread 32 guard_with_if | gpu_threads x_thread | "
                           "gpu_blocks x_block y\nf compute_at g:x_thread | ";
  const std::string bounds = "bound_storage x 3 | bound_storage y 1";
  expectLowered(kLowered, text + "store_in registers", text + bounds);
  expectLowered(kLowered, text + "store_in stack", text + bounds);
  expectLowered(kLowered, text + "store_in global", text + "store_in global | " + bounds);
}

// A block keeps f in registers, and its first row is the remainder of a fused loop. Halide does not
// see how much that is, and takes no bound of registers, but one of the stack of a thread.
TEST(Lower, RegistersOfABlockUnderFusedLoopsAreTheStackOfItsThreads) {
  const auto text = [](const std::string &blocks, const std::string &place,
                       const std::string &storage) {
    return "g split x x_" + blocks + " x_thread 32 shift_inwards | " + place + storage;
  };
  const std::string pipeline = "input in 64 64\nfunc f(x y) 64 64 = in(x; y)\n"
                               "func g(x y) 64 64 = f(x; y)\noutput g\n";
  const std::string f = " | split x x_outer x_thread 32 shift_inwards | gpu_threads x_thread";
  expectLowered(pipeline,
                text("part",
                     "fuse x_part y x_y_block | reorder x_thread x_y_block | "
                     "gpu_threads x_thread | gpu_blocks x_y_block\n",
                     "f compute_at g:x_y_block | store_in registers" + f),
                text("part",
                     "fuse x_part y x_y_block | gpu_threads x_thread | gpu_blocks x_y_block\n",
                     "f compute_at g:x_y_block | store_in stack | bound_storage x 32 | "
                     "bound_storage y 1" +
                         f));
  expectLowered(pipeline,
                text("block", "gpu_threads x_thread | gpu_blocks x_block y\n",
                     "f compute_at g:x_block | store_in registers" + f),
                text("block", "gpu_threads x_thread | gpu_blocks x_block y\n",
                     "f compute_at g:x_block | store_in registers" + f));
}

// The tile x = 7 … 13 of g reads two elements of f, and the tile x = 14 … 20 reads three.
TEST(Lower, BoundsAreOfTheLargestTile) {
  expectLowered("func f(x) 13 = \nfunc g(x) 64 = f(x/5)\noutput g\n",
                "g split x a b 7 guard_with_if | gpu_threads a\nf compute_at g:a",
                "g split x x_thread x_inner 7 guard_with_if | gpu_threads x_thread\n"
                "f compute_at g:x_thread | bound_storage x 3");
}

// A storage alignment that the user has chosen stays, and the bounds are added. Without bounds,
// Halide 21 would keep f in global memory, where it mixes up the values of different threads.
TEST(Lower, AnAlignmentThatWasDecidedStays) {
  const std::string text = "g split x x_block x_rest 32 shift_inwards | "
                           "split x_rest x_thread x_vector 4 guard_with_if | vectorize x_vector | "
                           "gpu_threads x_thread | gpu_blocks x_block y\n"
                           "f compute_at g:x_thread | ";
  const std::string completed = "bound_storage x 6 | align_storage y 8 | bound_storage y 8";
  expectLowered(kLowered, text + "align_storage y 8", text + completed);
  const Schedule raised = scheduled(kLowered, text + completed);
  EXPECT_EQ(raised, scheduled(kLowered, text + "align_storage y 8"));
}

// If a loop is split twice and partitioned, Halide 21 loses the guard around what is needed only up
// to the end of an input.
TEST(Lower, LoopsWhoseGuardWouldBeLostAreNotPartitioned) {
  const auto lowered = [](const std::string &index, const std::string &splits) {
    const std::string pipeline =
        "input in 64\nfunc f(x) 64 = in(x)\nfunc g(x) 64 = f(" + index + ")\noutput g\n";
    return loweredText(
        scheduled(pipeline, "f compute_root | split x a b 32 guard_with_if" + splits));
  };
  const std::string again = " | split b c d 4 guard_with_if", clamped = "clamp(x+[0,2],0,63)";
  EXPECT_TRUE(lowered(clamped, again).ends_with(" | never_partition_all"));
  EXPECT_FALSE(lowered(clamped, "").ends_with(" | never_partition_all"));
  EXPECT_FALSE(lowered("x", again).ends_with(" | never_partition_all"));
}

// On CUDA, partitioned loops give wrong results where, under a guard, threads of a kernel compute a
// boundary that other threads read.
TEST(Lower, BoundariesInAKernelAreNotPartitioned) {
  const auto lowered = [](const std::string &index, const std::string &f) {
    const std::string pipeline = "input in 64\nfunc inlined(x) 64 = in(" + index +
                                 ")\nfunc f(x) 64 = inlined(x)\nfunc g(x) 64 = f(x) f(x+1)\n"
                                 "output g\n";
    const std::string g = "g split x x_block x_thread 32 guard_with_if | gpu_threads x_thread | "
                          "gpu_blocks x_block\n";
    return loweredText(scheduled(pipeline, g + f));
  };
  const std::string clamped = "clamp(x-1,0,63)", threads = " | gpu_threads b";
  const std::string guarded = "f compute_at g:x_block | split x a b 32 guard_with_if" + threads;
  EXPECT_TRUE(lowered(clamped, guarded).ends_with(" | never_partition_all"));
  EXPECT_FALSE(lowered("x", guarded).ends_with(" | never_partition_all"));
  EXPECT_FALSE(lowered(clamped, "f compute_at g:x_block | split x a b 32 round_up" + threads)
                   .ends_with(" | never_partition_all"));
  EXPECT_FALSE(lowered(clamped, "f compute_root | split x a b 32 guard_with_if" + threads +
                                    " | gpu_blocks a")
                   .ends_with(" | never_partition_all"));
}

// Halide counts memory that funcs of a block share in elements of the widest type, rounded down.
TEST(Lower, NarrowFuncsBesideWiderOnesArePadded) {
  const auto lowered = [](const std::string &type, const std::string &wide) {
    const std::string pipeline = "input in 67\nfunc f(x) 66 " + type + " = in(x+[0,1])\n" +
                                 "func h(x) 65 = f(x+[0,1])\nfunc g(x) 64 = h(x+[0,1])\noutput g\n";
    return loweredText(
        scheduled(pipeline, "g split x x_block x_thread 32 guard_with_if | gpu_threads x_thread | "
                            "gpu_blocks x_block\nf compute_at g:x_block | gpu_threads x\n"
                            "h " +
                                wide));
  };
  const std::string shared = "compute_at g:x_block | gpu_threads x";
  EXPECT_NE(lowered("uint8", shared).find("align_storage x 4"), std::string::npos);
  EXPECT_EQ(lowered("", shared).find("align_storage"), std::string::npos);
  EXPECT_EQ(lowered("uint8", "compute_root").find("align_storage"), std::string::npos);
}

TEST(Lower, SplitsComeFromTheOutsideIn) {
  expectLowered(kLowered, "g split x a b 4 auto | split a c d 8 round_up",
                "g split x x_outer x_rest 32 round_up | split x_rest x_middle x_inner 4 auto");
}

TEST(Lower, FusionsComeBeforeTheSplitsOfWhatTheyMake) {
  expectLowered(kLowered, "g split x a b 8 auto | fuse a y c | split c d e 16 auto | gpu_blocks d",
                "g split x x_part x_inner 8 auto | fuse x_part y x_y_all | "
                "split x_y_all x_y_block x_y_inner 16 auto | gpu_blocks x_y_block");
}

TEST(Lower, FusingThreeLoopsTakesTwoSteps) {
  expectLowered("func f(x y z) 8 8 8 = \noutput f\n", "f fuse x y a | fuse a z b | gpu_blocks b",
                "f fuse x y x_y_z_fused | fuse x_y_z_fused z x_y_z_block | "
                "gpu_blocks x_y_z_block");
}

TEST(Lower, KindsOfLoops) {
  expectLowered("func f(x y z) 64 64 64 = \noutput f\n",
                "f split x a b 4 auto | vectorize b | unroll a | gpu_lanes y | gpu_blocks z",
                "f split x x_unroll x_vector 4 auto | vectorize x_vector | unroll x_unroll | "
                "gpu_lanes y | gpu_blocks z");
  expectLowered(kLowered, "g parallel y\nf compute_root | gpu_single_thread",
                "g parallel y\nf compute_root | gpu_single_thread");
}

TEST(Lower, StorageAndBounds) {
  const std::string f = "f compute_root | store_in global | reorder_storage y x | "
                        "align_storage x 32 | bound_storage x 96 | fold_storage y 8 | "
                        "bound x 0 96 | align_bounds x 32 0 | bound_extent y 64";
  expectLowered(kLowered, f, f);
  const std::string apart = "f compute_at g:x | store_at g:y | hoist_storage_root";
  expectLowered(kLowered, apart, apart);
  expectLowered(kLowered, "f compute_at g:x | store_root | hoist_storage g:y",
                "f compute_at g:x | store_root | hoist_storage g:y");
}

TEST(Lower, UpdatesAndReductions) {
  expectLowered(kLoweredSum,
                "s gpu_blocks x\n"
                "s.1 allow_race_conditions | atomic 1 | split x a b 32 guard_with_if | "
                "reorder ~r$x ~r$y b a | gpu_threads b | gpu_blocks a | unroll ~r$y",
                "s gpu_blocks x\n"
                "s.1 allow_race_conditions | atomic 1 | "
                "split x x_block_u0 x_thread_u0 32 guard_with_if | unroll ~r$y | "
                "gpu_threads x_thread_u0 | gpu_blocks x_block_u0");
}

TEST(Lower, AddedStagesComeFirst) {
  expectLowered(kLoweredSum,
                "s.1 split ~r$x ~ro ~ri 8 auto | rfactor ~ro u -> part\n"
                "part.1 gpu_blocks u\npart compute_root",
                "s.1 split ~r$x ~ro ~ri 8 guard_with_if | rfactor ~ro u -> part\n"
                "part compute_root\n"
                "part.1 gpu_blocks u");
  expectLowered(kLowered, "f in g -> copy | clone_in copy -> f2\ncopy compute_at g:y",
                "f in g -> copy | clone_in copy -> f2\ncopy compute_at g:y");
}

TEST(Lower, AnInputIsAddressedByItsHandle) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts(kLowered);
  parts.inputs[0].stagingFunc = "in_im";
  const auto pipeline = *pipeline::Pipeline::create(parts);
  EXPECT_EQ(loweredText(scheduled(pipeline, "in_im in f -> copy\ncopy compute_root")),
            "in_im in f -> copy\ncopy compute_root");
}

TEST(Lower, APlaceInAnUpdateNamesIt) {
  expectLowered("input in 64 64\n"
                "func f(x y) 64 64 = in(x; y)\n"
                "func s(x) 64 = \n"
                "update s(x) r:0:64 = s(x) f(x; r)\n"
                "output s\n",
                "f compute_at s:~r", "f compute_at s.1:~r");
}

TEST(Lower, StagesThatShareTheirLoops) {
  expectLowered("func f(x y) 8 8 = \nfunc g(x y) 8 8 = \noutput f\noutput g\n",
                "f gpu_blocks y\ng gpu_blocks y | compute_with f:y",
                "g gpu_blocks y | compute_with f:y\nf gpu_blocks y");
}

TEST(Lower, OneFuncAlone) {
  const Schedule schedule = scheduled(kLowered, "f compute_root\ng gpu_blocks y");
  EXPECT_EQ(sketchText(lower(schedule, testing::funcOf(schedule, "f"))), "f compute_root");
  EXPECT_EQ(sketchText(lower(schedule, testing::funcOf(schedule, "g"))), "g gpu_blocks y");
}

} // namespace
} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
// The addresses that a loop body computes. An element at a known distance from another one needs no
// address of its own.
#include "tests/engine/cost/loaded.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::cost {
namespace {

using testing::Loaded;

// A loop body has eight unrolled steps of the scan. Only the first step has to load its element, so
// each body computes one address. The other steps find their element in a register.
TEST(Addresses, AForwardedScanLooksUpOnePlaceABody) {
  const auto addresses = [](const std::string &before) {
    return Loaded("input in 64 64\nfunc s(x y) 64 64 = in(x; y)\n"
                  "update s(x r) r:0:64 = s(x; " +
                      before + ") s(x; r)\nfunc g(x y) 64 64 = s(x; y)\noutput g\n",
                  "g split x xb xt 16 guard_with_if | reorder y xt xb | gpu_threads xt | "
                  "gpu_blocks xb\n"
                  "s compute_at g:xb | split x xo xi 16 guard_with_if | reorder y xi xo | "
                  "gpu_threads xi\n"
                  "s.1 split ~r ~ro ~ri 8 guard_with_if | split x xo xi 16 guard_with_if | "
                  "reorder ~ri ~ro xi xo | unroll ~ri | gpu_threads xi")
        .stage("s.update(0)")
        .scattered;
  };
  EXPECT_EQ(addresses("r"), 0);
  EXPECT_EQ(addresses("clamp(r-1,0,63)"), 1);
}

TEST(Addresses, WhatIsNowhereNearAnotherHasAnAddressOfItsOwn) {
  const auto rows = [](const std::string &reads) {
    return Loaded("func f(x) 64 = \nfunc h(x) 64 = f(x)\nfunc g(x) 64 = " + reads + "\noutput g\n",
                  "f compute_root | gpu_blocks x\n"
                  "g split x xo xi 16 guard_with_if | gpu_threads xi | gpu_blocks xo")
        .stage("g")
        .rows;
  };
  EXPECT_EQ(rows("h(x/2) h(x/2+1)"), 1 + 1); // an address for the row, and one for the store
  EXPECT_EQ(rows("h(x/2) h(x+3/2)"), 1 + 1 + 1.5 * 2);
}

// Each thread reads four adjacent numbers of a table in shared memory, at an index that depends on
// data.
TEST(Addresses, NumbersSideBySideHaveOneAddress) {
  const auto addresses = [](const std::string &index) {
    return Loaded("func t(c z) 4 8 = \nfunc g(c x) 4 64 = t(" + index + ")\noutput g\n",
                  "t compute_at g:xo | gpu_threads c z\n"
                  "g split x xo xi 16 guard_with_if | reorder c xi xo | unroll c | "
                  "gpu_threads xi | gpu_blocks xo")
        .stage("g")
        .scattered;
  };
  EXPECT_EQ(addresses("c; ?"), 1);
  // A clamped index has no known distance from the other indices.
  EXPECT_EQ(addresses("clamp(c,0,2); ?"), 4);
  EXPECT_EQ(addresses("c; x/8"), 0);
}

// With x/2, a tile may begin at an odd x, so Halide does not know the width of the region of f.
// Then it does not know the distance between two rows of f either.
TEST(Addresses, RowsOfSharedMemoryHaveAddressesWhereTheirWidthIsMeasured) {
  const auto rows = [](const std::string &index) {
    return Loaded("func f(x y) 64 66 = \nfunc g(x y) 64 64 = f(" + index + "; y) f(" + index +
                      "; y+1) f(" + index + "; y+2)\noutput g\n",
                  "f compute_at g:xo | split x fo fi 32 guard_with_if | gpu_threads fi\n"
                  "g split x xo xi 16 shift_inwards | split y yo yi 8 shift_inwards | "
                  "reorder xi yi xo yo | gpu_threads xi yi | gpu_blocks xo yo")
        .stage("g")
        .rows;
  };
  constexpr double kStore = 1;
  EXPECT_EQ(rows("x"), kStore);
  // The first of the three rows is addressed through the thread index. The other two rows need an
  // address each.
  EXPECT_EQ(rows("x/2"), kStore + 2);
}

// A table in global memory that is read at an index that depends on data: the offset of each row is
// added to one address.
TEST(Addresses, RowsOfWhatDataChooseAreAddedToOneAddress) {
  const Loaded table("func t(x c) 8 4 = \nfunc g(c x) 4 64 = t(?; c)\noutput g\n",
                     "t compute_root | gpu_blocks x c\n"
                     "g split x xo xi 16 guard_with_if | reorder c xi xo | unroll c | "
                     "gpu_threads xi | gpu_blocks xo");
  EXPECT_EQ(table.stage("g").scattered, 1);
  EXPECT_EQ(table.stage("g").rows, 3 + 1); // three rows besides the first one, and the store
}

} // namespace
} // namespace tessera::cost

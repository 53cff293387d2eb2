// SPDX-License-Identifier: MIT
#include "engine/halide/verify/opencl_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tessera::halide::testing {
namespace {

using Halide::Target;
using ::testing::HasSubstr;

Target openCl(const std::vector<std::string> &extensions) {
  return withTypesOf(extensions, Target("x86-64-linux-opencl"));
}

Halide::Pipeline computesIn(const Halide::Type &type) {
  Halide::Func f("computes");
  const Halide::Var x("x");
  f(x) = cast(type, x) * cast(type, 2);
  return Halide::Pipeline(f);
}

TEST(OpenClDevice, ATypeCountsIfEveryDeviceHasIt) {
  const Target none = openCl({});
  EXPECT_FALSE(none.has_feature(Target::CLDoubles));
  EXPECT_FALSE(none.has_feature(Target::CLHalf));
  const Target one = openCl({"cl_khr_fp64 cl_khr_fp16", "cl_khr_3d_image_writes cl_khr_fp64"});
  EXPECT_TRUE(one.has_feature(Target::CLDoubles));
  EXPECT_FALSE(one.has_feature(Target::CLHalf));
  EXPECT_FALSE(openCl({"cl_khr_int64_base_atomics"}).has_feature(Target::CLAtomics64));
  EXPECT_TRUE(openCl({"cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"})
                  .has_feature(Target::CLAtomics64));
}

TEST(OpenClDevice, WhatTheDeviceLacksIsNamedWithItsFunc) {
  EXPECT_TRUE(checkTypesForOpenCl(computesIn(Halide::Float(32)), openCl({""})));
  EXPECT_TRUE(checkTypesForOpenCl(computesIn(Halide::Float(64)), openCl({"cl_khr_fp64"})));
  const Status doubles = checkTypesForOpenCl(computesIn(Halide::Float(64)), openCl({""}));
  ASSERT_FALSE(doubles);
  EXPECT_THAT(doubles.error().message, HasSubstr("computes"));
  EXPECT_THAT(doubles.error().message, HasSubstr("float64"));
  EXPECT_THAT(doubles.error().message, HasSubstr("cl_khr_fp64"));
  const Status halves = checkTypesForOpenCl(computesIn(Halide::Float(16)), openCl({"cl_khr_fp64"}));
  ASSERT_FALSE(halves);
  EXPECT_THAT(halves.error().message, HasSubstr("cl_khr_fp16"));
  EXPECT_THAT(halves.error().hint, HasSubstr("--target lowered"));
}

} // namespace
} // namespace tessera::halide::testing

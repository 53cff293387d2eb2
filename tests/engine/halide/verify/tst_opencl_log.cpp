// SPDX-License-Identifier: MIT
#include "engine/halide/verify/opencl_log.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::halide::testing {
namespace {

const std::string kFailed = "Halide says: CL: clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE "
                            "Build Log: tempfile.cl:171:20: ";

TEST(OpenClLog, NamesEachFunctionThatHalideLacks) {
  EXPECT_EQ(openClFault(kFailed + "error: implicit declaration of function 'halide_popcount' is "
                                  "invalid in OpenCL out[i] = halide_popcount(x); ^ "
                                  "tempfile.cl:172:20: error: implicit declaration of function "
                                  "'halide_count_leading_zeros' is invalid in OpenCL "
                                  "tempfile.cl:173:20: error: implicit declaration of function "
                                  "'halide_popcount' is invalid in OpenCL"),
            "Halide's code for OpenCL calls halide_count_leading_zeros, halide_popcount, which it "
            "lacks");
}

TEST(OpenClLog, GivesTheFirstErrorOfOtherLogs) {
  EXPECT_EQ(openClFault(kFailed + "error: unknown type name 'half4'"),
            "OpenCL's compiler says: unknown type name 'half4'");
  const std::string said = openClFault(kFailed + "error: " + std::string(5000, 'x'));
  EXPECT_LT(said.size(), 200u) << "not the whole log";
  EXPECT_EQ(openClFault("CL: clBuildProgram failed: CL_OUT_OF_HOST_MEMORY"),
            "OpenCL cannot compile Halide's code");
}

TEST(OpenClLog, IsSilentOfOtherFaults) {
  EXPECT_EQ(openClFault("Halide says: Input buffer in is accessed at 9"), "");
  EXPECT_EQ(openClFault(""), "");
}

} // namespace
} // namespace tessera::halide::testing

// SPDX-License-Identifier: MIT
// A run that fails on a GPU is repeated with the optimiser of its driver switched off.
#include "engine/measure/compile.h"

#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

VerifyAnswer answerFor(const std::string &file, GpuApi target) {
  host::ToolPaths tools;
  tools.halideWorker = tessera::test::binPath("faulty_driver_worker");
  VerifyRequest request;
  request.pipeline.file = file;
  request.target = target;
  return ScheduleCompiler(tools, 1).verify(request);
}

TEST(VerifyAgain, WhatIsRightWithoutTheOptimizerIsTheDriversFault) {
  const VerifyAnswer answer = answerFor("wrong", GpuApi::Cuda);
  EXPECT_EQ(answer.outcome, Outcome::WrongOutput);
  EXPECT_TRUE(answer.driverAtFault);
  EXPECT_FALSE(answer.report.equal()) << "as it runs for everybody else";
  EXPECT_THAT(answer.report.remarks, ElementsAre(HasSubstr("without optimising")));
}

TEST(VerifyAgain, SoIsACrash) {
  const VerifyAnswer answer = answerFor("crash", GpuApi::Cuda);
  EXPECT_EQ(answer.outcome, Outcome::Crashed);
  EXPECT_TRUE(answer.driverAtFault);
  EXPECT_THAT(answer.error.hint, HasSubstr("without optimising"));
}

TEST(VerifyAgain, SoIsALaunchButNotMemoryThatOthersHave) {
  const VerifyAnswer launch = answerFor("launch", GpuApi::Cuda);
  EXPECT_EQ(launch.outcome, Outcome::LaunchError);
  EXPECT_TRUE(launch.driverAtFault);
  const VerifyAnswer memory = answerFor("memory", GpuApi::Cuda);
  EXPECT_EQ(memory.outcome, Outcome::DeviceMemory);
  EXPECT_FALSE(memory.driverAtFault);
}

TEST(VerifyAgain, WhatIsWrongEitherWayIsNot) {
  const VerifyAnswer answer = answerFor("broken", GpuApi::Cuda);
  EXPECT_EQ(answer.outcome, Outcome::WrongOutput);
  EXPECT_FALSE(answer.driverAtFault);
  EXPECT_THAT(answer.report.remarks, IsEmpty());
}

TEST(VerifyAgain, AsksOnlyWhereADriverCompiles) {
  EXPECT_FALSE(answerFor("wrong", GpuApi::OpenCl).driverAtFault);
}

} // namespace
} // namespace tessera::measure

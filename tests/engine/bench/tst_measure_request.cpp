// SPDX-License-Identifier: MIT
#include "engine/bench/device_description.h"
#include "engine/bench/measure_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace tessera::bench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(MeasureRequest, IsReadAsItWasWritten) {
  MeasureOptions options;
  options.bundle = "/some/bundle";
  options.reference = "/some/reference";
  options.seed = 17;
  options.inputs = "/inputs";
  options.batches = 3;
  options.batchSeconds = 0.5;
  options.longSeconds = 2;
  options.warmUpSeconds = 0;
  options.slowSeconds = 0.25;
  options.singles = 1;
  options.coldSamples = 2;
  options.tracedRuns = 4;
  options.allocating = false;
  options.graph = false;
  options.useProfiler = false;
  const auto read = measureOptionsFromJson(toJson(options));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, options);
}

TEST(MeasureRequest, NumbersBeyondReasonAreRefused) {
  for (const char *key : {"batches", "batch_seconds", "long_seconds", "warm_up_seconds",
                          "slow_seconds", "singles", "cold_samples", "traced_runs"})
    for (const json &value :
         {json(-1), json(1e9), json("many"), json(std::numeric_limits<double>::quiet_NaN())}) {
      json fields = toJson(MeasureOptions{});
      fields[key] = value;
      const auto read = measureOptionsFromJson(fields);
      ASSERT_FALSE(read) << key << " " << value;
      EXPECT_THAT(read.error().message, HasSubstr(key));
    }
}

TEST(MeasureRequest, ATimeWithoutBatchesIsNone) {
  json fields = toJson(MeasureOptions{});
  fields["batches"] = 0;
  EXPECT_FALSE(measureOptionsFromJson(fields));
}

TEST(ReferenceRequest, IsReadAsItWasWritten) {
  const ReferenceOptions options{"/bundle", "/output", "/inputs", 5, "/loose"};
  const auto read = referenceOptionsFromJson(toJson(options));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, options);
}

TEST(DeviceDescription, IsReadAsItWasWritten) {
  DeviceDescription description{"NVIDIA H200", "GPU-1", "580", "13.0", 9, 0, 1, 2, 3, {},
                                "p",           {"a"}};
  description.values = {{"multiprocessors", 132}};
  const auto read = deviceDescriptionFromJson(json(toJson(description)));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, description);
}

TEST(DeviceDescription, DamageIsNamed) {
  json document = toJson(DeviceDescription{});
  document["compute_capability"] = {9};
  EXPECT_THAT(deviceDescriptionFromJson(document).error().message, HasSubstr("pair"));
  document = toJson(DeviceDescription{});
  document["values"] = "many";
  EXPECT_FALSE(deviceDescriptionFromJson(document));
}

} // namespace
} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "engine/bench/device/pipeline_buffer.h"

#include "engine/bench/device/failure.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tessera::bench {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using report::PipelineArgument;
using report::Promise;

PipelineArgument argument(const char *name, ScalarType type, pipeline::Box region) {
  return {name, PipelineArgument::Kind::Input, type, std::move(region), ""};
}

const PipelineArgument kImage =
    argument("image", {TypeKind::Float, 32}, {{0, 3}, {-2, 0}, {0, 2}}); // 4 × 3 × 3

std::vector<std::int32_t> strides(PipelineBuffer &buffer) {
  std::vector<std::int32_t> result;
  for (int d = 0; d < buffer.raw()->dimensions; ++d)
    result.push_back(buffer.raw()->dim[d].stride);
  return result;
}

TEST(PipelineBuffer, IsDenseWithoutPromises) {
  PipelineBuffer buffer(kImage, {});
  EXPECT_EQ(strides(buffer), (std::vector<std::int32_t>{1, 4, 12}));
  EXPECT_EQ(buffer.raw()->dim[1].min, -2);
  EXPECT_EQ(buffer.bytes(), 36U * 4);
}

TEST(PipelineBuffer, HasThePromisedStrides) {
  Promise rows{"image", 1, {}, {}, 32, 0};
  PipelineBuffer padded(kImage, {rows});
  EXPECT_EQ(strides(padded), (std::vector<std::int32_t>{1, 32, 96}));
  Promise innermost{"image", 2, {}, {}, 1, 0};
  PipelineBuffer interleaved(kImage, {innermost});
  EXPECT_EQ(strides(interleaved), (std::vector<std::int32_t>{3, 12, 1}));
}

TEST(PipelineBuffer, StridesThatShareMemoryAreRefused) {
  Promise rows{"image", 1, {}, {}, 2, 0};
  EXPECT_THROW(PipelineBuffer(kImage, {rows}), Failure);
}

TEST(PipelineBuffer, ValuesDoNotDependOnTheLayout) {
  PipelineBuffer dense(kImage, {});
  PipelineBuffer padded(kImage, {Promise{"image", 1, {}, {}, 32, 256}});
  dense.fillRandom(7);
  padded.fillRandom(7);
  EXPECT_EQ(dense.elements(), padded.elements());
  padded.fillRandom(8);
  EXPECT_NE(dense.elements(), padded.elements());
  EXPECT_TRUE(dense.raw()->flags & HalideBuffer::kHostDirty);
}

TEST(PipelineBuffer, FloatsAreBelowOneAndWideIntegersBelow1024) {
  PipelineBuffer floats(argument("f", {TypeKind::Float, 32}, {{0, 999}}), {});
  floats.fillRandom(1);
  for (int i = 0; i < 1000; ++i) {
    float value = 0;
    std::memcpy(&value, floats.raw()->host + 4 * i, 4);
    ASSERT_TRUE(value >= 0 && value < 1) << value;
  }
  PipelineBuffer integers(argument("i", {TypeKind::Int, 32}, {{0, 999}}), {});
  integers.fillRandom(1);
  for (int i = 0; i < 1000; ++i) {
    std::int32_t value = 0;
    std::memcpy(&value, integers.raw()->host + 4 * i, 4);
    ASSERT_TRUE(value >= 0 && value < 1024) << value;
  }
}

TEST(PipelineBuffer, ASizeThatNoBufferHasIsRefused) {
  EXPECT_THROW(PipelineBuffer(argument("b", {TypeKind::UInt, 8}, {{5, 4}}), {}), Failure);
  EXPECT_THROW(PipelineBuffer(argument("b", {TypeKind::UInt, 8}, {{0, std::int64_t{1} << 40}}), {}),
               Failure);
}

TEST(PipelineBuffer, ASingleElementHasNoDimensions) {
  PipelineBuffer buffer(argument("s", {TypeKind::UInt, 16}, {}), {});
  buffer.fillRandom(1);
  EXPECT_EQ(buffer.elements().size(), 2U);
}

} // namespace
} // namespace tessera::bench

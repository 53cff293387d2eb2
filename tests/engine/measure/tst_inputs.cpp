// SPDX-License-Identifier: MIT
// The files that a pipeline takes as its inputs, and the messages for the others.
#include "engine/measure/inputs.h"

#include "tests/engine/array/image_files.h"
#include "tests/engine/array/npy_file.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace tessera::measure {
namespace {

using array::test::bytesOf;
using array::test::npyBytes;
using pipeline::ScalarType;
using pipeline::TypeKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char *kPipeline = R"(
  input in 3 2
  func out(x y) 3 2 = in(x; y)
  output out
)";

class InputsTest : public host::test::ScratchTest {
protected:
  static open::OpenedPipeline opened(ScalarType type) {
    pipeline::PipelineParts parts = pipeline::test::sketchParts(kPipeline);
    parts.inputs[0].type = type;
    auto scalar = parts.inputs[0];
    scalar.name = "gain";
    scalar.isScalar = true;
    scalar.dims.clear();
    parts.inputs.push_back(scalar);
    open::OpenedPipeline result;
    result.pipeline = *pipeline::Pipeline::create(parts);
    result.sizes = {{"small", "a paper", "", {"in=0:2,0:2", "out=0:2,0:2"}}};
    return result;
  }

  std::string saved(const std::string &name, const std::vector<std::uint8_t> &bytes) {
    return file(name, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
  std::string npy(const std::string &type, const std::string &shape, std::size_t bytes) {
    return saved("a.npy", npyBytes("{'descr': '" + type +
                                       "', 'fortran_order': False, 'shape': " + shape + ", }",
                                   std::vector<std::uint8_t>(bytes, 1)));
  }

  static Result<std::vector<bench::GivenInput>> read(const std::string &path, ScalarType type,
                                                     const std::string &name = "in") {
    return readGivenInputs({{name, path, false}}, opened(type));
  }
  static std::string refusal(const std::string &path, ScalarType type,
                             const std::string &name = "in") {
    const auto inputs = read(path, type, name);
    EXPECT_FALSE(inputs);
    return inputs ? "" : inputs.error().message + " | " + inputs.error().hint;
  }
};

constexpr ScalarType kBytes{TypeKind::UInt, 8}, kWords{TypeKind::UInt, 16},
    kFloats{TypeKind::Float, 32}, kDoubles{TypeKind::Float, 64};

TEST_F(InputsTest, AWordIsAValueWhereItCanBeReadAsOne) {
  for (const char *text : {"gain=2", "gain=-1.5e3", "gain=true"}) {
    const auto value = parseInput(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->name, "gain");
    EXPECT_TRUE(value->isScalar) << text;
  }
  for (const char *text : {"in=a.npy", "in=./3", "in=3.npy"})
    EXPECT_FALSE(parseInput(text)->isScalar) << text;
  for (const char *text : {"", "in", "in=", "=a.npy"})
    EXPECT_EQ(parseInput(text).error().code, ErrorCode::Usage) << text;
}

TEST_F(InputsTest, AnArrayOfTheRightTypeAndSizeIsTaken) {
  const auto inputs = read(npy("|u1", "(2, 3)", 6), kBytes);
  ASSERT_TRUE(inputs) << inputs.error().message;
  ASSERT_EQ(inputs->size(), 1U);
  EXPECT_EQ((*inputs)[0].name, "in");
  EXPECT_THAT((*inputs)[0].array.extents, ElementsAre(3, 2));
}

TEST_F(InputsTest, AnImageForFloatsIsScaledByWhite) {
  const std::string path = saved("a.pgm", bytesOf("P5 3 2 100\n\x19\x32\x4b\x64\x01\x02"));
  const auto inputs = read(path, kFloats);
  ASSERT_TRUE(inputs) << inputs.error().message;
  std::array<float, 6> values{};
  ASSERT_EQ((*inputs)[0].array.data.size(), sizeof values);
  std::memcpy(values.data(), (*inputs)[0].array.data.data(), sizeof values);
  EXPECT_THAT(values, ElementsAre(0.25F, 0.5F, 0.75F, 1.0F, 0.01F, 0.02F));
  const auto doubles = read(path, kDoubles);
  ASSERT_TRUE(doubles);
  EXPECT_EQ((*doubles)[0].array.data.size(), 6 * sizeof(double));
  EXPECT_TRUE(read(path, kBytes)); // kBytes has the type of the file
  EXPECT_THAT(refusal(path, kWords), HasSubstr("it holds uint8, but \"in\" takes uint16."));
}

TEST_F(InputsTest, AnotherSizeIsToldWithWhatWouldDo) {
  EXPECT_THAT(refusal(npy("|u1", "(2, 2)", 4), kBytes),
              AllOf(HasSubstr("it is 2×2, but \"in\" takes 3×2 at this size"),
                    HasSubstr("| The size \"small\" takes this file (--size small).")));
  EXPECT_THAT(refusal(npy("|u1", "(3, 2)", 6), kBytes),
              AllOf(HasSubstr("it is 2×3"), HasSubstr("NumPy's first axis. Transpose"),
                    HasSubstr("--estimate in=0:2,0:3")));
  EXPECT_THAT(refusal(npy("|u1", "(6,)", 6), kBytes),
              AllOf(HasSubstr("it is 6, "), Not(HasSubstr("--estimate"))));
  EXPECT_THAT(refusal(saved("a.pgm", bytesOf("P5 4 2 255\nabcdefgh")), kBytes),
              AllOf(HasSubstr("it is 4×2"), HasSubstr("| Scale it, or give its size"),
                    Not(HasSubstr("NumPy"))));
}

TEST_F(InputsTest, OtherTypesAndNamesAreRefused) {
  EXPECT_THAT(refusal(npy("<f4", "(2, 3)", 24), kBytes),
              AllOf(HasSubstr("it holds float32, but \"in\" takes uint8."), HasSubstr("astype")));
  EXPECT_THAT(refusal(npy("|u1", "(2, 3)", 6), kBytes, "nobody"),
              AllOf(HasSubstr("no input \"nobody\""), HasSubstr("It has: in, gain.")));
  EXPECT_THAT(refusal(npy("|u1", "(2, 3)", 6), kBytes, "gain"),
              AllOf(HasSubstr("is a scalar"), HasSubstr("--input gain=VALUE")));
  EXPECT_THAT(refusal("/nowhere/a.npy", kBytes), HasSubstr("there is no such file"));
  const std::string path = npy("|u1", "(2, 3)", 6);
  const auto twice = readGivenInputs({{"in", path, false}, {"in", path, false}}, opened(kBytes));
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("has two files"));
}

} // namespace
} // namespace tessera::measure

// SPDX-License-Identifier: MIT
#include "engine/learn/algorithm_features.h"

#include "tests/engine/pipeline/sketch.h"

#include <gmock/gmock.h>

namespace tessera::learn {
namespace {

using enum AccessClass;
using enum AccessKind;
using pipeline::Pipeline;

// The features of the func that is defined as `definition`, with loops x and y.
AlgorithmFeatures featuresOf(const std::string &definition, const std::string &inputs) {
  const pipeline::PipelinePtr made =
      pipeline::test::sketch(inputs + "func f(x y) 64 64 = " + definition + "\noutput f\n");
  return algorithmFeatures(*made).back();
}

struct Expected {
  const char *load;
  float pointwise, transpose, broadcast, slice;
};

TEST(AlgorithmFeatures, ClassesOfAccesses) {
  const std::string inputs = "input in 256 256\ninput row 256\ninput deep 256 256 8\n";
  for (const Expected &one : {
           Expected{"in(x-2; y+8)", 1, 1, 1, 1},
           Expected{"in(y+1; x)", 0, 1, 1, 1},
           Expected{"row(y)", 0, 0, 1, 0},
           Expected{"deep(x; y; 4)", 0, 0, 0, 1},
           Expected{"in(2*x; y)", 0, 0, 0, 0},
       }) {
    const AlgorithmFeatures f = featuresOf(one.load, inputs);
    const TypeClass type = TypeClass::Int8; // of the inputs
    EXPECT_EQ(f.at(Pointwise, LoadInput, type), one.pointwise) << one.load;
    EXPECT_EQ(f.at(Transpose, LoadInput, type), one.transpose) << one.load;
    EXPECT_EQ(f.at(Broadcast, LoadInput, type), one.broadcast) << one.load;
    EXPECT_EQ(f.at(Slice, LoadInput, type), one.slice) << one.load;
    EXPECT_EQ(f.at(ExpressionKind::InputCall, type), 1) << one.load;
    EXPECT_EQ(f.at(Pointwise, Store, TypeClass::Float), 1) << one.load;
  }
}

// Without an expression, as in a stage that a schedule adds, instructions stand for nodes.
TEST(AlgorithmFeatures, NodesOfTheExpressionTakeThePlaceOfInstructions) {
  using pipeline::TypeKind;
  pipeline::PipelineParts parts = pipeline::test::sketchParts("input in 256 256\n"
                                                              "func f(x y) 64 64 = in(x; y)\n"
                                                              "output f\n");
  const pipeline::ScalarType single{TypeKind::Float, 32};
  parts.stages[0].operations = {{pipeline::OpKind::MinMax, single, 3}};
  const auto featuresNow = [&] { return algorithmFeatures(**Pipeline::create(parts)).front(); };
  EXPECT_EQ(featuresNow().at(ExpressionKind::Min, TypeClass::Float), 3);
  EXPECT_EQ(featuresNow().at(ExpressionKind::InputCall, TypeClass::Int8), 1);
  parts.stages[0].expression = pipeline::Expression{
      {{ExpressionKind::Max, single, 2}, {ExpressionKind::Let, {TypeKind::Int, 64}, 1}}, 2};
  EXPECT_EQ(featuresNow().at(ExpressionKind::Min, TypeClass::Float), 0);
  EXPECT_EQ(featuresNow().at(ExpressionKind::Max, TypeClass::Float), 2);
  EXPECT_EQ(featuresNow().at(ExpressionKind::Let, TypeClass::Int64), 1);
  EXPECT_EQ(featuresNow().at(ExpressionKind::InputCall, TypeClass::Int8), 0);
  EXPECT_EQ(featuresNow().at(Pointwise, LoadInput, TypeClass::Int8), 1) << "still of the accesses";
}

// In the file it is a func, and Halide's weights were learned so.
TEST(AlgorithmFeatures, AnInputThroughItsHandleIsAFunc) {
  pipeline::PipelineParts parts = pipeline::test::sketchParts("input in 256 256\n"
                                                              "func f(x y) 64 64 = in(x; y)\n"
                                                              "output f\n");
  parts.inputs[0].stagingFunc = "in_im";
  const AlgorithmFeatures f = algorithmFeatures(**Pipeline::create(parts)).front();
  EXPECT_EQ(f.at(Pointwise, LoadFunc, TypeClass::Int8), 1);
  EXPECT_EQ(f.at(Pointwise, LoadInput, TypeClass::Int8), 0);
  EXPECT_EQ(f.at(ExpressionKind::FuncCall, TypeClass::Int8), 1);
}

TEST(AlgorithmFeatures, TypesAreClasses) {
  using pipeline::TypeKind;
  EXPECT_EQ(typeClassOf({TypeKind::UInt, 1}), TypeClass::Bool);
  EXPECT_EQ(typeClassOf({TypeKind::Int, 8}), TypeClass::Int8);
  EXPECT_EQ(typeClassOf({TypeKind::UInt, 16}), TypeClass::Int16);
  EXPECT_EQ(typeClassOf({TypeKind::Float, 16}), TypeClass::Float);
  EXPECT_EQ(typeClassOf({TypeKind::BFloat, 16}), TypeClass::Float);
  EXPECT_EQ(typeClassOf({TypeKind::Float, 64}), TypeClass::Double);
}

TEST(Features, HaveNames) {
  EXPECT_EQ(algorithmFeatureName(0), "constant of bool");
  EXPECT_EQ(algorithmFeatureName(kAlgorithmFeatures - 1), "slice store of double");
  EXPECT_EQ(name(ScheduleFeature::Realizations), "num_realizations");
  EXPECT_EQ(name(ScheduleFeature::Branching), "expr_branching");
}

} // namespace
} // namespace tessera::learn

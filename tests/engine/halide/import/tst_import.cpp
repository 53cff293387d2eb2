// SPDX-License-Identifier: MIT
// What an import must get right: order, folding, loops, regions, loads, stores, counts.
#include "engine/halide/import/load.h"
#include "engine/halide/import/regions.h"
#include "engine/halide/capture.h"
#include "tests/engine/halide/captured.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tessera::halide::testing {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;
using pipeline::Box;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::OpKind;

Var x("x"), y("y");

std::uint32_t count(const pipeline::Stage &stage, OpKind kind) {
  std::uint32_t n = 0;
  for (const pipeline::OpCount &op : stage.operations)
    n += op.kind == kind ? op.count : 0;
  return n;
}

TEST(Import, FoldsTheStagingHandleOfAnInput) {
  ImageParam input(Halide::UInt(8), 2, "photo");
  input.dim(0).set_estimate(0, 64);
  input.dim(1).set_estimate(2, 30);
  Func f("folded");
  f(x, y) = input(x, y + 2);
  f.set_estimates({{0, 64}, {0, 30}});
  const auto parts = imported(Pipeline(f));
  ASSERT_EQ(parts.funcs.size(), 1u);
  ASSERT_EQ(parts.inputs.size(), 1u);
  EXPECT_EQ(parts.inputs[0].name, "photo");
  EXPECT_EQ(parts.inputs[0].stagingFunc, "photo_im");
  EXPECT_EQ(parts.inputs[0].dims[1].range, (Interval{2, 31}));
  EXPECT_EQ(parts.inputs[0].dims[1].source, pipeline::EstimateSource::Sidecar);
  ASSERT_EQ(parts.stages[0].loads.size(), 1u);
  EXPECT_EQ(parts.stages[0].loads[0].producer.kind, pipeline::Producer::Kind::Input);
  EXPECT_NE(parts.stages[0].definition.find("photo(x, y + 2)"), std::string::npos);
}

// Halide's table of associative operations takes bfloat16 for float16. Once it was asked about
// bfloat16, it fails for every float16 in the same process.
TEST(Import, ASumOfHalvesOpensAfterOneOfBfloats) {
  for (const Halide::Type type : {Halide::BFloat(16), Halide::Float(16)}) {
    ImageParam input(type, 1, "halves");
    input.dim(0).set_estimate(0, 70);
    Func sum("sum");
    const RDom r(0, 5, "r");
    sum(x) = cast(type, 0);
    sum(x) += input(x + r);
    sum.set_estimates({{0, 64}});
    const auto parts = imported(Pipeline(sum));
    ASSERT_EQ(parts.stages.size(), 2u);
    EXPECT_EQ(parts.stages[1].associative, !type.is_bfloat());
  }
}

TEST(Import, ProducersComeBeforeConsumers) {
  Func a("first"), b("second"), c("third");
  a(x, y) = x + y;
  b(x, y) = a(x + 1, y) + a(x, y);
  c(x, y) = b(x, y + 1) + a(x, y);
  c.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(c));
  ASSERT_EQ(parts.funcs.size(), 3u);
  EXPECT_EQ(&parts.funcs[0], &funcOf(parts, "first"));
  EXPECT_EQ(&parts.funcs[2], &funcOf(parts, "third"));
  EXPECT_TRUE(parts.funcs[2].isOutput);
  EXPECT_EQ(funcOf(parts, "first").region, (Box{{0, 10}, {0, 10}}));
  EXPECT_EQ(funcOf(parts, "second").region, (Box{{0, 9}, {1, 10}}));
}

TEST(Import, UpdateLoopsAreReductionThenPure) {
  Func f("sum");
  const RDom r(0, 5, -1, 3, "taps");
  f(x, y) = 0;
  f(x, y) += x + r.x * r.y;
  f.set_estimates({{0, 10}, {0, 20}});
  const auto parts = imported(Pipeline(f));
  const pipeline::Stage &update = stageOf(parts, "sum", 1);
  ASSERT_EQ(update.loops.size(), 4u);
  EXPECT_EQ(update.loops[0].kind, LoopDim::Kind::Reduction);
  EXPECT_EQ(update.loops[0].range, (Interval{0, 4}));
  EXPECT_EQ(update.loops[1].range, (Interval{-1, 1}));
  EXPECT_EQ(update.loops[2].name, "x");
  EXPECT_EQ(update.loops[3].range, (Interval{0, 19}));
  EXPECT_EQ(update.loads.size(), 1u); // the load of its own previous value
  EXPECT_EQ(parts.stages[0].loops[0].name, "x");
}

TEST(Import, ScanReadsItselfOneStepBack) {
  Func f("scan");
  const RDom r(1, 9, "step");
  f(x, y) = x + y;
  f(r, y) += f(r - 1, y);
  f.set_estimates({{0, 10}, {0, 4}});
  const auto parts = imported(Pipeline(f));
  const pipeline::Stage &update = stageOf(parts, "scan", 1);
  const std::vector<Interval> tile{{1, 9}, {0, 3}};
  EXPECT_EQ(footprintOf(parts, update, "scan", tile), (Box{{0, 9}, {0, 3}}));
  EXPECT_EQ(evaluate(update.store.indices[0], tile), (Interval{1, 9}));
  EXPECT_EQ(funcOf(parts, "scan").region, (Box{{0, 9}, {0, 3}}));
}

TEST(Import, EarlierStagesCoverWhatUpdatesTouch) {
  Func f("wide"), g("reader");
  f(x) = 0;
  f(20) = 1;
  f(3) = f(-4);
  g(x) = f(x);
  g.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(g));
  EXPECT_EQ(funcOf(parts, "wide").region, (Box{{-4, 20}}));
  EXPECT_TRUE(stageOf(parts, "wide", 1).loops.empty());
}

TEST(Import, HistogramStoresWholeWithReason) {
  ImageParam input(Halide::UInt(8), 2, "gray");
  input.dim(0).set_estimate(0, 32);
  input.dim(1).set_estimate(0, 16);
  Func h("histogram");
  const RDom r(0, 32, 0, 16, "pixel");
  h(x) = 0;
  h(Halide::cast<int>(input(r.x, r.y))) += 1;
  h.set_estimates({{0, 256}});
  const auto parts = imported(Pipeline(h));
  const pipeline::Stage &update = stageOf(parts, "histogram", 1);
  EXPECT_EQ(update.store.indices[0].offset, (Interval{0, 255}));
  EXPECT_EQ(update.store.indices[0].precision, pipeline::Precision::Whole);
  EXPECT_EQ(update.store.indices[0].reason, "depends on data of gray");
  EXPECT_EQ(funcOf(parts, "histogram").region, (Box{{0, 255}}));
}

TEST(Import, TuplesKeepTheirElements) {
  Func f("pair"), g("user");
  f(x) = Halide::Tuple(x, Halide::cast<float>(x));
  g(x) = Halide::cast<float>(f(x)[0]) + f(x + 1)[1];
  g.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(g));
  EXPECT_EQ(funcOf(parts, "pair").types.size(), 2u);
  ASSERT_EQ(stageOf(parts, "user").loads.size(), 2u);
  EXPECT_NE(stageOf(parts, "user").loads[0].tupleElement,
            stageOf(parts, "user").loads[1].tupleElement);
  EXPECT_NE(stageOf(parts, "pair").definition.find("{"), std::string::npos);
}

TEST(Import, PredicateBringsItsLoadsAndText) {
  ImageParam mask(Halide::UInt(8), 1, "mask");
  mask.dim(0).set_estimate(0, 20);
  Func f("masked");
  RDom r(0, 20, "at");
  r.where(mask(r) > 3);
  f(x) = 0;
  f(x) += r;
  f.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(f));
  const pipeline::Stage &update = stageOf(parts, "masked", 1);
  EXPECT_NE(update.predicate.find("mask"), std::string::npos);
  EXPECT_EQ(footprintOf(parts, update, "mask", {{0, 19}, {0, 9}}), (Box{{0, 19}}));
}

TEST(Import, CountsOperationsOfTheDefinitionNotOfItsIndices) {
  Func f("source"), g("counted");
  f(x, y) = Halide::cast<float>(x + y);
  const Expr twice = f(x * 2 + 1, y) * 3.0f;
  g(x, y) = exp(twice) + twice + select(twice > 1.0f, f(x, y), 0.0f);
  g.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(g));
  const pipeline::Stage &stage = stageOf(parts, "counted");
  EXPECT_EQ(count(stage, OpKind::Multiply), 1u); // occurs three times, but counts once
  EXPECT_EQ(count(stage, OpKind::Add), 2u);      // index arithmetic does not count
  EXPECT_EQ(count(stage, OpKind::Load), 2u);
  EXPECT_EQ(count(stage, OpKind::Transcendental), 1u);
  EXPECT_EQ(count(stage, OpKind::Select), 1u);
  EXPECT_EQ(count(stage, OpKind::Compare), 1u);
}

using Operations = std::map<OpKind, std::uint32_t>;

Operations operationsOf(const Expr &value) {
  Func f("computed");
  f(x, y) = value;
  f.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(f));
  Operations counts;
  for (const pipeline::OpCount &op : stageOf(parts, "computed").operations)
    counts[op.kind] += op.count;
  return counts;
}

TEST(Import, WhatIsDividedByAConstantIsCountedAsWhatHalideMakesOfIt) {
  const Expr f = Halide::cast<float>(x);                            // the cast is counted as well
  EXPECT_EQ(operationsOf(x / 8), (Operations{{OpKind::Logic, 1}})); // becomes a shift
  EXPECT_EQ(operationsOf(x % 8), (Operations{{OpKind::Logic, 1}})); // becomes a mask
  // x / 7 becomes the upper half of a product, shifted.
  EXPECT_EQ(operationsOf(x / 7), (Operations{{OpKind::Multiply, 1}, {OpKind::Logic, 1}}));
  // x % 7 also subtracts 7 times the quotient.
  EXPECT_EQ(operationsOf(x % 7),
            (Operations{{OpKind::Multiply, 2}, {OpKind::Logic, 1}, {OpKind::Add, 1}}));
  // A float is multiplied by the reciprocal.
  EXPECT_EQ(operationsOf(f / 7.0f), (Operations{{OpKind::Multiply, 1}, {OpKind::Cast, 1}}));
}

TEST(Import, WhatIsDividedByNoConstantIsADivision) {
  const Expr f = Halide::cast<float>(x);
  EXPECT_EQ(operationsOf(x / y), (Operations{{OpKind::Divide, 1}}));
  EXPECT_EQ(operationsOf(x % y), (Operations{{OpKind::Modulo, 1}}));
  EXPECT_EQ(operationsOf(7.0f / f), (Operations{{OpKind::Divide, 1}, {OpKind::Cast, 1}}));
}

TEST(Import, LinearInterpolationIsWhatItComputes) {
  const Expr a = Halide::cast<float>(x), b = Halide::cast<float>(y);
  EXPECT_EQ(operationsOf(Halide::lerp(a, b, 0.25f)),
            (Operations{{OpKind::Add, 2}, {OpKind::Multiply, 1}, {OpKind::Cast, 2}}));
}

// The number of operations that depend on only some of the loops, by the bit mask of these loops.
// Bit 0 is x.
using Steady = std::map<std::uint32_t, std::uint32_t>;

Steady steadyOf(const pipeline::Stage &stage) {
  Steady counts;
  for (const pipeline::SteadyOps &steady : stage.steady)
    for (const pipeline::OpCount &op : steady.operations)
      counts[steady.loops] += op.count;
  return counts;
}

TEST(Import, OperationsThatDoNotDependOnAllLoopsAreKnown) {
  Func f("table"), g("mixed");
  f(x, y) = Halide::cast<float>(x * 7 + y);
  const Expr weight = exp(f(0, y)) * 2.0f; // depends only on y, through a load
  g(x, y) = select(x < 5, weight, weight + f(x, y));
  g.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(g));
  EXPECT_EQ(steadyOf(stageOf(parts, "mixed")), (Steady{{1, 1}, {2, 2}}));
}

// An update reads what it has stored in the previous iteration, so its additions depend on all
// loops.
TEST(Import, AdditionsToASumDependOnAllLoops) {
  Func f("table"), s("total");
  Halide::RDom r(0, 8, "r");
  f(x, y) = Halide::cast<float>(x * 7 + y);
  s(x, y) = 0.0f;
  s(x, y) += f(x, y) * f(r, y);
  s.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(s));
  EXPECT_TRUE(steadyOf(stageOf(parts, "total", 1)).empty());
}

// The range of a data-dependent index is fixed if it holds for every size, as for a byte, which
// always has 256 values. The range of `levels` depends on a parameter, so it is not fixed, however
// good the estimate is.
TEST(Import, KnowsWhichRangesOfDataAreTheSameForEverySize) {
  Halide::ImageParam image(Halide::UInt(8), 1, "image");
  Halide::Param<int> levels("levels");
  levels.set_estimate(16);
  Func histogram("histogram"), table("table"), result("result");
  const RDom pixels(0, image.width(), "pixels");
  histogram(x) = 0;
  histogram(Halide::cast<int>(image(pixels))) += 1;
  table(x) = x * 3;
  const Expr value = Halide::cast<int>(image(x));
  result(x) = histogram(value) + table(clamp(value, 0, levels - 1));
  image.set_estimates({{0, 40}});
  result.set_estimates({{0, 40}});
  const auto parts = imported(Pipeline(result));

  const pipeline::IndexMap &written = stageOf(parts, "histogram", 1).store.indices.front();
  EXPECT_EQ(written.offset, (pipeline::Interval{0, 255}));
  EXPECT_TRUE(written.fixed);
  for (const pipeline::Access &load : stageOf(parts, "result").loads) {
    const pipeline::IndexMap &index = load.indices.front();
    if (index.precision != pipeline::Precision::Whole) continue; // an access to the image
    const bool isOfByte = index.offset.max == 255;
    EXPECT_TRUE(isOfByte || index.offset.max == 15);
    EXPECT_EQ(index.fixed, isOfByte);
  }
}

// A sum over a disc. The height of the disc in a column decides which of two expressions is added,
// and which elements they read.
TEST(Import, WhatALoopAloneDecidesIsFolded) {
  Func f("table"), h("column"), s("disc");
  Var i("i");
  const RDom r(-4, 9, "dx");
  const Expr root = sqrt(Halide::cast<float>(16 - r * r));
  f(x, y) = x * 7 + y;
  h(x, y, i) = select(i < 2, f(x, y - i) + 1, f(x, y + i) + f(x, y + 2 * i) + 2);
  s(x, y) = 0;
  s(x, y) += h(x + r, y, clamp(Halide::cast<int>(root), 0, 4));
  s.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(s));

  const pipeline::IndexMap &across = stageOf(parts, "disc", 1).loads.front().indices[2];
  EXPECT_EQ(across.precision, pipeline::Precision::Whole);
  EXPECT_EQ(across.decidedBy, 1U); // dx is the first loop
  EXPECT_TRUE(stageOf(parts, "disc", 1).folded.empty());

  ASSERT_EQ(stageOf(parts, "column").folded.size(), 1u);
  const pipeline::Folded &folded = stageOf(parts, "column").folded.front();
  EXPECT_EQ(folded.loop, 2u);
  EXPECT_EQ(folded.values, 5u); // the values 0 and 1 load one element each, 2 to 4 load two
  ASSERT_EQ(folded.loads.size(), 1u);
  EXPECT_EQ(folded.loads.front().count, 2u * 1 + 3u * 2);
  std::uint32_t additions = 0;
  for (const pipeline::OpCount &op : folded.operations) {
    EXPECT_NE(op.kind, OpKind::Select);
    EXPECT_NE(op.kind, OpKind::Compare);
    additions += op.kind == OpKind::Add ? op.count : 0;
  }
  EXPECT_EQ(additions, 2u * 1 + 3u * 2);
}

TEST(Import, WhatDataDecideIsDecidedByNoLoop) {
  Func f("table"), g("looked_up");
  f(x) = x * 7 % 10;
  g(x) = f(clamp(f(x), 0, 9));
  g.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(g));
  for (const pipeline::Access &load : stageOf(parts, "looked_up").loads)
    EXPECT_FALSE(load.indices[0].decidedBy);
}

// Interpolates between two data-dependent elements of a table, and uses one of them twice.
TEST(Import, WhatDataChooseIsAsManyElementsAsThereAreExpressions) {
  Func f("table"), g("between");
  f(x) = x * 7 % 10;
  const Expr below = clamp(f(x), 0, 8);
  g(x) = f(below) + f(below + 1) * f(below) + f(x + 1);
  g.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(g));
  std::uint32_t gathered = 0, exact = 0;
  for (const pipeline::Access &load : stageOf(parts, "between").loads)
    (load.indices[0].precision == pipeline::Precision::Whole ? gathered : exact) += load.different;
  EXPECT_EQ(gathered, 2u);
  EXPECT_EQ(exact, 2u); // f(x), and f(x + 1)
}

// The second index would make 20 alternatives of one load, which are too many.
TEST(Import, TooManyAlternativesStillCoverTheLoad) {
  const auto either = [](const Expr &of, int count) {
    Expr e = of;
    for (int i = 1; i < count; ++i)
      e = select(of == i, Expr(i * 10), e);
    return e;
  };
  Func table("table"), f("gathered");
  table(x, y) = x + y;
  f(x, y) = table(either(x, 5), either(y, 4));
  f.set_estimates({{0, 8}, {0, 8}});
  const auto parts = imported(Pipeline(f));
  const pipeline::Stage &stage = stageOf(parts, "gathered");
  EXPECT_EQ(footprintOf(parts, stage, "table", {{3, 3}, {0, 7}})[0], (Interval{3, 40}));
}

// Halide bounds what k is written as. Simplified, max(k, 0) of an unsigned k is k, which has no
// least value that Halide knows.
TEST(Import, KnowsFuncsThatMustNotBeInlinedIntoAnIndex) {
  ImageParam in(Halide::Int(32), 1, "numbers");
  in.dim(0).set_estimate(0, 100);
  const auto isBounding = [&](const Expr &bin) {
    Func key("key"), through("through"), bins("bins"), doubled("doubled");
    const RDom r(0, 100, "all");
    key(x) = bin;
    through(x) = key(x);
    bins(x) = 0;
    bins(Halide::cast<int>(through(r))) += 1;
    doubled(x) = bins(x) * 2;
    doubled.set_estimates({{0, 10}});
    const auto parts = imported(Pipeline(doubled));
    EXPECT_FALSE(funcOf(parts, through.name()).boundsIndices);
    return funcOf(parts, key.name()).boundsIndices;
  };
  const Expr wide = Halide::cast<std::uint32_t>(in(x));
  EXPECT_TRUE(
      isBounding(clamp(wide, Halide::cast<std::uint32_t>(0), Halide::cast<std::uint32_t>(9))));
  EXPECT_FALSE(isBounding(wide % 10));
  EXPECT_FALSE(isBounding(Halide::cast<std::uint32_t>(clamp(in(x), 0, 9))));
}

// With key in place of its call, Halide finds that 7 bits need no clamp, then that they need no
// mask, and then it knows no more of the index than that it has been cast.
TEST(Import, KnowsFuncsThatAnIndexWouldLoseItsClampBy) {
  ImageParam in(Halide::UInt(64), 1, "numbers"), table(Halide::UInt(8), 1, "table");
  in.dim(0).set_estimate(0, 100);
  table.dim(0).set_estimate(0, 300);
  const auto isBounding = [&](const Expr &value) {
    Func key("key"), found("found");
    key(x) = value;
    const Expr few = Halide::cast<std::int16_t>(key(x) & Halide::cast<std::uint64_t>(127));
    found(x) = table(clamp(Halide::cast<int>(few), 0, 299));
    found.set_estimates({{0, 100}});
    return funcOf(imported(Pipeline(found)), key.name()).boundsIndices;
  };
  const Expr seven = Halide::cast<std::uint64_t>(127);
  EXPECT_TRUE(isBounding((in(x)&seven) ^ (in(max(x - 1, 0)) & seven)));
  EXPECT_FALSE(isBounding(in(x)));
}

// Opening works, and so does all but code for CUDA, which copies alone have.
TEST(Import, SaysThatBfloatHasNoCodeForCuda) {
  ImageParam in(Halide::BFloat(16), 1, "brain");
  in.dim(0).set_estimate(0, 64);
  const auto remarksOn = [&](const Expr &value) {
    Func f("converted");
    f(x) = value;
    f.set_estimates({{0, 64}});
    std::string remarks;
    for (const pipeline::Remark &remark : imported(Pipeline(f)).remarks)
      remarks += remark.text;
    return remarks;
  };
  EXPECT_NE(remarksOn(Halide::cast<float>(in(x))).find("it computes in bfloat16 or converts it"),
            std::string::npos);
  EXPECT_EQ(remarksOn(in(x)).find("bfloat16"), std::string::npos);
}

TEST(Import, LongDefinitionsAreCutAndSaySo) {
  Func f("long");
  Expr e = x;
  for (int i = 1; i < 400; ++i)
    e = e * i + y;
  f(x, y) = e;
  f.set_estimates({{0, 10}, {0, 10}});
  const auto parts = imported(Pipeline(f));
  EXPECT_LT(parts.stages[0].definition.size(), 4200u);
  EXPECT_NE(parts.stages[0].definition.find("more bytes)"), std::string::npos);
}

TEST(Import, UnboundedRegionNamesTheFunc) {
  Func f("table"), index("index"), g("lookup");
  f(x) = x;
  index(x) = x * 1000;
  g(x) = f(index(x) * index(x));
  g.set_estimates({{0, 10}});
  const auto parts = roundTrip(Pipeline(g));
  if (!parts) {
    EXPECT_NE(parts.error().message.find("table"), std::string::npos) << parts.error().message;
  }
}

TEST(Import, EmbeddedImageIsAnInputOfTheFile) {
  Halide::Buffer<std::uint8_t> weights(5);
  weights.fill(1);
  Func f("weighted");
  f(x) = weights(clamp(x, 0, 4));
  f.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline(f));
  ASSERT_EQ(parts.inputs.size(), 1u);
  EXPECT_EQ(parts.inputs[0].dims[0].range, (Interval{0, 4}));
  EXPECT_EQ(parts.inputs[0].dims[0].source, pipeline::EstimateSource::File);
}

TEST(Import, OutputThatReadsAnotherOutput) {
  Func a("low"), b("high");
  a(x) = x;
  b(x) = a(x + 3);
  a.set_estimates({{0, 4}});
  b.set_estimates({{0, 10}});
  const auto parts = imported(Pipeline({a, b}));
  EXPECT_EQ(parts.outputs.size(), 2u);
  EXPECT_EQ(funcOf(parts, "low").region, (Box{{0, 12}}));
}

// Otherwise Halide fails with "can't create var v1": names of a loaded pipeline must not be used
// again.
// The ranges of values are computed func by func, and are those of Halide's function for all funcs.
TEST(Import, RangesOfValuesAreHalides) {
  ImageParam in(Halide::UInt(8), 1, "ranged_in");
  Func wide("ranged_wide"), pair("ranged_pair"), sum("ranged_sum"), out("ranged_out");
  wide(x) = Halide::cast<int>(in(x)) * 3 - 7;
  pair(x) = Halide::Tuple(wide(x) + wide(x + 1), clamp(wide(x), 0, 9));
  sum(x) = Halide::cast<std::uint16_t>(0);
  sum(x) += Halide::cast<std::uint16_t>(pair(x)[1]);
  out(x) = pair(x)[0] + sum(x) + x;
  out.set_estimates({{0, 32}});
  in.set_estimates({{0, 40}});
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("ranged.hlpipe");
  ASSERT_TRUE(capturePipeline(Pipeline(out), options.path));
  const auto loaded = loadPipeline(options.path, "");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto graph = buildGraph(*loaded);
  ASSERT_TRUE(graph) << graph.error().message;
  std::vector<std::string> order;
  std::map<std::string, Halide::Internal::Function> environment;
  for (const FuncSource &func : graph->funcs) {
    order.push_back(func.function.name());
    environment.emplace(order.back(), func.function);
  }
  std::size_t compared = 0;
  for (const auto &[key, values] :
       Halide::Internal::compute_function_value_bounds(order, environment)) {
    const Halide::Internal::Interval &ours = graph->values.at(key);
    EXPECT_TRUE(Halide::Internal::equal(ours.min, values.min)) << key.first << " " << key.second;
    EXPECT_TRUE(Halide::Internal::equal(ours.max, values.max)) << key.first << " " << key.second;
    ++compared;
  }
  EXPECT_EQ(compared, 5u);
}

// So that a request that runs out of time names the func that took it.
TEST(Import, EachFuncIsAnnouncedBeforeItIsBounded) {
  ImageParam in(Halide::UInt(8), 1, "announced_in");
  Func first("announced_first"), out("announced_out");
  first(x) = in(x) << 1;
  out(x) = first(x) + first(x + 1);
  out.set_estimates({{0, 32}});
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("announced.hlpipe");
  ASSERT_TRUE(capturePipeline(Pipeline(out), options.path));
  std::set<std::string> phases;
  const auto prepared =
      preparePipeline(options, [&](const std::string &phase, double) { phases.insert(phase); });
  ASSERT_TRUE(prepared) << prepared.error().message;
  for (const std::string &func : {first.name(), out.name()})
    for (const std::string what : {"values of ", "bounds of "})
      EXPECT_TRUE(phases.contains(what + func)) << what << func;
}

TEST(Traps, LoadedNamesAreReserved) {
  reserveName("q7");
  const std::string made = Halide::Internal::unique_name('q');
  EXPECT_GT(std::stoi(made.substr(1)), 7) << made;
  reserveName("reserved$3");
  for (int i = 0; i < 4; ++i) {
    const std::string next = Halide::Internal::unique_name("reserved");
    EXPECT_NE(next, "reserved$3");
    EXPECT_NE(next, "reserved");
  }
}

} // namespace
} // namespace tessera::halide::testing

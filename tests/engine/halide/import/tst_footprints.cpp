// SPDX-License-Identifier: MIT
// The engine's footprints on random pipelines equal Halide's own boxes, or contain them for a
// recorded reason.
#include "engine/halide/capture.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/halide/import/footprint_tally.h"
#include "tests/engine/halide/random_pipeline.h"

#include <gtest/gtest.h>

namespace tessera::halide::testing {
namespace {

// Compares the footprints of the pipelines of some seeds, and expects none to miss an element.
FootprintTally tallyOf(Halide::Pipeline (*make)(std::uint64_t), std::uint64_t first, int count) {
  constexpr int kTiles = 12;
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("random.hlpipe");
  std::mt19937_64 random(first);
  FootprintTally total;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_TRUE(capturePipeline(make(seed), options.path));
    const auto prepared = preparePipeline(options);
    if (!prepared) ADD_FAILURE() << prepared.error().message;
    const auto parts = prepared ? partsOf(*prepared, options) : prepared.error();
    if (!parts) {
      ADD_FAILURE() << parts.error().message;
      continue;
    }
    const auto checked = pipeline::Pipeline::create(*parts);
    EXPECT_TRUE(checked) << checked.error().message;
    const FootprintTally one = compareFootprints(*prepared, *parts, kTiles, random);
    for (const std::string &mismatch : one.mismatches)
      ADD_FAILURE() << mismatch;
    total.add(one);
  }
  ::testing::Test::RecordProperty("edges", total.edges);
  ::testing::Test::RecordProperty("exact", total.exact);
  return total;
}

TEST(Footprints, EqualHalidesBoxesOnRandomPipelines) {
  const FootprintTally total = tallyOf(randomInt32Pipeline, 20240601, 120);
  ASSERT_GT(total.affineEdges, 500);
  EXPECT_GE(total.affineExact, 0.99 * total.affineEdges)
      << total.affineExact << " of " << total.affineEdges << " affine edges are exact";
}

TEST(Footprints, EqualHalidesBoxesWhateverTheTypes) {
  const FootprintTally total = tallyOf(randomPipeline, 1, 60);
  ASSERT_GT(total.affineEdges, 300);
  EXPECT_GE(total.affineExact, 0.99 * total.affineEdges)
      << total.affineExact << " of " << total.affineEdges << " affine edges are exact";
}

struct WrittenIndex {
  const char *name;
  Halide::Expr (*make)(const Halide::ImageParam &in, const Halide::Var &x, const Halide::Var &y);
  pipeline::Interval read; // of columns 8 to 15
};

// Indices of which the simplified form has closer bounds than the one that was written.
const WrittenIndex kWritten[] = {
    {"x*3 - x", [](const auto &, const auto &x, const auto &) { return x * 3 - x; }, {9, 37}},
    {"x - x", [](const auto &, const auto &x, const auto &) { return x - x; }, {-7, 7}},
    {"a 32-bit number that is masked and clamped",
     [](const auto &in, const auto &x, const auto &y) {
       return clamp(Halide::cast<int>(in(x, y) & Halide::Expr(127U)), 0, 299);
     },
     {0, 299}},
    {"a remainder that changes nothing",
     [](const auto &in, const auto &x, const auto &y) {
       const Halide::Expr byte = Halide::cast<std::uint8_t>(in(x, y));
       return Halide::cast<int>(Halide::cast<std::uint16_t>(byte) %
                                Halide::cast<std::uint16_t>(300));
     },
     {0, 299}},
};

// The number of elements that Halide allocates for a func computed at a loop over tiles of 8.
std::int64_t allocatedColumns(const WrittenIndex &index) {
  using namespace Halide;
  ImageParam in(UInt(32), 2, "in");
  Var x("x"), y("y"), outer("outer");
  Func source("source"), out("out");
  source(x, y) = in(x, y);
  out(x, y) = source(index.make(in, x, y), y);
  out.split(x, outer, x, 8);
  source.compute_at(out, outer);
  struct Find : Internal::IRVisitor {
    using IRVisitor::visit;
    std::int64_t elements = 0;
    void visit(const Internal::Allocate *allocate) override {
      if (allocate->name.starts_with("source")) {
        Expr size = 1;
        for (const Expr &extent : allocate->extents)
          size = Internal::simplify(size * extent);
        elements = Internal::as_const_int(size).value_or(-1);
      }
      IRVisitor::visit(allocate);
    }
  } find;
  for (const auto &function : out.compile_to_module({in}, "out").functions())
    function.body.accept(&find);
  return find.elements;
}

TEST(Footprints, AreThoseOfTheIndexAsWritten) {
  for (const WrittenIndex &index : kWritten) {
    SCOPED_TRACE(index.name);
    Halide::ImageParam in(Halide::UInt(32), 2, "in");
    in.dim(0).set_estimate(0, 64);
    in.dim(1).set_estimate(0, 64);
    Halide::Var x("x"), y("y");
    Halide::Func source("source"), out("out");
    source(x, y) = in(x, y);
    out(x, y) = source(index.make(in, x, y), y);
    out.set_estimates({{0, 64}, {0, 64}});
    const auto parts = imported(Halide::Pipeline(out));
    const pipeline::Box box =
        footprintOf(parts, stageOf(parts, out.name()), source.name(), {{8, 15}, {3, 3}});
    EXPECT_EQ(box.at(0), index.read);
    EXPECT_EQ(allocatedColumns(index), index.read.extent());
  }
}

// Imports one boundary condition over an input of 100 x 80, which a 3x3 stencil reads.
pipeline::PipelineParts bounded(const std::function<Halide::Func(const Halide::ImageParam &)> &make,
                                FootprintTally &tally) {
  Halide::ImageParam input(Halide::UInt(8), 2, "bounded");
  input.dim(0).set_estimate(0, 100);
  input.dim(1).set_estimate(0, 80);
  Halide::Var x("x"), y("y");
  Halide::Func edge = make(input), out("out");
  out(x, y) = edge(x - 1, y) + edge(x + 1, y + 1);
  out.set_estimates({{0, 100}, {0, 80}});
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("bounded.hlpipe");
  if (!capturePipeline(Halide::Pipeline(out), options.path)) throw std::runtime_error("capture");
  const auto prepared = preparePipeline(options);
  if (!prepared) throw std::runtime_error(prepared.error().message);
  auto parts = partsOf(*prepared, options);
  if (!parts) throw std::runtime_error(parts.error().message);
  std::mt19937_64 random(3);
  tally = compareFootprints(*prepared, *parts, 60, random);
  return *parts;
}

const pipeline::Interval kColumns{0, 99};

// Returns the columns that the boundary condition reads of the func that repeats the input.
pipeline::Interval columnsRead(const pipeline::PipelineParts &parts,
                               const std::vector<pipeline::Interval> &tile) {
  const pipeline::Stage &boundary = parts.stages.at(1); // stage 0 repeats the input
  pipeline::Interval columns;
  for (const pipeline::Access &load : boundary.loads) {
    const pipeline::Interval one = evaluate(load.indices[0], tile);
    columns = columns.empty() ? one : pipeline::hull(columns, one);
  }
  return columns;
}

TEST(BoundaryConditions, RepeatEdgeIsAClamp) {
  FootprintTally tally;
  const auto parts =
      bounded([](const auto &in) { return Halide::BoundaryConditions::repeat_edge(in); }, tally);
  EXPECT_TRUE(tally.mismatches.empty());
  EXPECT_EQ(tally.exact, tally.edges);
  EXPECT_EQ(columnsRead(parts, {{-3, 4}, {0, 3}}), (pipeline::Interval{0, 4}));
  EXPECT_EQ(columnsRead(parts, {{120, 130}, {0, 3}}), (pipeline::Interval{99, 99}));
}

TEST(BoundaryConditions, ConstantExteriorIsTheClampOfItsLoad) {
  FootprintTally tally;
  const auto parts = bounded(
      [](const auto &in) {
        return Halide::BoundaryConditions::constant_exterior(in, Halide::Expr(std::uint8_t{7}));
      },
      tally);
  for (const std::string &mismatch : tally.mismatches)
    ADD_FAILURE() << mismatch;
  EXPECT_EQ(columnsRead(parts, {{-3, 4}, {0, 3}}), (pipeline::Interval{0, 4}));
}

TEST(BoundaryConditions, GuardedLoadIsTheClampToo) {
  Halide::ImageParam input(Halide::UInt(8), 1, "guarded");
  input.dim(0).set_estimate(0, 100);
  Halide::Var x("x");
  Halide::Func out("guard");
  out(x) = select(x < 0 || x > 99, std::uint8_t{0}, input(clamp(x, 0, 99)));
  out.set_estimates({{-5, 120}});
  const auto parts = imported(Halide::Pipeline(out));
  EXPECT_EQ(footprintOf(parts, parts.stages[0], "guarded", {{-3, 4}}), (pipeline::Box{{0, 4}}));
}

TEST(BoundaryConditions, WrappedAndMirroredCoverWithAReason) {
  using namespace Halide::BoundaryConditions;
  FootprintTally tally;
  for (int which = 0; which < 3; ++which) {
    const auto parts = bounded(
        [&](const Halide::ImageParam &in) {
          return which == 0   ? repeat_image(in)
                 : which == 1 ? mirror_image(in)
                              : mirror_interior(in);
        },
        tally);
    for (const std::string &mismatch : tally.mismatches)
      ADD_FAILURE() << mismatch;
    EXPECT_TRUE(kColumns.contains(columnsRead(parts, {{-30, 140}, {0, 3}}))) << which;
  }
}

} // namespace
} // namespace tessera::halide::testing

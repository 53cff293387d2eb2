// SPDX-License-Identifier: MIT
// A pipeline whose schedule was taken off is the pipeline that nobody has scheduled.
#include "tests/engine/halide/captured.h"

#include "engine/halide/import/own_schedule.h"
#include "engine/halide/capture.h"

#include <gtest/gtest.h>

#include <functional>

namespace tessera::halide::testing {
namespace {

using Halide::Func;
using Halide::Pipeline;
using Halide::RDom;
using Halide::Var;

const Var x("x"), y("y");

// The pipeline of the tests, after a schedule.
Pipeline scheduledBy(const std::function<void(Func &rows, Func &sums, Func &out)> &schedule) {
  Func rows("own_rows"), sums("own_sums"), out("own_out");
  const RDom r(0, 4, "r");
  rows(x, y) = x + y;
  sums(x, y) = 0;
  sums(x, y) += rows(x + r, y);
  out(x, y) = sums(x, y) + rows(x, y);
  out.set_estimates({{0, 64}, {0, 32}});
  schedule(rows, sums, out);
  return Pipeline(out);
}

// Everything that the import says of a file, without the numbers that Halide gives to names.
std::string described(const std::string &path, const std::string &name) {
  ImportOptions options{.path = path, .name = name};
  const auto prepared = preparePipeline(options);
  if (!prepared) return prepared.error().message;
  const auto parts = partsOf(*prepared, options);
  if (!parts) return parts.error().message;
  std::string text = std::to_string(parts->foundSchedule.size()) + " found\n";
  for (const pipeline::Func &func : parts->funcs) {
    text += func.name.substr(0, func.name.find('$')) + std::to_string(func.stageCount);
    for (const pipeline::Interval &side : func.region)
      text += " " + std::to_string(side.min) + ":" + std::to_string(side.max);
    text += "\n";
  }
  return text + std::to_string(parts->stages.size()) + " stages";
}

class OwnSchedule : public ::testing::Test {
protected:
  // Returns what is left of the pipeline without its schedule.
  std::string without(const std::function<void(Func &, Func &, Func &)> &schedule) {
    const std::string file = m_folder.file("own.hlpipe"), into = m_folder.file("without.hlpipe");
    EXPECT_TRUE(capturePipeline(scheduledBy(schedule), file));
    const auto written = writeUnscheduled(file, {}, into);
    EXPECT_TRUE(written) << written.error().message;
    return described(written && *written ? into : file, "own");
  }

  const TemporaryFolder m_folder;
  const std::string m_plain = without([](Func &, Func &, Func &) {});
};

TEST_F(OwnSchedule, PlacesLoopsAndStorage) {
  EXPECT_NE(m_plain.find("0 found"), std::string::npos);
  EXPECT_EQ(m_plain,
            without([](Func &rows, Func &sums, Func &out) {
              Var xi("xi"), yi("yi"), xo("xo"), yo("yo");
              out.gpu_tile(x, y, xo, yo, xi, yi, 16, 8).bound(x, 0, 64);
              sums.compute_at(out, xo).store_in(Halide::MemoryType::GPUShared).gpu_threads(x, y);
              sums.update().gpu_threads(x, y).unroll(Halide::RVar(sums.rvars(0)[0].name()));
              rows.compute_root().reorder_storage(y, x).align_storage(y, 8).bound(x, 0, 80);
              rows.fold_storage(y, 64).parallel(y);
            }).replace(0, 1, "0"))
      << "the bound of an output is kept";
}

TEST_F(OwnSchedule, Wrappers) {
  EXPECT_EQ(m_plain, without([](Func &rows, Func &sums, Func &) {
              rows.in(sums).compute_root().vectorize(x, 4);
              rows.in().compute_root();
            }));
}

TEST_F(OwnSchedule, SharedLoopsVariantsAndRememberedValues) {
  EXPECT_EQ(m_plain, without([](Func &rows, Func &sums, Func &out) {
              sums.compute_root();
              rows.compute_root().compute_with(sums, y).memoize();
              out.specialize(Halide::Expr(out.output_buffer().width() > 8)).parallel(y);
            }));
}

TEST_F(OwnSchedule, FuncsOfRfactorStay) {
  const std::string split = without([](Func &, Func &sums, Func &) {
    Halide::RVar outer("ro"), inner("ri");
    Var u("u");
    const Halide::RVar r(sums.rvars(0)[0].name());
    sums.compute_root();
    sums.update().split(r, outer, inner, 2).rfactor(outer, u).compute_root();
  });
  EXPECT_NE(split.find("0 found"), std::string::npos) << split;
  EXPECT_NE(m_plain.find("4 stages"), std::string::npos) << m_plain;
  EXPECT_NE(split.find("6 stages"), std::string::npos) << "two of the intermediate func: " << split;
}

TEST_F(OwnSchedule, ItStandsWhereNobodyScheduled) {
  const std::string file = m_folder.file("plain.hlpipe");
  const auto bounded = [](Func &, Func &, Func &out) { out.bound(x, 0, 64); };
  ASSERT_TRUE(capturePipeline(scheduledBy(bounded), file));
  const auto written = writeUnscheduled(file, {}, m_folder.file("none.hlpipe"));
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_FALSE(*written) << "a bound alone is no schedule";
}

} // namespace
} // namespace tessera::halide::testing

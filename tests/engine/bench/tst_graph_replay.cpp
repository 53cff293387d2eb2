// SPDX-License-Identifier: MIT
// A bundle's run as a CUDA graph, and the reasons why a run cannot become one.
#include "tests/engine/bench/gpu_worker_test.h"

namespace tessera::bench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class GraphReplayTest : public test::GpuWorkerTest {
protected:
  // Expects a measurement without the times of a graph, but with everything else and the remark
  // `why`. Expects that the worker also serves the next request.
  static void expectNoGraph(const std::string &wishes, const std::string &why) {
    GpuClient client(worker(test::kRight + wishes));
    MeasureOptions plain = options();
    plain.useProfiler = false;
    for (int i = 0; i < 2; ++i) {
      const auto answer = client.measure(plain, test::kTimeout);
      ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
      EXPECT_FALSE(answer.value.graph.measured());
      EXPECT_THAT(
          answer.value.remarks,
          Contains(testing::AllOf(HasSubstr("not measured as a CUDA graph: "), HasSubstr(why))));
      EXPECT_TRUE(answer.value.verified());
      EXPECT_TRUE(answer.value.backToBack.measured());
      EXPECT_TRUE(answer.value.coldCache.measured());
    }
    EXPECT_EQ(client.starts(), 1);
  }
};

TEST_F(GraphReplayTest, IsMeasured) {
  GpuClient client(worker(test::kRight));
  const auto answer = client.measure(options(), test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_EQ(answer.value.graph.samples, 11);
  EXPECT_GT(answer.value.graph.median, 0);
  EXPECT_THAT(answer.value.remarks, Not(Contains(HasSubstr("CUDA graph"))));
}

TEST_F(GraphReplayTest, ARunThatWaitsCannotBeCaptured) {
  expectNoGraph("waitinrun", "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
}

TEST_F(GraphReplayTest, ADriverThatRefuses) {
  expectNoGraph("fail cuStreamCreate 801", "cuStreamCreate returned");
  expectNoGraph("fail cuStreamBeginCapture 801", "cuStreamBeginCapture returned");
  expectNoGraph("fail cuGraphInstantiate 801", "cuGraphInstantiate returned");
}

// The outputs of a replay differ if the host computed an argument of a kernel during the captured
// run.
TEST_F(GraphReplayTest, OtherOutputsHaveNoTime) {
  expectNoGraph("misreplay", "its outputs differ");
}

TEST_F(GraphReplayTest, ALongRunNeedsNone) {
  GpuClient client(worker(test::kRight));
  MeasureOptions allLong = options();
  allLong.longSeconds = 0; // every run counts as long
  const auto answer = client.measure(allLong, test::kTimeout);
  ASSERT_EQ(answer.outcome, Outcome::Ok) << answer.error.message;
  EXPECT_FALSE(answer.value.graph.measured());
  EXPECT_THAT(answer.value.remarks, Not(Contains(HasSubstr("CUDA graph"))));
}

} // namespace
} // namespace tessera::bench

// SPDX-License-Identifier: MIT
// tessera-halide seen from outside: it answers every request.
#include "engine/halide/capture.h"
#include "engine/halide/file_io.h"
#include "engine/job/sanitized.h"
#include "engine/job/worker_client.h"
#include "engine/pipeline/json.h"
#include "tests/engine/halide/captured.h"
#include "tests/engine/halide/random_pipeline.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace tessera::halide::testing {
namespace {

using nlohmann::json;

struct Worker : ::testing::Test {
  static job::ProcessOptions options() {
    job::ProcessOptions result;
    result.program = tessera::test::binPath("tessera-halide");
    return result;
  }
  job::Reply ask(const std::string &type, json fields) {
    return client.request(type, std::move(fields), std::chrono::seconds(60));
  }
  job::WorkerClient client{options()};
  TemporaryFolder folder;
};

TEST_F(Worker, ImportsAPipelineThatReadsBack) {
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(3), path));
  const job::Reply reply = ask("import", {{"path", path}, {"name", "mine"}});
  ASSERT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
  const auto pipeline = pipeline::pipelineFromJson(reply.body.at("pipeline"));
  ASSERT_TRUE(pipeline) << pipeline.error().message;
  EXPECT_EQ((*pipeline)->name(), "mine");
  EXPECT_EQ((*pipeline)->halideVersion(), "21.0.0");
}

TEST_F(Worker, AnswersTheSameTwice) {
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(5), path));
  const job::Reply first = ask("import", {{"path", path}});
  EXPECT_EQ(ask("import", {{"path", path}}).body, first.body);
  EXPECT_EQ(client.starts(), 1);
}

TEST_F(Worker, BoxesAreHalidesOwn) {
  Halide::Var x("x");
  Halide::Func f("f_boxed"), g("g_boxed");
  f(x) = x;
  g(x) = f(2 * x) + f(2 * x + 1);
  g.set_estimates({{0, 10}});
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(Halide::Pipeline(g), path));
  const json tiles{{{"stage", 1}, {"loops", {{3, 5}}}}, {{"stage", g.name()}, {"loops", {{0, 0}}}}};
  const job::Reply reply = ask("boxes", {{"path", path}, {"tiles", tiles}});
  ASSERT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
  EXPECT_EQ(reply.body["boxes"][0]["required"][f.name()], json::parse("[[6,11]]"));
  EXPECT_EQ(reply.body["boxes"][1]["required"][f.name()], json::parse("[[0,1]]"));
  const job::Reply wrong =
      ask("boxes", {{"path", path}, {"tiles", {{{"stage", 9}, {"loops", {{3, 5}}}}}}});
  EXPECT_NE(wrong.error.message.find("no stage 9"), std::string::npos) << wrong.error.message;
}

TEST_F(Worker, RefusesRequestsThatMakeNoSense) {
  for (const json &fields :
       {json::object(), json{{"path", 3}}, json{{"path", "a"}, {"estimates", 3}},
        json{{"path", "a"}, {"estimates", {{{"name", "x"}}}}},
        json{{"path", "a"}, {"definitionLimit", -1}}}) {
    const job::Reply reply = ask("import", fields);
    EXPECT_NE(reply.outcome, Outcome::Ok);
    EXPECT_EQ(reply.error.code, ErrorCode::Usage) << fields << reply.error.message;
  }
  EXPECT_EQ(client.starts(), 1);
}

// Halide's code generator would end the worker.
TEST_F(Worker, RefusesToCompileBfloatForCuda) {
  Halide::Var x("x");
  Halide::ImageParam in(Halide::BFloat(16), 1, "in_bfloat");
  in.set_estimates({{0, 64}});
  Halide::Func converted("converted"), copied("copied");
  converted(x) = cast<float>(in(x));
  copied(x) = in(x);
  converted.set_estimates({{0, 64}});
  copied.set_estimates({{0, 64}});
  ASSERT_TRUE(capturePipeline(Halide::Pipeline(converted), folder.file("converted.hlpipe")));
  ASSERT_TRUE(capturePipeline(Halide::Pipeline(copied), folder.file("copied.hlpipe")));
  const auto compiled = [&](const std::string &name) {
    return ask("compile", {{"path", folder.file(name + ".hlpipe")},
                           {"output", folder.file(name)},
                           {"directives", json::array({{{"func", name},
                                                        {"call", "gpu_single_thread"},
                                                        {"arguments", json::array()}}})}});
  };
  const job::Reply refused = compiled("converted");
  EXPECT_EQ(refused.outcome, Outcome::CompileError);
  EXPECT_NE(refused.error.message.find("\"converted\" computes in bfloat16"), std::string::npos)
      << refused.error.message;
  EXPECT_EQ(compiled("copied").outcome, Outcome::Ok);
  EXPECT_EQ(client.starts(), 1) << "nothing stopped the worker";
}

TEST_F(Worker, EstimatesTravelWithTheRequest) {
  Halide::Var x("x");
  Halide::Func f("sized");
  f(x) = x;
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(Halide::Pipeline(f), path));
  EXPECT_EQ(ask("import", {{"path", path}}).error.code, ErrorCode::InputRefused);
  const json estimate{{{"name", f.name()}, {"dims", {{{"min", 2}, {"extent", 5}}}}}};
  const job::Reply reply = ask("import", {{"path", path}, {"estimates", estimate}});
  ASSERT_EQ(reply.outcome, Outcome::Ok) << reply.error.message;
  const auto pipeline = pipeline::pipelineFromJson(reply.body.at("pipeline"));
  ASSERT_TRUE(pipeline);
  EXPECT_EQ((*pipeline)->funcs()[0].region, (pipeline::Box{{2, 6}}));
}

TEST_F(Worker, TooLittleMemoryIsAnOutcomeOfItsOwn) {
  if (job::kSanitized) GTEST_SKIP() << "sanitizers need the address space themselves";
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(3), path));
  job::ProcessOptions small = options();
  small.limits.addressSpaceBytes = std::size_t{400} << 20; // less than Halide and the stack need
  job::WorkerClient worker(small);
  const job::Reply reply = worker.request("import", {{"path", path}}, std::chrono::seconds(60));
  EXPECT_EQ(reply.outcome, Outcome::HostMemory) << reply.error.message;
}

// Without a sidecar, only the structure of the file can show damage. The worker answers or dies,
// and the next request finds a running worker.
TEST_F(Worker, DamagedFilesNeverEndTheConversation) {
  const std::string path = folder.file("a.hlpipe");
  ASSERT_TRUE(capturePipeline(randomPipeline(6), path));
  const auto good = readFile(path, 1 << 24);
  ASSERT_TRUE(good);
  std::mt19937 random(5);
  int crashed = 0, refused = 0;
  for (int i = 0; i < 120; ++i) {
    auto bytes = *good;
    for (int n = 1 + static_cast<int>(random() % 4); n > 0; --n)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    const std::string damaged = folder.file("damaged.hlpipe");
    ASSERT_TRUE(writeFile(damaged, bytes));
    const job::Reply reply = ask("import", {{"path", damaged}});
    crashed += reply.outcome == Outcome::Crashed;
    refused += reply.outcome == Outcome::CompileError;
    EXPECT_EQ(reply.error.message.empty(), reply.outcome == Outcome::Ok);
  }
  RecordProperty("crashed", crashed);
  RecordProperty("refused", refused);
  EXPECT_LT(crashed, 12) << "the check of the structure lets too much through";
  EXPECT_EQ(ask("import", {{"path", path}}).outcome, Outcome::Ok);
}

} // namespace
} // namespace tessera::halide::testing

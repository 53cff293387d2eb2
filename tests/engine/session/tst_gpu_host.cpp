// SPDX-License-Identifier: MIT
// tessera-gpu on another machine, with an ssh that stays on this one.
#include "engine/session/gpu_host.h"

#include "engine/bench/deliver.h"
#include "engine/bench/gpu_client.h"
#include "tests/engine/session/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace tessera::session {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::chrono::seconds kTimeout{60};

class GpuHostTest : public test::ScratchTest {
protected:
  GpuHostTest() {
    m_tools = builtTools();
    m_tools.ssh = TESSERA_TEST_SOURCE_DIR "/tests/engine/bench/fake_ssh";
    ::setenv("FAKE_SSH_HOME", there().c_str(), 1);
    ::setenv("FAKE_SSH_LOG", log().c_str(), 1);
  }

  std::string there() const { return folder() + "/there"; }
  std::string log() const { return folder() + "/log"; }
  std::string asked() const {
    const auto text = readFile(log());
    return text ? *text : "";
  }

  // A bundle by its files alone.
  std::string bundle(const std::string &raw) {
    file("bundle/bundle.json", "{}");
    file("bundle/pipeline.so", "library");
    file("bundle/pipeline.o", "object");
    file("bundle/reference/output0.raw", raw);
    return folder() + "/bundle";
  }

  ToolPaths m_tools;
};

TEST_F(GpuHostTest, WithoutAHostItRunsHere) {
  const auto worker = gpuWorkerProcess(m_tools, "");
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->program, m_tools.gpuWorker);
  EXPECT_EQ(asked(), "");
}

TEST_F(GpuHostTest, TheProgramIsCopiedOnce) {
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  EXPECT_THAT(asked(), HasSubstr("me@gpu: test -x .cache/tessera/gpu/tessera-gpu-"));
  EXPECT_THAT(asked(), HasSubstr("mv -f"));
  fs::remove(log());
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  EXPECT_THAT(asked(), HasSubstr("test -x"));
  EXPECT_THAT(asked(), Not(HasSubstr("mv -f")));
}

TEST_F(GpuHostTest, ItAnswersThroughSsh) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  bench::GpuClient gpu(*worker);
  const auto reply = gpu.request("dance", {}, kTimeout, {});
  EXPECT_THAT(reply.error.message, HasSubstr("'dance'"));
}

TEST_F(GpuHostTest, ABundleIsSentOnce) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  bench::GpuClient gpu(*worker);
  const std::string large(std::size_t{9} << 20, 'x'); // two pieces
  const std::string here = bundle(large);
  std::vector<std::string> sent;
  const auto listen = [&](const job::Progress &progress) { sent.push_back(progress.phase); };
  const auto path = bench::deliverBundle(gpu, here, kTimeout, {}, listen);
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_THAT(*path, HasSubstr(there()));
  EXPECT_EQ(*readFile(*path + "/reference/output0.raw"), large);
  EXPECT_EQ(*readFile(*path + "/pipeline.so"), "library");
  EXPECT_FALSE(fs::exists(*path + "/pipeline.o")); // nobody needs it there
  EXPECT_EQ(sent.size(), 4U);
  sent.clear();
  const auto again = bench::deliverBundle(gpu, here, kTimeout, {}, listen);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *path);
  EXPECT_TRUE(sent.empty());
}

TEST_F(GpuHostTest, WhatIsDamagedThereIsSentAgain) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  bench::GpuClient gpu(*worker);
  const std::string here = bundle("outputs");
  const auto path = bench::deliverBundle(gpu, here, kTimeout);
  ASSERT_TRUE(path) << path.error().message;
  ASSERT_TRUE(writeFile(*path + "/pipeline.so", "half"));
  ASSERT_TRUE(bench::deliverBundle(gpu, here, kTimeout));
  EXPECT_EQ(*readFile(*path + "/pipeline.so"), "library");
}

TEST_F(GpuHostTest, NothingIsWrittenOutsideOfTheStore) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  for (const auto &[folderName, name] : std::vector<std::pair<std::string, std::string>>{
           {"..", "a"}, {"a", "../../b"}, {"a", "/etc/b"}, {"a", "b/../c"}, {"", "a"}, {"a", ""}}) {
    bench::GpuClient gpu(*worker);
    const auto reply = gpu.request("put",
                                   {{"folder", folderName},
                                    {"name", name},
                                    {"offset", 0},
                                    {"bytes", nlohmann::json::binary({1})},
                                    {"sha256", ""}},
                                   kTimeout, {});
    EXPECT_THAT(reply.error.message, HasSubstr("no file of a bundle")) << folderName << " " << name;
  }
}

TEST_F(GpuHostTest, AHostThatCannotBeReachedIsNamed) {
  const auto worker = gpuWorkerProcess(m_tools, "nowhere");
  ASSERT_FALSE(worker);
  EXPECT_THAT(worker.error().message, HasSubstr("Cannot reach nowhere: ssh: Could not resolve"));
}

TEST_F(GpuHostTest, AnOptionOfSshIsNoHost) {
  for (const char *word : {"-oProxyCommand=true", "two words", "line\nbreak"}) {
    const auto worker = gpuWorkerProcess(m_tools, word);
    ASSERT_FALSE(worker) << word;
    EXPECT_EQ(worker.error().code, ErrorCode::Usage);
  }
  EXPECT_EQ(asked(), "");
}

TEST_F(GpuHostTest, WithoutSshItSaysSo) {
  m_tools.ssh.clear();
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_FALSE(worker);
  EXPECT_THAT(worker.error().message, HasSubstr("ssh is not installed"));
}

} // namespace
} // namespace tessera::session

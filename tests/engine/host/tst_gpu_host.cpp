// SPDX-License-Identifier: MIT
// Runs tessera-gpu "on another machine", through an ssh that stays on this one.
#include "engine/host/gpu_host.h"

#include "engine/bench/deliver.h"
#include "engine/bench/gpu_client.h"
#include "tests/engine/bench/fake_ssh.h"
#include "tests/engine/host/scratch_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace tessera::host {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::chrono::seconds kTimeout{60};

class GpuHostTest : public host::test::ScratchTest {
protected:
  GpuHostTest() {
    m_tools = builtTools();
    m_tools.ssh = bench::test::FakeSsh::program();
  }

  std::string there() const { return m_ssh.there(); }
  std::string log() const { return m_ssh.log(); }
  std::string asked() const { return m_ssh.asked(); }

  // Lists the workers that were copied to the other machine, completely or in part.
  std::vector<std::string> copies() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(there() + "/.cache/tessera/gpu"))
      names.push_back(entry.path().filename());
    return names;
  }

  // Replaces the worker on the other machine by a process that kills itself.
  static job::ProcessOptions killedAtOnce(job::ProcessOptions worker) {
    worker.arguments.back() = "sh -c 'kill -KILL $$'; exit $?";
    return worker;
  }

  // Creates the files of a bundle, with dummy contents.
  std::string bundle(const std::string &raw) {
    file("bundle/bundle.json", "{}");
    file("bundle/pipeline.so", "library");
    file("bundle/pipeline.o", "object");
    file("bundle/reference/output0.raw", raw);
    return folder() + "/bundle";
  }

  bench::test::FakeSsh m_ssh{folder()};
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
  EXPECT_THAT(asked(), HasSubstr("test -x .cache/tessera/gpu/tessera-gpu-"));
  EXPECT_THAT(asked(), HasSubstr("mv -f"));
  fs::remove(log());
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  EXPECT_THAT(asked(), HasSubstr("test -x"));
  EXPECT_THAT(asked(), Not(HasSubstr("mv -f")));
}

TEST_F(GpuHostTest, ACopyThatIsCutIsNoProgram) {
  m_ssh.wish("CUT", "100000");
  const auto cut = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().message,
              HasSubstr("Cannot copy tessera-gpu to me@gpu: Connection to me@gpu closed"));
  EXPECT_THAT(copies(), testing::IsEmpty());
  m_ssh.wish("CUT", "");
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  EXPECT_THAT(copies(), testing::SizeIs(1));
}

TEST_F(GpuHostTest, HalfAProgramIsCopiedAgain) {
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  const std::string program = there() + "/.cache/tessera/gpu/" + copies().front();
  fs::resize_file(program, 1000);
  ASSERT_TRUE(gpuWorkerProcess(m_tools, "me@gpu"));
  EXPECT_EQ(fs::file_size(program), fs::file_size(m_tools.gpuWorker));
}

TEST_F(GpuHostTest, AnotherArchitectureIsNamedBeforeAnythingIsCopied) {
  fs::create_directories(folder() + "/bin");
  file("bin/uname", "#!/bin/sh\necho Linux aarch64\n");
  fs::permissions(folder() + "/bin/uname", fs::perms::owner_all);
  m_ssh.wish("BIN", folder() + "/bin");
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_FALSE(worker);
  EXPECT_THAT(worker.error().message,
              HasSubstr("me@gpu is Linux aarch64, but tessera-gpu here is for Linux "));
  EXPECT_THAT(asked(), Not(HasSubstr("mv -f")));
}

TEST_F(GpuHostTest, AShellThatPrintsIsNamed) {
  m_ssh.wish("SAYS", "Welcome to the cluster");
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_FALSE(worker);
  EXPECT_THAT(worker.error().message,
              HasSubstr("The shell of me@gpu prints text of its own: Welcome to the cluster"));
}

TEST_F(GpuHostTest, ACrashThereIsOneOfTheWorker) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  bench::GpuClient gpu(killedAtOnce(*worker));
  const auto answer = gpu.describe(kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::Crashed);
  EXPECT_THAT(answer.error.message, HasSubstr("tessera-gpu on me@gpu crashed with signal SIGKILL"));
}

TEST_F(GpuHostTest, AConnectionThatEndsIsOneThatWasLost) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  m_ssh.wish("DROPS", "1");
  bench::GpuClient gpu(killedAtOnce(*worker));
  const auto answer = gpu.describe(kTimeout);
  EXPECT_EQ(answer.outcome, Outcome::ConnectionLost);
  EXPECT_THAT(answer.error.message,
              HasSubstr("The connection to me@gpu was lost during 'describe'"));
  EXPECT_THAT(answer.error.message, HasSubstr("closed by remote host"));
}

TEST_F(GpuHostTest, AProgramThatIsGoneThereIsNamed) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  fs::remove_all(there() + "/.cache");
  bench::GpuClient gpu(*worker);
  const auto answer = gpu.describe(kTimeout);
  EXPECT_THAT(answer.error.message, HasSubstr("tessera-gpu on me@gpu ended with exit code 127"));
  EXPECT_THAT(answer.error.message, HasSubstr("not found"));
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
  const std::string large(std::size_t{9} << 20, 'x'); // larger than one piece of a transfer
  const std::string here = bundle(large);
  std::vector<std::string> sent;
  const auto listen = [&](const job::Progress &progress) { sent.push_back(progress.phase); };
  const auto path = bench::deliverBundle(gpu, here, kTimeout, {}, listen);
  ASSERT_EQ(path.outcome, Outcome::Ok) << path.error.message;
  EXPECT_THAT(path.value, HasSubstr(there()));
  EXPECT_EQ(*readFile(path.value + "/reference/output0.raw"), large);
  EXPECT_EQ(*readFile(path.value + "/pipeline.so"), "library");
  EXPECT_FALSE(fs::exists(path.value + "/pipeline.o")); // the other machine does not need it
  EXPECT_EQ(sent.size(), 4U);
  sent.clear();
  const auto again = bench::deliverBundle(gpu, here, kTimeout, {}, listen);
  ASSERT_EQ(again.outcome, Outcome::Ok);
  EXPECT_EQ(again.value, path.value);
  EXPECT_TRUE(sent.empty());
}

TEST_F(GpuHostTest, ABundleArrivesOverConnectionsThatAreLost) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  const std::string large(std::size_t{3} << 20, 'x');
  const std::string here = bundle(large);
  file("bundle/reference/output1.raw", large + "y");
  m_ssh.wish("CUT", "5000000"); // enough for one of the large files, but not for both
  bench::GpuClient gpu(*worker);
  const auto path = bench::deliverBundle(gpu, here, kTimeout);
  ASSERT_EQ(path.outcome, Outcome::Ok) << path.error.message;
  EXPECT_EQ(gpu.starts(), 2);
  EXPECT_EQ(*readFile(path.value + "/reference/output0.raw"), large);
  EXPECT_EQ(*readFile(path.value + "/reference/output1.raw"), large + "y");
}

TEST_F(GpuHostTest, AConnectionThatNeverLastsIsGivenUp) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  m_ssh.wish("CUT", "100000");
  bench::GpuClient gpu(*worker);
  const auto path = bench::deliverBundle(gpu, bundle(std::string(1 << 20, 'x')), kTimeout);
  EXPECT_EQ(path.outcome, Outcome::ConnectionLost);
  EXPECT_THAT(path.error.message, HasSubstr("The connection to me@gpu was lost during 'put'"));
  EXPECT_EQ(gpu.starts(), 3);
}

TEST_F(GpuHostTest, WhatIsDamagedThereIsSentAgain) {
  const auto worker = gpuWorkerProcess(m_tools, "me@gpu");
  ASSERT_TRUE(worker) << worker.error().message;
  bench::GpuClient gpu(*worker);
  const std::string here = bundle("outputs");
  const auto path = bench::deliverBundle(gpu, here, kTimeout);
  ASSERT_EQ(path.outcome, Outcome::Ok) << path.error.message;
  ASSERT_TRUE(writeFile(path.value + "/pipeline.so", "half"));
  ASSERT_EQ(bench::deliverBundle(gpu, here, kTimeout).outcome, Outcome::Ok);
  EXPECT_EQ(*readFile(path.value + "/pipeline.so"), "library");
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
    EXPECT_THAT(reply.error.message, HasSubstr("is not a file of a bundle"))
        << folderName << " " << name;
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
} // namespace tessera::host

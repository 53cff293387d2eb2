// SPDX-License-Identifier: MIT
// Rotation of logs, several processes with the same logs, and errors of the disk.
#include "engine/record/record.h"
#include "engine/job/child_process.h"
#include "tests/engine/record/log_test.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tessera::record {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class LogFileTest : public test::LogTest {
protected:
  Result<job::ProcessReport> run(int bytes, int count, const std::string &end = {}) const {
    job::ProcessOptions options;
    options.program = tessera::test::testPath("logging_program");
    options.arguments = {folder(), std::to_string(bytes), std::to_string(count)};
    if (!end.empty()) options.arguments.push_back(end);
    return job::runProcess(options, std::chrono::seconds(60));
  }

  // Returns the numbers in the test's lines. A line that is torn, or mixed with another, fails the
  // test.
  std::vector<int> numbers(const std::string &file) const {
    std::vector<int> all;
    for (const std::string &line : lines(file)) {
      const std::string mark = " info: a line of the test number=";
      const std::size_t at = line.find(mark);
      if (at == std::string::npos || line.find(mark, at + 1) != std::string::npos ||
          line.find_first_not_of("0123456789", at + mark.size()) != std::string::npos) {
        ADD_FAILURE() << file << ": " << line;
        continue;
      }
      all.push_back(std::stoi(line.substr(at + mark.size())));
    }
    return all;
  }

  void expectAll(const std::string &file, int count) const {
    const std::vector<int> found = numbers(file);
    ASSERT_EQ(found.size(), std::size_t(count)) << file;
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(found[std::size_t(i)], i + 1) << file;
  }
};

TEST_F(LogFileTest, RotatesAndKeepsTheNewest) {
  constexpr int kBytes = 20'000, kLines = 3000;
  ASSERT_EQ(run(kBytes, kLines)->end, (job::ProcessEnd{}));
  EXPECT_THAT(files(), ElementsAre("logging.1.log", "logging.2.log", "logging.log"));
  std::vector<int> all;
  for (const char *file : {"logging.2.log", "logging.1.log", "logging.log"}) {
    EXPECT_LE(fs::file_size(folder() + "/" + file), std::uintmax_t(kBytes)) << file;
    for (const int number : numbers(file))
      all.push_back(number);
  }
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back(), kLines);
  for (std::size_t i = 1; i < all.size(); ++i)
    ASSERT_EQ(all[i], all[i - 1] + 1) << "nothing is lost where one file ends and the next begins";
}

TEST_F(LogFileTest, TheNextRunGoesOn) {
  ASSERT_TRUE(run(1'000'000, 5));
  ASSERT_TRUE(run(1'000'000, 5));
  EXPECT_THAT(numbers("logging.log"), ElementsAre(1, 2, 3, 4, 5, 1, 2, 3, 4, 5));
}

TEST_F(LogFileTest, SeveralProcessesAtOnceDoNotMix) {
  constexpr int kProcesses = 4, kLines = 2000;
  Record record = Record::open({.folder = folder(), .program = "logging"});
  record.write(Level::Info, "a line of the test", {{"number", 1}}); // logging.log is now in use
  while (record.file().empty())
    std::this_thread::yield();
  std::vector<std::future<Result<job::ProcessReport>>> running;
  for (int i = 0; i < kProcesses; ++i)
    running.push_back(std::async(std::launch::async, [this] { return run(10'000'000, kLines); }));
  for (auto &one : running)
    ASSERT_EQ(one.get()->end, (job::ProcessEnd{}));
  record = {};
  expectAll("logging.log", 1);
  // A process may reuse the file of another that has ended, and append to it.
  std::size_t lines = 0;
  for (const std::string &file : files()) {
    if (file == "logging.log") continue;
    const std::vector<int> found = numbers(file);
    lines += found.size();
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], int(i % kLines) + 1) << file;
  }
  EXPECT_EQ(lines, std::size_t(kProcesses) * kLines);
}

TEST_F(LogFileTest, AProcessThatIsKilledLeavesItsLinesAndItsName) {
  const auto killed = run(1'000'000, 700, "die");
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->end, (job::ProcessEnd{true, SIGKILL}));
  expectAll("logging.log", 700);
  ASSERT_TRUE(run(1'000'000, 1));
  EXPECT_THAT(files(), ElementsAre("logging.log")) << "the kernel let go of the lock";
}

TEST_F(LogFileTest, AFolderThatCannotBeMadeIsSaidOnce) {
  ASSERT_TRUE(host::writeFile(scratch() + "/logs", "a file is here"));
  std::atomic<int> told = 0;
  std::string message;
  Record record = Record::open(place());
  record.onTrouble([&](const Error &error) {
    message = error.message;
    ++told;
  });
  for (int i = 0; i < 100; ++i)
    record.write(Level::Info, "a line", {{"number", i}});
  record = {};
  EXPECT_EQ(told, 1);
  EXPECT_THAT(message, HasSubstr(folder()));
}

TEST_F(LogFileTest, WhoAsksLateIsToldAtOnce) {
  ASSERT_TRUE(host::writeFile(scratch() + "/logs", "a file is here"));
  const Record record = Record::open(place());
  record.write(Level::Info, "a line");
  std::atomic<int> told = 0; // counted in the thread that writes
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (told == 0 && std::chrono::steady_clock::now() < deadline)
    record.onTrouble([&](const Error &) { ++told; });
  EXPECT_EQ(told, 1);
  record.onTrouble([&](const Error &) { ++told; });
  EXPECT_EQ(told, 1) << "once for all";
}

TEST_F(LogFileTest, NobodyIsToldAfterForgetting) {
  ASSERT_TRUE(host::writeFile(scratch() + "/logs", "a file is here"));
  Record record = Record::open(place());
  record.onTrouble([](const Error &) { FAIL(); });
  record.forgetTrouble();
  record.write(Level::Info, "a line");
  record = {};
}

TEST_F(LogFileTest, AFullDiskIsSaidOnceAndLosesLinesAlone) {
  fs::create_directories(folder());
  fs::create_symlink("/dev/full", folder() + "/tessera.log");
  std::atomic<int> told = 0;
  std::string message;
  Record record = Record::open(place());
  record.onTrouble([&](const Error &error) {
    message = error.message;
    ++told;
  });
  for (int i = 0; i < 100; ++i)
    record.write(Level::Error, "a line", {{"number", i}});
  record = {};
  EXPECT_EQ(told, 1);
  EXPECT_THAT(message, HasSubstr("No space left on device"));
}

// The log is a pipe without a reader, so even opening it never returns.
TEST_F(LogFileTest, ADiskThatHangsHoldsNobodyUp) {
  fs::create_directories(folder());
  const std::string path = folder() + "/tessera.log";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  Record record = Record::open(place());
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20'000; ++i) // more lines than the queue holds
    record.write(Level::Error, "a line", {{"number", i}});
  EXPECT_EQ(record.file(), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));

  std::string text;
  std::thread reader([&] {
    const file::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 4096> bytes;
    for (ssize_t got = 0; (got = ::read(fd.get(), bytes.data(), bytes.size())) > 0;)
      text.append(bytes.data(), std::size_t(got));
  });
  record = {};
  reader.join();
  EXPECT_THAT(text, HasSubstr("number=19999\n")) << "the oldest are dropped, not the newest";
}

} // namespace
} // namespace tessera::record

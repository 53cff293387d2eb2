// SPDX-License-Identifier: MIT
// What is no plain file gets the bytes and stays what it is.
#include "engine/file/no_sigpipe.h"
#include "engine/file/unique_fd.h"
#include "tests/engine/file/folder_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace tessera::file {
namespace {

using testing::HasSubstr;

std::string allFrom(int descriptor) {
  std::string all;
  std::array<char, 4096> bytes{};
  for (ssize_t got = 0; (got = ::read(descriptor, bytes.data(), bytes.size())) > 0;)
    all.append(bytes.data(), static_cast<std::size_t>(got));
  return all;
}

class StreamedTest : public test::FolderTest {
protected:
  // More than a pipe holds, so that the writer has to wait for the reader.
  static std::string much() { return std::string(std::size_t{300} << 10, 'm'); }
};

TEST_F(StreamedTest, ADeviceIsWrittenTo) {
  const struct stat before = statusOf("/dev/null");
  for (const std::string &path : {std::string("/dev/null"), link("null", "/dev/null")}) {
    EXPECT_TRUE(writeFile(path, "x")) << path;
    EXPECT_TRUE(writeFile(path, "x", Durability::Rebuildable)) << path;
  }
  EXPECT_EQ(statusOf("/dev/null").st_ino, before.st_ino);
  EXPECT_EQ(statusOf("/dev/null").st_mode, before.st_mode);
  EXPECT_TRUE(S_ISLNK(statusOf(in("null")).st_mode));
}

TEST_F(StreamedTest, AFullDeviceIsTheSystemsFault) {
  const Status written = writeFile("/dev/full", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::System);
  EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
}

TEST_F(StreamedTest, APipeIsWrittenToOnceSomebodyReads) {
  const std::string pipe = in("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string arrived;
  std::thread reader([&] {
    const UniqueFd end(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC));
    arrived = allFrom(end.get());
  });
  EXPECT_TRUE(writeFile(pipe, much()));
  reader.join();
  EXPECT_EQ(arrived, much());
  EXPECT_TRUE(S_ISFIFO(statusOf(pipe).st_mode));
  EXPECT_EQ(entriesIn(folder()), 1U);
}

TEST_F(StreamedTest, AReaderThatLeavesIsAnErrorAndNoSignal) {
  const std::string pipe = in("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread reader([&] { const UniqueFd end(::open(pipe.c_str(), O_RDONLY | O_CLOEXEC)); });
  EXPECT_FALSE(writeFile(pipe, much()));
  reader.join();
}

TEST_F(StreamedTest, ASocketGetsTheBytes) {
  const std::string path = in("socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  const UniqueFd listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(listening.get(), reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listening.get(), 1), 0);
  std::string arrived;
  std::thread reader([&] {
    const UniqueFd end(::accept(listening.get(), nullptr, nullptr));
    arrived = allFrom(end.get());
  });
  EXPECT_TRUE(writeFile(path, much()));
  reader.join();
  EXPECT_EQ(arrived, much());
  EXPECT_TRUE(S_ISSOCK(statusOf(path).st_mode));
}

// As where a shell appends standard output to a file and the user says -o /dev/stdout.
TEST_F(StreamedTest, AnOpenFileIsGoneOnWith) {
  const std::string log = plain("log", "before, ");
  const UniqueFd open(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_TRUE(writeFile("/dev/fd/" + std::to_string(open.get()), "now, "));
  ASSERT_TRUE(writeAll(open.get(), "after"));
  EXPECT_EQ(*readFile(log), "before, now, after");
}

TEST_F(StreamedTest, ADiskIsRefused) {
  if (::mknod(in("disk").c_str(), S_IFBLK | 0600, 0) != 0) GTEST_SKIP() << "no disk can be made";
  const Status written = writeFile(in("disk"), "x");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("a disk"));
  EXPECT_TRUE(S_ISBLK(statusOf(in("disk")).st_mode));
}

} // namespace
} // namespace tessera::file

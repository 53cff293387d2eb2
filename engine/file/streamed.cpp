// SPDX-License-Identifier: MIT
#include "engine/file/streamed.h"

#include "engine/file/no_sigpipe.h"
#include "engine/file/system_error.h"
#include "engine/file/unique_fd.h"
#include "engine/file/write_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

namespace tessera::file {

namespace {

// A pipe is written to once somebody reads it. Nobody waits longer for that, so that a window does
// not hang.
constexpr std::chrono::seconds kReaderTime{10};
constexpr std::chrono::milliseconds kBetweenTries{10};

UniqueFd openPipe(const std::string &path) {
  const auto end = std::chrono::steady_clock::now() + kReaderTime;
  while (true) {
    UniqueFd pipe(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (pipe || errno != ENXIO || std::chrono::steady_clock::now() >= end) return pipe;
    std::this_thread::sleep_for(kBetweenTries);
  }
}

UniqueFd connectTo(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return errno = ENAMETOOLONG, UniqueFd();
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto *generic = reinterpret_cast<const sockaddr *>(&address);
  if (socket && ::connect(socket.get(), generic, sizeof address) != 0) return UniqueFd();
  return socket;
}

UniqueFd opened(const Destination &to) {
  if (to.kind == Kind::OpenFile) return UniqueFd(::fcntl(to.descriptor, F_DUPFD_CLOEXEC, 0));
  if (to.kind == Kind::Pipe) return openPipe(to.path);
  if (to.kind == Kind::Socket) return connectTo(to.path);
  return UniqueFd(::open(to.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
}

} // namespace

Status stream(const Destination &to, std::string_view content, const std::string &path) {
  const NoSigpipe quiet;
  const UniqueFd end = opened(to);
  if (!end && to.kind == Kind::Pipe && errno == ENXIO)
    return Error{ErrorCode::InputRefused, "Cannot write '" + path + "': nobody reads this pipe.",
                 "Start the program that reads it first."};
  if (!end || !writeAll(end.get(), content)) return systemError("Cannot write", path, errno);
  return Done{};
}

} // namespace tessera::file

// SPDX-License-Identifier: MIT
#include "engine/record/log_file.h"

#include "engine/file/unique_fd.h"
#include "engine/job/all_signals_blocked.h"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/file.h>
#include <utility>

namespace tessera::record {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLinesThatWait = 1024;
constexpr int kMostProcesses = 32; // limit for processes of one program that write at the same time
constexpr const char *kPattern = "%Y-%m-%dT%H:%M:%S.%e%z [%P] %l: %v";

spdlog::level::level_enum levelOf(Level level) {
  return level == Level::Info      ? spdlog::level::info
         : level == Level::Warning ? spdlog::level::warn
                                   : spdlog::level::err;
}

// Creates the folder, and its parents where they are missing. Only the user may access the folder.
void makeFolder(const std::string &folder) {
  std::error_code failed;
  if (!fs::create_directories(folder, failed) && !fs::is_directory(folder)) {
    const std::string why = failed ? failed.message() : "it is not a folder";
    throw spdlog::spdlog_ex("cannot make the folder " + folder + ": " + why);
  }
  fs::permissions(folder, fs::perms::owner_all, failed);
}

// A rotating file, with a lock that keeps other processes away. The kernel releases the lock when
// the process ends, however it ends.
class TakenFile {
public:
  explicit TakenFile(const LogPlace &place) {
    makeFolder(place.folder);
    for (int number = 1; number <= kMostProcesses; ++number) {
      const std::string name = place.program + (number == 1 ? "" : "-" + std::to_string(number));
      if (!take(place.folder + "/." + name + ".lock")) continue;
      m_path = place.folder + "/" + name + ".log";
      m_file = std::make_unique<spdlog::sinks::rotating_file_sink_st>(
          m_path, place.bytes, std::max<std::size_t>(place.files, 1) - 1);
      m_file->set_formatter(std::make_unique<spdlog::pattern_formatter>(kPattern));
      return;
    }
    throw spdlog::spdlog_ex("too many processes write their logs to " + place.folder);
  }

  const std::string &path() const { return m_path; }
  spdlog::sinks::rotating_file_sink_st &file() { return *m_file; }

private:
  // Returns false if another process holds the lock.
  bool take(const std::string &lock) {
    m_lock.reset(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!m_lock) throw spdlog::spdlog_ex("cannot make " + lock, errno);
    if (::flock(m_lock.get(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) throw spdlog::spdlog_ex("cannot lock " + lock, errno);
    return false;
  }

  file::UniqueFd m_lock;
  std::string m_path;
  std::unique_ptr<spdlog::sinks::rotating_file_sink_st> m_file;
};

// Opens its file when the first line is written, so that a program without log lines leaves no
// file, and so that only the writing thread waits for a slow disk. If opening fails, there is no
// second attempt.
class LateSink : public spdlog::sinks::base_sink<std::mutex> {
public:
  explicit LateSink(LogPlace place) : m_place(std::move(place)) {}

  // Uses a mutex of its own, because the sink's mutex is held while a line is written to the disk.
  std::string path() {
    const std::lock_guard lock(m_pathMutex);
    return m_path;
  }

protected:
  void sink_it_(const spdlog::details::log_msg &line) override {
    if (!std::exchange(m_isTried, true)) {
      m_file.emplace(m_place);
      const std::lock_guard lock(m_pathMutex);
      m_path = m_file->path();
    }
    if (m_file) m_file->file().log(line);
  }
  void flush_() override {
    if (m_file) m_file->file().flush();
  }

private:
  LogPlace m_place;
  std::optional<TakenFile> m_file;
  bool m_isTried = false;
  std::mutex m_pathMutex;
  std::string m_path;
};

std::shared_ptr<spdlog::details::thread_pool> makeWriter() {
  const job::AllSignalsBlocked blocked; // the writing thread runs no signal handler of the program
  return std::make_shared<spdlog::details::thread_pool>(kLinesThatWait, 1);
}

} // namespace

// Does not use spdlog's registry, which is global.
struct LogFile::Impl {
  explicit Impl(const LogPlace &place)
      : writer(makeWriter()), sink(std::make_shared<LateSink>(place)),
        logger(std::make_shared<spdlog::async_logger>(
            place.program, sink, writer, spdlog::async_overflow_policy::overrun_oldest)) {
    // The writing thread flushes each line, so that a crash loses only lines that are still queued.
    logger->flush_on(spdlog::level::trace);
  }

  std::shared_ptr<spdlog::details::thread_pool> writer;
  std::shared_ptr<LateSink> sink;
  std::shared_ptr<spdlog::async_logger> logger;
};

LogFile::LogFile(LogPlace place)
    : m_place(std::move(place)), m_impl(std::make_unique<Impl>(m_place)) {
  m_impl->logger->set_error_handler([this](const std::string &cause) { trouble(cause); });
}

LogFile::~LogFile() {
  m_impl->writer.reset(); // writes queued lines and ends its thread
}

void LogFile::write(Level level, const std::string &line) {
  m_impl->logger->log(levelOf(level), line);
}

void LogFile::trouble(const std::string &cause) {
  const std::lock_guard lock(m_mutex);
  if (!m_trouble)
    m_trouble = std::make_unique<Error>(Error{ErrorCode::System,
                                              "The log on disk is incomplete: " + cause + ".",
                                              "Everything else still works."});
  if (m_listener && !std::exchange(m_isTold, true)) m_listener(*m_trouble);
}

void LogFile::onTrouble(std::function<void(const Error &)> listener) {
  const std::lock_guard lock(m_mutex);
  m_listener = std::move(listener);
  if (m_listener && m_trouble && !std::exchange(m_isTold, true)) m_listener(*m_trouble);
}

std::string LogFile::path() const { return m_impl->sink->path(); }

} // namespace tessera::record

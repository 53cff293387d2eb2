// SPDX-License-Identifier: MIT
#include "engine/document/journal.h"

#include "engine/document/document_file.h"
#include "engine/document/document_json.h"
#include "engine/host/files.h"
#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace tessera::document {

namespace {

namespace fs = std::filesystem;
using job::textAt;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kJournal = ".journal";
constexpr const char *kLock = ".lock";
constexpr const char *kNew = ".new";
constexpr std::size_t kChecksumDigits = 8;

constexpr const char *kStillSaved = "The next save still keeps everything.";

Error systemError(const std::string &doing, const std::string &path) {
  return {ErrorCode::System, doing + " '" + path + "': " + std::strerror(errno) + ".", kStillSaved};
}

std::uint32_t checksumOf(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(text.data()), text.size()));
}

// One line: a checksum and the JSON, "1a2b3c4d {…}\n".
std::string lineOf(const ordered_json &value) {
  const std::string text = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  std::array<char, kChecksumDigits + 1> checksum{};
  std::snprintf(checksum.data(), checksum.size(), "%08x", checksumOf(text));
  return std::string(checksum.data()) + " " + text + "\n";
}

// nullopt if the line is damaged or incomplete.
std::optional<json> valueOf(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ') return std::nullopt;
  std::uint32_t checksum = 0;
  const char *end = line.data() + kChecksumDigits;
  const auto parsed = std::from_chars(line.data(), end, checksum, 16);
  const std::string_view text = line.substr(kChecksumDigits + 1);
  if (parsed.ec != std::errc{} || parsed.ptr != end || checksumOf(text) != checksum)
    return std::nullopt;
  json value = json::parse(text, nullptr, false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

std::string lineOf(const JournalBase &base) {
  return lineOf({{"tessera", "journal"},
                 {"path", base.path},
                 {"unsaved", base.isUnsaved},
                 {"pipeline", base.document.pipeline()->name()},
                 {"document", documentText(base.document, {}, base.sizes)}});
}

// The intact lines up to the first damaged one. `isWhole` is set to true if no line was damaged.
std::vector<json> linesOf(std::string_view bytes, bool &isWhole) {
  std::vector<json> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    auto value = end == std::string_view::npos ? std::nullopt : valueOf(bytes.substr(0, end));
    if (!value) break;
    lines.push_back(std::move(*value));
    bytes.remove_prefix(end + 1);
  }
  isWhole = bytes.empty();
  return lines;
}

bool flagAt(const json &object, const char *key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_boolean() && at->get<bool>();
}

std::string beside(const std::string &journal, const char *extension) {
  return fs::path(journal).replace_extension(extension).string();
}

bool isHeld(const std::string &lock) {
  const int file = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_EX | LOCK_NB) != 0;
  ::close(file);
  return held;
}

} // namespace

Result<std::unique_ptr<Journal>> Journal::begin(const std::string &folder,
                                                const JournalBase &base) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string lock = folder + "/XXXXXX" + kLock;
  const int file = ::mkostemps(lock.data(), int(std::strlen(kLock)), O_CLOEXEC);
  if (file < 0) return systemError("Cannot keep edits in", folder);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const Error error = systemError("Cannot lock", lock);
    ::close(file);
    return error;
  }
  std::unique_ptr<Journal> journal(
      new Journal(lock.substr(0, lock.size() - std::strlen(kLock)), file));
  journal->rebase(base);
  if (const Status written = journal->flush(); !written) return written.error();
  return journal;
}

Journal::Journal(std::string path, int lock)
    : m_path(std::move(path)), m_lock(lock), m_writer([this] { writeOperations(); }),
      m_keeper([this] { keep(); }) {}

Journal::~Journal() {
  {
    const std::lock_guard lock(m_mutex);
    m_ends = true;
  }
  m_changed.notify_all();
  m_writer.join();
  m_keeper.join();
  if (m_file >= 0) ::close(m_file);
  ::close(m_lock);
}

void Journal::append(Operation operation) {
  Lock lock(m_mutex);
  m_changed.wait(lock, [this] { return !m_next && !m_isWriting; });
  if (m_base) m_since.push_back(operation);
  m_next = std::move(operation);
  m_changed.notify_all();
}

void Journal::rebase(JournalBase base) {
  const Lock lock(m_mutex);
  m_base = std::move(base);
  m_since.clear();
  ++m_rebases;
  m_changed.notify_all();
}

Status Journal::flush() {
  Lock lock(m_mutex);
  m_changed.wait(
      lock, [this] { return !m_next && !m_isWriting && !m_base && !m_isUnsynced && !m_isKeeping; });
  if (m_failed) return *m_failed;
  return Done{};
}

std::optional<Error> Journal::failure() {
  const Lock lock(m_mutex);
  return m_failed;
}

void Journal::discard() {
  (void)flush();
  removeJournal(m_path + kJournal);
}

void Journal::writeOperations() {
  Lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [this] { return m_next || m_ends; });
    if (!m_next) return;
    const Operation operation = *std::exchange(m_next, std::nullopt);
    m_isWriting = true;
    // If an operation could not be written, later ones are not written either, because they build
    // on it. A new base makes the journal complete again.
    const bool hasFailed = m_failed.has_value();
    lock.unlock();
    const Status written = hasFailed ? Status(Done{}) : write(m_file, operation);
    lock.lock();
    m_isWriting = false;
    if (!written) m_failed = written.error();
    m_isUnsynced = m_isUnsynced || !m_failed;
    m_changed.notify_all();
  }
}

Status Journal::write(int file, const Operation &operation) const {
  if (host::writeAll(file, lineOf(toJson(operation)))) return Done{};
  return systemError("Cannot write", m_path + kJournal);
}

void Journal::keep() {
  Lock lock(m_mutex);
  while (true) {
    m_changed.wait(
        lock, [this] { return m_base || m_isUnsynced || (m_ends && !m_next && !m_isWriting); });
    if (!m_base && !m_isUnsynced) return;
    m_isKeeping = true;
    if (m_base)
      placeBase(lock);
    else
      sync(lock);
    m_isKeeping = false;
    m_changed.notify_all();
  }
}

// Written data survives a crash of the program; synced data also survives a crash of the machine.
void Journal::sync(Lock &lock) {
  m_isUnsynced = false;
  lock.unlock();
  const Status synced =
      ::fdatasync(m_file) == 0 ? Status(Done{}) : systemError("Cannot sync", m_path + kJournal);
  lock.lock();
  if (!m_failed && !synced) m_failed = synced.error();
}

// The file gets the base and all operations since then, and takes the place of the journal between
// two operations.
void Journal::placeBase(Lock &lock) {
  const std::uint64_t rebase = m_rebases;
  const JournalBase base = *m_base;
  lock.unlock();
  const std::string path = m_path + kNew;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool isWritten = file >= 0 && host::writeAll(file, lineOf(base)) && ::fsync(file) == 0;
  Status placed = isWritten ? Status(Done{}) : systemError("Cannot write", path);
  lock.lock();
  if (placed) placed = writeSince(lock, file, rebase);
  if (placed && rebase == m_rebases) placed = rename(lock, file);
  if (file >= 0 && file != m_file) ::close(file);
  if (rebase != m_rebases) return; // a newer base is wanted, so keep() calls this again
  m_base.reset();
  m_since.clear();
  m_failed = placed ? std::nullopt : std::optional(placed.error());
}

// Returns when no operation is about to be written, or when a newer base is wanted.
Status Journal::writeSince(Lock &lock, int file, std::uint64_t rebase) {
  while (rebase == m_rebases && (!m_since.empty() || m_next || m_isWriting)) {
    if (m_since.empty()) {
      m_changed.wait(lock);
      continue;
    }
    const std::vector<Operation> since = std::exchange(m_since, {});
    m_isUnsynced = true;
    lock.unlock();
    Status written = Done{};
    for (const Operation &operation : since)
      if (written) written = write(file, operation);
    lock.lock();
    if (!written) return written;
  }
  return Done{};
}

// The folder is synced without the lock, as that takes long.
Status Journal::rename(Lock &lock, int file) {
  const std::string path = m_path + kJournal;
  if (::rename((m_path + kNew).c_str(), path.c_str()) != 0)
    return systemError("Cannot write", path);
  if (m_file >= 0) ::close(m_file);
  m_file = file;
  m_base.reset();
  lock.unlock();
  const Status synced = host::syncFolderOf(path);
  lock.lock();
  if (synced) return Done{};
  return Error{synced.error().code, synced.error().message, kStillSaved};
}

std::vector<Recoverable> findRecoverable(const std::string &folder) {
  std::vector<Recoverable> found;
  std::error_code failed;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, failed)) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != kJournal || isHeld(beside(path, kLock))) continue;
    const auto bytes = host::readFile(path);
    bool isWhole = false;
    const std::vector<json> lines = linesOf(bytes ? *bytes : std::string(), isWhole);
    if (lines.empty() || (lines.size() == 1 && !flagAt(lines.front(), "unsaved"))) {
      removeJournal(path);
      continue;
    }
    const auto written = fs::last_write_time(path, failed);
    found.push_back({path, textAt(lines.front(), "path"), textAt(lines.front(), "pipeline"),
                     lines.size() - 1, std::chrono::file_clock::to_sys(written)});
  }
  std::ranges::sort(found, std::ranges::greater{}, &Recoverable::changed);
  return found;
}

Result<Recovered> recover(const std::string &journal) {
  const auto bytes = host::readFile(journal);
  if (!bytes) return bytes.error();
  bool isWhole = false;
  const std::vector<json> lines = linesOf(*bytes, isWhole);
  if (lines.empty() || textAt(lines.front(), "tessera") != "journal")
    return Error{ErrorCode::InputRefused, "'" + journal + "' is not a journal, or is damaged.", ""};
  auto base = readDocument(textAt(lines.front(), "document"));
  if (!base) return base.error();
  Recovered recovered{{std::move(base->document), textAt(lines.front(), "path"),
                       flagAt(lines.front(), "unsaved") || lines.size() > 1,
                       std::move(base->sizes)},
                      isWhole && base->lost.empty()};
  Document &document = recovered.base.document;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto operation = operationFromJson(document.pipeline(), lines[i]);
    if (operation && document.apply(*operation)) {
      if (isNewStep(*operation)) recovered.base.sizes.forgetAhead();
      continue;
    }
    recovered.isWhole = false;
    break;
  }
  return recovered;
}

void removeJournal(const std::string &journal) {
  std::error_code ignored;
  fs::remove(journal, ignored);
  fs::remove(beside(journal, kNew), ignored);
  fs::remove(beside(journal, kLock), ignored);
}

} // namespace tessera::document

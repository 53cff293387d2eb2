// SPDX-License-Identifier: MIT
#include "engine/bench/device/bundle_store.h"

#include "engine/bench/device/failure.h"
#include "engine/base/sha256.h"
#include "engine/bench/json_reader.h"
#include "engine/file/read_file.h"
#include "engine/file/system_error.h"
#include "engine/file/unique_fd.h"
#include "engine/file/write_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string_view>

namespace tessera::bench {

namespace fs = std::filesystem;

namespace {

using job::Reply;
using job::WorkerRequest;
using nlohmann::json;

constexpr std::size_t kMostBundles = 32;

// Accepts only a name that cannot lead out of its folder.
bool isPlainName(std::string_view name) {
  const auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  };
  return !name.empty() && name.front() != '.' && std::ranges::all_of(name, isPlain);
}

// Empty if there is no such file, or it cannot be read: then it is sent again.
std::string checksumOf(const std::string &path) {
  const auto content = file::readFile(path);
  return content ? sha256Hex(std::as_bytes(std::span(*content))) : std::string();
}

Status append(const std::string &path, std::uint64_t offset, std::string_view content) {
  const int mode = offset > 0 ? O_APPEND : O_TRUNC;
  file::UniqueFd piece(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0600));
  if (!piece || !file::writeAll(piece.get(), content) || !piece.close())
    return file::systemError("Cannot write", path, errno);
  return Done{};
}

template <typename Handler>
Reply answering(const Handler &handler) {
  try {
    return {Outcome::Ok, handler(), {}};
  } catch (const Malformed &problem) {
    refuse(problem.what());
  } catch (const fs::filesystem_error &problem) {
    throw Failure{Outcome::CompileError, {ErrorCode::System, problem.what(), ""}};
  }
}

} // namespace

std::string BundleStore::pathOf(const std::string &folder) const {
  if (!isPlainName(folder)) throw Malformed("'" + folder + "' is not the folder of a bundle");
  return m_folder + "/" + folder;
}

// `name` may contain one folder, as in reference/output0.raw.
std::string BundleStore::pathOf(const std::string &folder, const std::string &name) const {
  const std::size_t slash = name.find('/');
  const bool isGood =
      isPlainName(folder) &&
      (slash == std::string::npos ? isPlainName(name)
                                  : isPlainName(std::string_view(name).substr(0, slash)) &&
                                        isPlainName(std::string_view(name).substr(slash + 1)));
  if (!isGood) throw Malformed("'" + folder + "/" + name + "' is not a file of a bundle");
  return pathOf(folder) + "/" + name;
}

// Another worker may remove the same bundles meanwhile, and one that cannot be removed only takes
// space. So errors are ignored: the bundle that was asked for is of use anyway.
void BundleStore::removeOldest() const {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> bundles;
  for (fs::directory_iterator entry(m_folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored))
    if (entry->is_directory(ignored))
      bundles.emplace_back(entry->last_write_time(ignored), entry->path());
  std::ranges::sort(bundles, std::greater{});
  for (std::size_t i = kMostBundles; i < bundles.size(); ++i)
    fs::remove_all(bundles[i].second, ignored);
}

Reply BundleStore::keep(const WorkerRequest &request) {
  return answering([&] {
    ObjectReader reader(request.fields, "the request to keep a bundle");
    const std::string folder = reader.word("folder"), bundle = pathOf(folder);
    fs::create_directories(bundle);
    json missing = json::array();
    for (const json &file : reader.at("files")) {
      ObjectReader entry(file, "a file of a bundle");
      const std::string name = entry.word("name"), path = pathOf(folder, name);
      fs::create_directories(fs::path(path).parent_path());
      if (checksumOf(path) != entry.word("sha256")) missing.push_back(name);
    }
    fs::last_write_time(bundle, fs::file_time_type::clock::now()); // marks it as recently used
    removeOldest();
    return json{{"path", fs::absolute(bundle).string()}, {"missing", std::move(missing)}};
  });
}

Reply BundleStore::put(const WorkerRequest &request) {
  return answering([&] {
    ObjectReader reader(request.fields, "a piece of a bundle");
    const std::string path = pathOf(reader.word("folder"), reader.word("name"));
    const json &bytes = reader.at("bytes");
    if (!bytes.is_binary()) throw Malformed("a piece of a bundle: 'bytes' is not a byte string");
    const auto offset = reader.number<std::uint64_t>("offset");
    const std::string partial = path + ".part";
    if (offset > 0 && fs::file_size(partial) != offset)
      throw Malformed("a piece of '" + path + "' is not the next one");
    const auto &content = bytes.get_binary();
    valueOrRefuse(
        append(partial, offset, {reinterpret_cast<const char *>(content.data()), content.size()}));
    const std::string checksum = reader.word("sha256");
    if (checksum.empty()) return json::object();
    if (checksumOf(partial) != checksum)
      throw Malformed("'" + path + "' arrived with another checksum");
    fs::rename(partial, path);
    return json::object();
  });
}

} // namespace tessera::bench

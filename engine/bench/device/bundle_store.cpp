// SPDX-License-Identifier: MIT
#include "engine/bench/device/bundle_store.h"

#include "engine/bench/device/failure.h"
#include "engine/bench/device/whole_file.h"
#include "engine/base/sha256.h"
#include "engine/bench/json_reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
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

std::string checksumOf(const std::string &path) {
  const std::string content = readWholeFile(path);
  return sha256Hex(std::as_bytes(std::span(content)));
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

// `name` may contain one folder, as in reference/output0.raw.
std::string BundleStore::pathOf(const std::string &folder, const std::string &name) const {
  const std::size_t slash = name.find('/');
  const bool isGood =
      isPlainName(folder) &&
      (slash == std::string::npos ? isPlainName(name)
                                  : isPlainName(std::string_view(name).substr(0, slash)) &&
                                        isPlainName(std::string_view(name).substr(slash + 1)));
  if (!isGood) throw Malformed("'" + folder + "/" + name + "' is not a file of a bundle");
  return m_folder + "/" + folder + "/" + name;
}

void BundleStore::removeOldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> bundles;
  for (const fs::directory_entry &entry : fs::directory_iterator(m_folder))
    if (entry.is_directory()) bundles.emplace_back(entry.last_write_time(), entry.path());
  std::ranges::sort(bundles, std::greater{});
  for (std::size_t i = kMostBundles; i < bundles.size(); ++i)
    fs::remove_all(bundles[i].second);
}

Reply BundleStore::keep(const WorkerRequest &request) {
  return answering([&] {
    ObjectReader reader(request.fields, "the request to keep a bundle");
    const std::string folder = reader.word("folder");
    json missing = json::array();
    for (const json &file : reader.at("files")) {
      ObjectReader entry(file, "a file of a bundle");
      const std::string name = entry.word("name"), path = pathOf(folder, name);
      fs::create_directories(fs::path(path).parent_path());
      if (!fs::exists(path) || checksumOf(path) != entry.word("sha256")) missing.push_back(name);
    }
    const std::string path = m_folder + "/" + folder;
    fs::last_write_time(path, fs::file_time_type::clock::now()); // marks it as recently used
    removeOldest();
    return json{{"path", fs::absolute(path).string()}, {"missing", std::move(missing)}};
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
    std::ofstream file(partial, std::ios::binary | (offset > 0 ? std::ios::app : std::ios::trunc));
    const auto &content = bytes.get_binary();
    file.write(reinterpret_cast<const char *>(content.data()),
               static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) refuse("'" + partial + "' cannot be written.");
    const std::string checksum = reader.word("sha256");
    if (checksum.empty()) return json::object();
    if (checksumOf(partial) != checksum)
      throw Malformed("'" + path + "' arrived with another checksum");
    fs::rename(partial, path);
    return json::object();
  });
}

} // namespace tessera::bench

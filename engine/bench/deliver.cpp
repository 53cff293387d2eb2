// SPDX-License-Identifier: MIT
#include "engine/bench/deliver.h"

#include "engine/base/sha256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace tessera::bench {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr std::size_t kPieceBytes = std::size_t{8} << 20;
constexpr int kMostConnections = 3; // each connection sends only what is still missing

struct BundleFile {
  std::string name; // path inside the bundle
  std::string content, sha256;
};

// Measuring needs neither the object file nor the source texts.
bool isNeeded(const fs::path &path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".so" || extension == ".ptx" ||
         extension == ".cubin" || extension == ".raw";
}

Result<std::vector<BundleFile>> filesOf(const std::string &bundle) {
  std::vector<BundleFile> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(bundle, error), end; !error && at != end;
       at.increment(error)) {
    if (!at->is_regular_file() || !isNeeded(at->path())) continue;
    std::ifstream stream(at->path(), std::ios::binary);
    BundleFile file{at->path().lexically_relative(bundle).string(),
                    {std::istreambuf_iterator<char>(stream), {}},
                    {}};
    if (!stream.is_open() || stream.bad())
      return Error{ErrorCode::System, "'" + at->path().string() + "' cannot be read.", ""};
    file.sha256 = sha256Hex(std::as_bytes(std::span(file.content)));
    files.push_back(std::move(file));
  }
  if (error) return Error{ErrorCode::System, "'" + bundle + "': " + error.message(), ""};
  std::ranges::sort(files, {}, &BundleFile::name);
  return files;
}

// The name of the bundle's folder on the other machine: a checksum of the names and contents of the
// files that it needs there.
std::string folderFor(const std::vector<BundleFile> &files) {
  std::string all;
  for (const BundleFile &file : files)
    all += file.name + " " + file.sha256 + "\n";
  return "bundle-" + sha256Hex(std::as_bytes(std::span(all))).substr(0, 24);
}

// Returns the reply of the first request that failed, or else the reply of "keep".
job::Reply send(GpuClient &gpu, const std::vector<BundleFile> &files,
                std::chrono::milliseconds timeout, const std::stop_token &stop,
                const job::ProgressCallback &progress) {
  const std::string folder = folderFor(files);
  json wanted = json::array();
  for (const BundleFile &file : files)
    wanted.push_back({{"name", file.name}, {"sha256", file.sha256}});
  job::Reply kept = gpu.request("keep", {{"folder", folder}, {"files", wanted}}, timeout, stop);
  if (kept.outcome != Outcome::Ok) return kept;
  const json &missing = kept.body["missing"];
  for (const BundleFile &file : files) {
    if (std::find(missing.begin(), missing.end(), file.name) == missing.end()) continue;
    for (std::size_t offset = 0; offset == 0 || offset < file.content.size();
         offset += kPieceBytes) {
      if (progress)
        progress({"sending " + file.name,
                  static_cast<double>(offset) / static_cast<double>(file.content.size() + 1)});
      const std::string piece = file.content.substr(offset, kPieceBytes);
      const bool isLast = offset + kPieceBytes >= file.content.size();
      job::Reply put = gpu.request("put",
                                   {{"folder", folder},
                                    {"name", file.name},
                                    {"offset", offset},
                                    {"bytes", json::binary({piece.begin(), piece.end()})},
                                    {"sha256", isLast ? file.sha256 : ""}},
                                   timeout, stop);
      if (put.outcome != Outcome::Ok) return put;
    }
  }
  return kept;
}

} // namespace

GpuAnswer<std::string> deliverBundle(GpuClient &gpu, const std::string &bundle,
                                     std::chrono::milliseconds timeout, std::stop_token stop,
                                     const job::ProgressCallback &progress) {
  const auto files = filesOf(bundle);
  if (!files) return {Outcome::CompileError, {}, files.error()};
  job::Reply reply;
  for (int i = 0; i < kMostConnections; ++i) {
    reply = send(gpu, *files, timeout, stop, progress);
    if (reply.outcome != Outcome::ConnectionLost) break;
  }
  if (reply.outcome != Outcome::Ok) return {reply.outcome, {}, std::move(reply.error)};
  return {Outcome::Ok, reply.body["path"].get<std::string>(), {}};
}

} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "engine/host/trust.h"

#include "engine/host/files.h"
#include "engine/base/sha256.h"
#include "engine/file/user_folder.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tessera::host {

Result<std::string> fileHash(const std::string &path) {
  const Result<std::string> content = readFile(path);
  if (!content) return content.error();
  return sha256Hex(std::as_bytes(std::span(*content)));
}

TrustStore::TrustStore(std::string file) : m_file(std::move(file)) {
  const Result<std::string> content = readFile(m_file);
  if (!content || !file::isOwnFile(m_file)) return; // nothing is trusted yet
  // If the store is damaged, nothing is trusted, and the user is asked again.
  const auto json = nlohmann::json::parse(*content, nullptr, false);
  if (!json.is_object()) return;
  const auto files = json.find("files");
  if (files == json.end() || !files->is_array()) return;
  for (const auto &entry : *files) {
    if (!entry.is_object() || !entry.contains("sha256") || !entry["sha256"].is_string()) continue;
    m_entries.push_back(
        {entry["sha256"].get<std::string>(), entry.contains("path") && entry["path"].is_string()
                                                 ? entry["path"].get<std::string>()
                                                 : std::string()});
  }
}

bool TrustStore::isTrusted(const std::string &hash) const {
  const std::lock_guard lock(m_mutex);
  for (const Entry &entry : m_entries)
    if (entry.hash == hash) return true;
  return false;
}

Status TrustStore::trust(const std::string &hash, const std::string &path) {
  const std::lock_guard lock(m_mutex);
  for (const Entry &entry : m_entries)
    if (entry.hash == hash) return Done{};
  m_entries.push_back({hash, path});
  if (m_file.empty()) return Done{};
  nlohmann::ordered_json json;
  json["format"] = "tessera.trust";
  json["version"] = 1;
  json["files"] = nlohmann::ordered_json::array();
  for (const Entry &entry : m_entries)
    json["files"].push_back({{"sha256", entry.hash}, {"path", entry.path}});
  return writeFile(m_file, json.dump(2) + "\n");
}

} // namespace tessera::host

// SPDX-License-Identifier: MIT
#include "engine/open/scratch_paths.h"

#include "engine/job/json_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

namespace tessera::open {
namespace {

using nlohmann::json;

// The scratch folders of all strings in a request.
void collectFolders(const json &value, std::set<std::string> &folders) {
  if (value.is_string()) {
    if (std::string folder = ownScratchFolderOf(value.get<std::string>()); !folder.empty())
      folders.insert(std::move(folder));
  } else if (value.is_structured()) {
    for (const json &part : value)
      collectFolders(part, folders);
  }
}

void eraseAll(std::string &text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

} // namespace

std::string scratchFolderOf(const std::string &path) {
  constexpr std::string_view kMark = "/scratch.";
  constexpr std::size_t kRandom = 6; // what mkdtemp() makes of XXXXXX
  const std::size_t at = path.rfind(kMark);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + kMark.size(), end = std::min(path.find('/', begin), path.size());
  const bool isMade = end - begin == kRandom &&
                      std::all_of(path.begin() + static_cast<std::ptrdiff_t>(begin),
                                  path.begin() + static_cast<std::ptrdiff_t>(end),
                                  [](unsigned char letter) { return std::isalnum(letter) != 0; });
  return isMade ? path.substr(0, end) + "/" : std::string();
}

std::string ownScratchFolderOf(const std::string &path) {
  const std::string folder = scratchFolderOf(path);
  const std::filesystem::path around = std::filesystem::path(folder).parent_path().parent_path();
  std::error_code failed;
  const std::filesystem::path asked = std::filesystem::temp_directory_path(failed) / "";
  const bool isOfOthers = around == P_tmpdir || around == asked.parent_path();
  return isOfOthers ? std::string() : folder;
}

Error withoutScratchFolders(Error error, const json &request) {
  std::set<std::string> folders;
  collectFolders(request, folders);
  if (folders.empty()) return error;
  for (const char *named : {"path", "unscheduled"}) {
    const std::string file = job::textAt(request, named);
    if (!file.empty() && folders.contains(scratchFolderOf(file)) &&
        error.message.starts_with(file + ": "))
      error.message.erase(0, file.size() + 2);
  }
  for (std::string *text : {&error.message, &error.hint})
    for (const std::string &folder : folders)
      eraseAll(*text, folder);
  return error;
}

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/files.h"
#include "engine/host/trust.h"
#include "tests/support/build_paths.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::test {

// Names that only a user's pipeline contains: of funcs and buffers, of a file and of its folder.
inline constexpr std::array<std::string_view, 5> kTelltales{"zaqxwv", "quokk", "ocelot", "pangolin",
                                                            "wombats"};

// Writes the sample blur under those names: FOLDER/wombats/pangolin.hlpipe, whose ocelot reads
// zaqxwv, which reads quokk. The new names have the length of the old ones, so the file stays
// valid.
inline Result<std::string> writeTelltale(const std::string &folder) {
  const auto renamed = [](std::string text) {
    for (const auto &[from, to] :
         {std::pair<std::string_view, std::string_view>{"blur_x", "zaqxwv"},
          {"input", "quokk"},
          {"output", "ocelot"}})
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, from.size(), to);
    return text;
  };
  const std::string sample = tessera::test::sharePath("samples/blur.hlpipe");
  const auto pipeline = host::readFile(sample);
  if (!pipeline) return pipeline.error();
  std::error_code failed;
  std::filesystem::create_directories(folder + "/wombats", failed);
  const std::string path = folder + "/wombats/pangolin.hlpipe";
  if (const Status written = host::writeFile(path, renamed(*pipeline)); !written)
    return written.error();
  const auto estimates = host::readFile(tessera::test::sharePath("samples/blur.estimates.json"));
  const auto before = host::fileHash(sample), after = host::fileHash(path);
  if (!estimates || !before || !after) return Error{ErrorCode::System, "no estimates", ""};
  std::string sidecar = *estimates;
  for (const auto &[from, to] : {std::pair<std::string, std::string>{"\"input\"", "\"quokk\""},
                                 {"\"output\"", "\"ocelot\""},
                                 {*before, *after}})
    sidecar.replace(sidecar.find(from), from.size(), to);
  const Status written = host::writeFile(folder + "/wombats/pangolin.estimates.json", sidecar);
  return written ? Result<std::string>(path) : Result<std::string>(written.error());
}

// Returns the telltale names that `text` contains, and "/" if it contains any path.
inline std::vector<std::string> telltalesIn(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view name : kTelltales)
    if (text.find(name) != std::string_view::npos) found.emplace_back(name);
  if (text.find('/') != std::string_view::npos) found.emplace_back("/");
  return found;
}

} // namespace tessera::test

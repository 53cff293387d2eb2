// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::session {

// What a document's schedules are run on: files for some inputs, random numbers for the others.
struct RunInputs {
  struct File {
    std::string input, path;

    friend bool operator==(const File &, const File &) = default;
  };
  std::vector<File> files; // by name; at most one for an input
  int seed = 1;            // of the others

  // Empty: it is random.
  std::string pathOf(std::string_view input) const {
    const auto file = std::ranges::find(files, input, &File::input);
    return file == files.end() ? std::string() : file->path;
  }
  RunInputs with(const std::string &input, const std::string &path) const {
    RunInputs changed = *this;
    std::erase_if(changed.files, [&](const File &file) { return file.input == input; });
    if (!path.empty()) changed.files.push_back({input, path});
    std::ranges::sort(changed.files, {}, &File::input);
    return changed;
  }

  friend bool operator==(const RunInputs &, const RunInputs &) = default;
};

} // namespace tessera::session

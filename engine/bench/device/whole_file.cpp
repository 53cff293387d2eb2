// SPDX-License-Identifier: MIT
#include "engine/bench/device/whole_file.h"

#include "engine/bench/device/failure.h"

#include <algorithm>
#include <fstream>

namespace tessera::bench {

std::string readWholeFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file.is_open()) refuse("'" + path + "' cannot be opened.");
  std::string content(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())), '\0');
  file.seekg(0);
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.good()) refuse("'" + path + "' cannot be read.");
  return content;
}

} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "engine/bench/device/whole_file.h"

#include "engine/bench/device/failure.h"

#include <fstream>
#include <iterator>

namespace tessera::bench {

std::string readWholeFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) refuse("'" + path + "' cannot be read.");
  if (!file.is_open()) refuse("'" + path + "' cannot be opened.");
  return content;
}

} // namespace tessera::bench

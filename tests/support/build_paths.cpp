// SPDX-License-Identifier: MIT
#include "tests/support/build_paths.h"

namespace tessera::test {
namespace {

std::string in(std::string folder, std::string_view inside) {
  if (!inside.empty()) folder.append("/").append(inside);
  return folder;
}

} // namespace

std::string sourcePath(std::string_view inside) {
  if (inside.starts_with('/')) return std::string(inside);
  return in(TESSERA_TEST_SOURCE_DIR, inside);
}

std::string binPath(std::string_view inside) { return in(TESSERA_TEST_BUILD_DIR "/bin", inside); }

std::string sharePath(std::string_view inside) { return in(TESSERA_TEST_SHARE_DIR, inside); }

std::string testPath(std::string_view inside) {
  return in(TESSERA_TEST_BUILD_DIR "/tests", inside);
}

} // namespace tessera::test

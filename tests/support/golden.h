// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tessera::testing {

// Compares the text with the file tests/golden/<name>, where the name is "<test file>/<case>".
// After an intended change, run the test once with TESSERA_UPDATE_GOLDENS=1 and review the
// difference that git shows.
inline void expectGolden(const std::string &name, const std::string &text) {
  const auto path = std::filesystem::path(tessera::test::sourcePath("tests/golden/" + name));
  if (const char *update = std::getenv("TESSERA_UPDATE_GOLDENS"); update && *update == '1') {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; TESSERA_UPDATE_GOLDENS=1 writes it";
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, golden) << "differs from " << path << "; TESSERA_UPDATE_GOLDENS=1 updates it";
}

} // namespace tessera::testing

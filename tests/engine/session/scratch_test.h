// SPDX-License-Identifier: MIT
#pragma once

#include "engine/session/files.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::session::test {

// A test with a folder of its own that vanishes with it.
class ScratchTest : public testing::Test {
protected:
  const std::string &folder() const { return m_folder->path(); }

  std::string file(const std::string &name, std::string_view content) {
    const std::string path = folder() + "/" + name;
    const Status written = writeFile(path, content);
    EXPECT_TRUE(written) << (written ? "" : written.error().message);
    return path;
  }

private:
  Result<ScratchFolder> m_folder = ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::session::test

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/files.h"
#include "engine/host/tools.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tessera::host::test {

// A test with a folder of its own, which is removed at the end.
class ScratchTest : public testing::Test {
protected:
  const std::string &folder() const { return m_folder->path(); }

  std::string file(const std::string &name, std::string_view content) {
    std::string path = folder() + "/" + name;
    const Status written = writeFile(path, content);
    EXPECT_TRUE(written) << (written ? "" : written.error().message);
    return path;
  }

  // Returns the path of a ptxas that assembles nothing and writes its arguments to ptxasNotes().
  std::string notingPtxas() {
    std::string path = file("ptxas", "#!/bin/sh\necho \"$@\" >>" + ptxasNotes() + "\nexit 1\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::string ptxasNotes() const { return folder() + "/ptxas_notes"; }

  // Returns the programs of this build, with the folder as the home folder.
  ToolPaths builtTools() const {
    ToolSearch search;
    search.programPath = tessera::test::binPath("tessera-cli");
    search.searchPath = "/usr/local/bin:/usr/bin:/bin";
    search.home = folder();
    search.halideRoot = tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT);
    return findTools(search);
  }

private:
  Result<ScratchFolder> m_folder = ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::host::test

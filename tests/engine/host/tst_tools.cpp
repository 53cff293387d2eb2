// SPDX-License-Identifier: MIT
// The places where NVIDIA's programs are searched, and their order.
#include "engine/host/tools.h"
#include "tests/engine/host/scratch_test.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tessera::host {
namespace {

namespace fs = std::filesystem;

class ToolsTest : public host::test::ScratchTest {
protected:
  // Creates an executable at this path below the root and returns its path.
  std::string program(const std::string &name) const {
    const fs::path path = root() / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(writeFile(path.string(), "#!/bin/sh\n"));
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  ToolPaths found() const {
    ToolSearch search;
    search.programPath = root() / "bin/tessera-cli";
    search.searchPath = root() / "path";
    search.cudaHome = root() / "cuda";
    search.halideRoot = root() / "site-packages/halide/";
    return findTools(search);
  }

private:
  fs::path root() const { return fs::path(folder()).lexically_normal(); }
};

TEST_F(ToolsTest, NothingIsFoundWhereNothingIs) {
  EXPECT_EQ(found().ptxas, "");
  EXPECT_EQ(found().disassembler, "");
}

TEST_F(ToolsTest, TheSearchPathIsFirstThenTheToolkitThenTheWheels) {
  const std::string wheel = program("site-packages/nvidia/cu13/bin/ptxas");
  EXPECT_EQ(found().ptxas, wheel);
  const std::string toolkit = program("cuda/bin/ptxas");
  EXPECT_EQ(found().ptxas, toolkit);
  const std::string own = program("path/ptxas");
  EXPECT_EQ(found().ptxas, own);
}

TEST_F(ToolsTest, TheUsersFolderIsBeforeAll) {
  program("path/ptxas");
  const std::string chosen = program("chosen/bin/ptxas");
  ToolSearch search;
  search.searchPath = fs::path(chosen).parent_path().parent_path().parent_path() / "path";
  search.cudaFolder = fs::path(chosen).parent_path().parent_path();
  EXPECT_EQ(findTools(search).ptxas, chosen);
}

// The toolkit has no disassembler, but there is a Python wheel with one.
TEST_F(ToolsTest, EachProgramIsLookedForOnItsOwn) {
  const std::string assembler = program("cuda/bin/ptxas");
  const std::string wheel = program("site-packages/nvidia/cu13/bin/nvdisasm");
  EXPECT_EQ(found().ptxas, assembler);
  EXPECT_EQ(found().disassembler, wheel);
  const std::string nearer = program("cuda/bin/cuobjdump");
  EXPECT_EQ(found().disassembler, nearer);
  const std::string better = program("cuda/bin/nvdisasm");
  EXPECT_EQ(found().disassembler, better);
}

TEST_F(ToolsTest, WhatCannotBeRunIsNotFound) {
  fs::permissions(program("path/ptxas"), fs::perms::owner_read);
  fs::permissions(program("cuda/bin/ptxas"), fs::perms::owner_read);
  EXPECT_EQ(found().ptxas, "");
}

} // namespace
} // namespace tessera::host

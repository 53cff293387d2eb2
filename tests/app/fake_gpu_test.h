// SPDX-License-Identifier: MIT
#pragma once

#include "tests/app/cli_test.h"
#include "tests/engine/bench/fake_ssh.h"
#include "tests/support/build_paths.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera::app::test {

inline const std::string kBundle = tessera::test::testPath("measured_bundle");
inline const std::string kRight = "write \"" + kBundle + "/reference/output0.raw\" ";

// Runs the command line with fakes of NVIDIA's libraries (tests/engine/bench/fake_cuda.cpp).
class FakeGpuTest : public CliTest {
protected:
  FakeGpuTest() {
    ::setenv("LD_LIBRARY_PATH", tessera::test::testPath("fake_cuda").c_str(), 1);
    wish(kRight);
    // The runtime that all bundles share is compiled once, with the bundle of the tests.
    std::filesystem::create_directories(home() + "/.cache/tessera");
    std::filesystem::create_directory_symlink(kBundle + "/../cache/tessera/runtime",
                                              home() + "/.cache/tessera/runtime");
  }

  static void wish(const std::string &wishes) { ::setenv("TESSERA_FAKE_CUDA", wishes.c_str(), 1); }

  // Puts a fake ptxas first in the search path. It assembles nothing and records its arguments.
  void useNotingPtxas() {
    const std::string folder = home() + "/bin", path = folder + "/ptxas";
    std::filesystem::create_directories(folder);
    EXPECT_TRUE(host::writeFile(path, "#!/bin/sh\necho \"$@\" >>" + ptxasNotes() + "\nexit 1\n"));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder + ":" + std::getenv("PATH")).c_str(), 1);
  }
  std::string ptxasNotes() const { return home() + "/ptxas_notes"; }

  // Puts a fake ssh first in the search path. It runs the commands on this machine.
  void useFakeSsh() {
    std::filesystem::create_directories(home() + "/bin");
    std::filesystem::create_symlink(bench::test::FakeSsh::program(), home() + "/bin/ssh");
    ::setenv("PATH", (home() + "/bin:" + std::getenv("PATH")).c_str(), 1);
    m_ssh.emplace(home());
  }

  std::optional<bench::test::FakeSsh> m_ssh;
};

} // namespace tessera::app::test

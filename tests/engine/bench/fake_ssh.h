// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/build_paths.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace tessera::bench::test {

// Runs the script fake_ssh, an ssh that stays on this machine, and tells it how to misbehave.
class FakeSsh {
public:
  explicit FakeSsh(std::string folder) : m_folder(std::move(folder)) {
    ::setenv("FAKE_SSH_HOME", there().c_str(), 1);
    ::setenv("FAKE_SSH_LOG", log().c_str(), 1);
    for (const char *wish : {"BIN", "SAYS", "CUT", "DROPS", "AWAY"})
      ::unsetenv(nameOf(wish).c_str());
  }

  static std::string program() { return tessera::test::sourcePath("tests/engine/bench/fake_ssh"); }
  static void wish(const std::string &what, const std::string &value) {
    ::setenv(nameOf(what).c_str(), value.c_str(), 1);
  }

  // The home folder of the "other" machine.
  std::string there() const { return m_folder + "/there"; }
  std::string log() const { return m_folder + "/log"; }
  std::string asked() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), {}};
  }

private:
  static std::string nameOf(const std::string &wish) { return "FAKE_SSH_" + wish; }

  std::string m_folder;
};

} // namespace tessera::bench::test

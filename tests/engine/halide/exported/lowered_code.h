// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::halide::testing {

class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string file(const std::string &name) const { return m_path + "/" + name; }

private:
  std::string m_path;
};

std::string contentOf(const std::string &path);

inline constexpr const char *kTimedOut = "it did not end in time";

// Runs a program to its end. What it said where it failed; nothing where it did not.
std::optional<std::string> failureOf(const std::string &program,
                                     std::vector<std::string> arguments);
// The same, where a failure is one of the test.
bool run(const std::string &program, std::vector<std::string> arguments);

// Lowered code is the same but for the names that Halide makes up.
void expectSameCode(const std::string &ours, const std::string &theirs);

// The PTX in lowered code.
std::string ptxIn(const std::string &code);

} // namespace tessera::halide::testing

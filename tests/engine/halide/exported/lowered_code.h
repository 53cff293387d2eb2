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

// Runs a program to its end. Returns its messages if it failed, and nothing otherwise.
std::optional<std::string> failureOf(const std::string &program,
                                     std::vector<std::string> arguments);
// As failureOf(), but a failure also fails the test.
bool run(const std::string &program, std::vector<std::string> arguments);

// Expects equal lowered code, except for the names that Halide makes up.
void expectSameCode(const std::string &ours, const std::string &theirs);

// Returns the PTX in lowered code.
std::string ptxIn(const std::string &code);

} // namespace tessera::halide::testing

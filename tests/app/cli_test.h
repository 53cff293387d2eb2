// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/files.h"
#include "engine/job/child_process.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app::test {

inline const std::string kSamples = tessera::test::sharePath("samples/");

// Runs the real tessera-cli with its own home folder.
class CliTest : public testing::Test {
protected:
  struct Ran {
    int code = -1;
    std::string output, errors;
  };

  Ran run(std::vector<std::string> arguments, const std::string &stateHome = {}) {
    return runWith({{"XDG_STATE_HOME", stateHome}}, std::move(arguments));
  }

  // Runs it with these variables in its environment instead of the usual ones.
  Ran runWith(const std::map<std::string, std::string> &variables,
              std::vector<std::string> arguments) {
    return runToEnd({.program = kProgram,
                     .arguments = std::move(arguments),
                     .environment = environment(variables)});
  }

  // Runs a script of the shell, in which "$@" is tessera-cli with these arguments.
  Ran runIn(const std::string &script, const std::vector<std::string> &arguments) {
    std::vector<std::string> words{"-c", script, "bash", kProgram};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return runToEnd({.program = "/bin/bash", .arguments = words, .environment = environment({})});
  }

  std::vector<std::pair<std::string, std::string>>
  environment(std::map<std::string, std::string> variables) const {
    variables.insert({{"HOME", home()},
                      {"XDG_CACHE_HOME", ""},
                      {"XDG_CONFIG_HOME", ""},
                      {"XDG_STATE_HOME", ""}});
    return {variables.begin(), variables.end()};
  }

  std::string home() const { return m_scratch->path(); }

  const std::string kProgram = tessera::test::binPath("tessera-cli");

private:
  static Ran runToEnd(const job::ProcessOptions &options) {
    const auto report = job::runProcess(options, std::chrono::minutes(3));
    EXPECT_TRUE(report);
    if (!report) return {};
    EXPECT_FALSE(report->end.signalled) << report->errors;
    return {report->end.value, report->output, report->errors};
  }

  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

#define SKIP_WITHOUT_OPENCL(ran)                                                                   \
  if (((ran).output + (ran).errors).find("no OpenCL device") != std::string::npos)                 \
  GTEST_SKIP() << (ran).output << (ran).errors

} // namespace tessera::app::test

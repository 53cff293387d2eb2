// SPDX-License-Identifier: MIT
#pragma once

#include "engine/host/files.h"
#include "engine/job/child_process.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
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
    const auto report = job::runProcess({.program = tessera::test::binPath("tessera-cli"),
                                         .arguments = std::move(arguments),
                                         .environment = {{"HOME", home()},
                                                         {"XDG_CACHE_HOME", ""},
                                                         {"XDG_CONFIG_HOME", ""},
                                                         {"XDG_STATE_HOME", stateHome}}},
                                        std::chrono::seconds(60));
    EXPECT_TRUE(report);
    if (!report) return {};
    EXPECT_FALSE(report->end.signalled) << report->errors;
    return {report->end.value, report->output, report->errors};
  }

  std::string home() const { return m_scratch->path(); }

private:
  Result<host::ScratchFolder> m_scratch = host::ScratchFolder::create(testing::TempDir());
};

} // namespace tessera::app::test

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/open.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tessera::open::test {

// A test that opens files with the real worker, plugin and sandbox, and with nobody's permissions.
class OpenTest : public host::test::ScratchTest {
protected:
  OpenTest() {
    m_tools = builtTools();
    m_trust = std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json");
    m_opener = std::make_unique<PipelineOpener>(m_tools, m_trust);
  }

  void trust(const std::string &path) { ASSERT_TRUE(m_trust->trust(*host::fileHash(path), path)); }

  Result<OpenedPipeline> open(OpenRequest request) { return m_opener->open(request); }

  // Opens, expects a refusal and returns it.
  Error refusal(OpenRequest request) {
    const auto opened = m_opener->open(request);
    EXPECT_FALSE(opened);
    return opened ? Error{} : opened.error();
  }

  const std::string m_library = tessera::test::testPath("libtwo_generators.so");
  host::ToolPaths m_tools;
  std::shared_ptr<host::TrustStore> m_trust;
  std::unique_ptr<PipelineOpener> m_opener;
};

} // namespace tessera::open::test

// SPDX-License-Identifier: MIT
// Other autoschedulers, run by the real worker: one of Halide's, and a fake one that fails as the
// test asks (tests/data/fake_peer.cpp).
#pragma once

#include "engine/tune/peer_run.h"

#include "engine/host/machines.h"
#include "engine/host/trust.h"
#include "tests/engine/host/scratch_test.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tessera::tune::test {

class PeersTest : public host::test::ScratchTest {
protected:
  PeersTest()
      : m_tools(builtTools()),
        m_opener(m_tools, std::make_shared<host::TrustStore>(m_tools.configDir + "/trust.json")),
        m_machine(*machineFor(host::kDefaultMachine, m_tools)) {}

  open::OpenedPipeline blur(std::vector<open::EstimateOverride> estimates = {}) {
    auto opened = m_opener.open(
        {.path = m_tools.samples + "/blur.hlpipe", .estimates = std::move(estimates)});
    EXPECT_TRUE(opened);
    return *opened;
  }

  PeerRun run(const open::OpenedPipeline &opened, const Peer &peer,
              std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    return runPeer({peer, opened, m_machine, folder() + "/peers", timeout}, m_tools, m_opener);
  }

  static Peer fake(const std::string &does) {
    const std::string library = tessera::test::testPath("libfake_peer.so");
    return {"fake", "Fake", "Fake", "", library, {{"does", does}}};
  }

  Peer shipped(const std::string &word) const {
    return chosenPeers(peersFor(m_machine, m_tools), {word})->front();
  }

  host::ToolPaths m_tools;
  open::PipelineOpener m_opener;
  machine::Machine m_machine;
};

} // namespace tessera::tune::test

// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

#include <memory>
#include <string>

namespace tessera::halide::testing {

// A folder of its own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string file(const std::string &name) const { return m_path + "/" + name; }

private:
  std::string m_path;
};

// Writes the pipeline as the plugin does, opens it again and makes the pipeline value of it.
Result<pipeline::PipelineParts> roundTrip(const Halide::Pipeline &pipeline,
                                          const std::vector<EstimateOverride> &estimates = {});

// As a test that cannot go on without it wants it.
pipeline::PipelineParts imported(const Halide::Pipeline &pipeline,
                                 const std::vector<EstimateOverride> &estimates = {});

// The only stage of a func, its update, the loads of a producer.
const pipeline::Stage &stageOf(const pipeline::PipelineParts &parts, const std::string &func,
                               std::uint32_t index = 0);
const pipeline::Func &funcOf(const pipeline::PipelineParts &parts, const std::string &name);
const pipeline::Input &inputOf(const pipeline::PipelineParts &parts, const std::string &name);
// The hull of what the stage reads of a producer for one tile.
pipeline::Box footprintOf(const pipeline::PipelineParts &parts, const pipeline::Stage &stage,
                          const std::string &producer, const std::vector<pipeline::Interval> &tile);

} // namespace tessera::halide::testing

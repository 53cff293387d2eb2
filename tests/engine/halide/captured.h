// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"

#include <Halide.h>

#include <memory>
#include <string>

namespace tessera::halide::testing {

// A new folder, which is removed at the end.
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

// Writes the pipeline as the plugin does, reads it again and imports it.
Result<pipeline::PipelineParts> roundTrip(const Halide::Pipeline &pipeline,
                                          const std::vector<EstimateOverride> &estimates = {});

// As roundTrip(), for tests that cannot go on without the result.
pipeline::PipelineParts imported(const Halide::Pipeline &pipeline,
                                 const std::vector<EstimateOverride> &estimates = {});

// These look up by name a stage of a func (index 0 is the pure stage), a func, and an input.
const pipeline::Stage &stageOf(const pipeline::PipelineParts &parts, const std::string &func,
                               std::uint32_t index = 0);
const pipeline::Func &funcOf(const pipeline::PipelineParts &parts, const std::string &name);
const pipeline::Input &inputOf(const pipeline::PipelineParts &parts, const std::string &name);
// Returns the remark on a func, stage or input; "" if there is none.
std::string remarkOn(const pipeline::PipelineParts &parts, const std::string &subject);
// Returns the box that the stage reads of a producer for one tile.
pipeline::Box footprintOf(const pipeline::PipelineParts &parts, const pipeline::Stage &stage,
                          const std::string &producer, const std::vector<pipeline::Interval> &tile);

} // namespace tessera::halide::testing

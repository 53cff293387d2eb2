// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/device/pipeline_buffer.h"
#include "engine/bench/device/pipeline_inputs.h"
#include "engine/bench/device/reference.h"

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

// What requests for one pipeline and its inputs have in common: filled inputs, memory for outputs,
// the reference. A tuning sends hundreds a minute, and to make these anew takes longer than what
// they are measured for.
class KeptData {
public:
  // What was kept for another pipeline or other inputs goes.
  void keepFor(const std::string &pipelineSha256, const PipelineInputs &inputs);

  // An input is filled; an output holds anything. The caller's until it is given back.
  PipelineBuffer take(const report::PipelineArgument &argument,
                      const std::vector<report::Promise> &promises, const PipelineInputs &inputs);
  // It may no longer be on a device.
  void giveBack(PipelineBuffer buffer);

  // As Reference::read(), which is asked again where the folder holds another one now.
  std::shared_ptr<Reference> reference(const std::string &folder, const std::string &pipelineSha256,
                                       const PipelineInputs &inputs);

private:
  std::string m_pipelineSha256, m_inputsSha256;
  std::uint64_t m_seed = 0;
  std::list<PipelineBuffer> m_buffers; // those given back last at the end

  std::shared_ptr<Reference> m_reference;
  std::string m_folder; // of it
  std::filesystem::file_time_type m_written;
};

} // namespace tessera::bench

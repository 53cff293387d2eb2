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

// Data shared by requests for the same pipeline and inputs: filled inputs, memory for outputs, the
// reference. Tuning sends hundreds of requests a minute, and preparing this data takes longer than
// the measurement itself.
class KeptData {
public:
  // Drops data that belongs to another pipeline or to other inputs.
  void keepFor(const std::string &pipelineSha256, const PipelineInputs &inputs);

  // Drops inputs that were drawn from another range.
  void keepDrawn(pipeline::Drawing drawing);

  // The buffer of an input is filled, that of an output has undefined content. The caller owns the
  // buffer until giveBack().
  PipelineBuffer take(const report::PipelineArgument &argument,
                      const std::vector<report::Promise> &promises, const PipelineInputs &inputs);
  // The buffer must have no device allocation any more.
  void giveBack(PipelineBuffer buffer);

  // Like Reference::read(), but cached. Reads again if the folder's reference.json has changed.
  std::shared_ptr<Reference> reference(const std::string &folder, const std::string &pipelineSha256,
                                       const PipelineInputs &inputs);

private:
  std::string m_pipelineSha256, m_inputsSha256;
  std::uint64_t m_seed = 0;
  pipeline::Drawing m_drawing = pipeline::Drawing::Usual;
  std::list<PipelineBuffer> m_buffers; // in the order in which they were given back

  std::shared_ptr<Reference> m_reference;
  std::string m_folder; // the folder of m_reference
  std::filesystem::file_time_type m_written;
};

} // namespace tessera::bench

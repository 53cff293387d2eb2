// SPDX-License-Identifier: MIT
#include "engine/bench/device/kept_data.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::bench {

namespace {

constexpr std::size_t kMostBytes = std::size_t{2}
                                   << 30; // limit for all buffers that are not in use

} // namespace

void KeptData::keepFor(const std::string &pipelineSha256, const PipelineInputs &inputs) {
  if (m_pipelineSha256 == pipelineSha256 && m_seed == inputs.seed() &&
      m_inputsSha256 == inputs.sha256())
    return;
  m_buffers.clear();
  m_reference.reset();
  m_pipelineSha256 = pipelineSha256;
  m_inputsSha256 = inputs.sha256();
  m_seed = inputs.seed();
}

void KeptData::keepDrawn(pipeline::Drawing drawing) {
  if (m_drawing != drawing) m_buffers.clear();
  m_drawing = drawing;
}

PipelineBuffer KeptData::take(const report::PipelineArgument &argument,
                              const std::vector<report::Promise> &promises,
                              const PipelineInputs &inputs) {
  const auto kept = std::ranges::find_if(
      m_buffers, [&](const PipelineBuffer &buffer) { return buffer.isFor(argument, promises); });
  if (kept != m_buffers.end()) {
    PipelineBuffer buffer = std::move(*kept);
    m_buffers.erase(kept);
    return buffer;
  }
  PipelineBuffer buffer(argument, promises);
  if (buffer.isInput()) inputs.fill(buffer);
  return buffer;
}

void KeptData::giveBack(PipelineBuffer buffer) {
  buffer.leaveDevice();
  m_buffers.push_back(std::move(buffer));
  const auto bytes = [&] {
    return std::accumulate(
        m_buffers.begin(), m_buffers.end(), std::size_t{0},
        [](std::size_t sum, const PipelineBuffer &kept) { return sum + kept.bytes(); });
  };
  while (bytes() > kMostBytes)
    m_buffers.pop_front();
}

std::shared_ptr<Reference> KeptData::reference(const std::string &folder,
                                               const std::string &pipelineSha256,
                                               const PipelineInputs &inputs) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(Reference::indexOf(folder), error);
  if (m_reference && !error && m_folder == folder && m_written == written) return m_reference;
  m_reference.reset();
  m_reference = std::make_shared<Reference>(Reference::read(folder, pipelineSha256, inputs));
  m_folder = folder;
  m_written = written;
  return m_reference;
}

} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "engine/bench/device/pipeline_inputs.h"

#include "engine/bench/device/failure.h"
#include "engine/bench/device/whole_file.h"
#include "engine/base/sha256.h"

#include <algorithm>
#include <span>

namespace tessera::bench {

namespace {

std::vector<std::int64_t> extentsOf(const pipeline::Box &region) {
  std::vector<std::int64_t> extents;
  for (const pipeline::Interval &side : region)
    extents.push_back(side.extent());
  return extents;
}

} // namespace

PipelineInputs::PipelineInputs(std::uint64_t seed, const std::string &folder)
    : m_seed(seed), m_folder(folder) {
  if (!folder.empty()) m_given = valueOrRefuse(readInputs(folder));
}

void PipelineInputs::fill(PipelineBuffer &buffer) const {
  const auto given = std::ranges::find(m_given.entries, buffer.name(), &InputFolder::Entry::name);
  if (given == m_given.entries.end()) return buffer.fillRandom(m_seed, m_drawing);
  const report::PipelineArgument &argument = buffer.argument();
  if (given->type != argument.type || given->extents != extentsOf(argument.region))
    refuse("The input '" + buffer.name() + "' in '" + m_folder +
               "' does not have the type and size of the bundle's input.",
           "Give a file of the size that the bundle was compiled for.");
  const std::string elements = readWholeFile(given->file);
  if (sha256Hex(std::as_bytes(std::span(elements))) != given->sha256)
    refuse("'" + given->file + "' is not what inputs.json describes: its checksum differs.",
           "Give the file again with --input.");
  if (!buffer.fillFrom({reinterpret_cast<const std::uint8_t *>(elements.data()), elements.size()}))
    refuse("'" + given->file + "' does not have as many elements as the input '" + buffer.name() +
           "'.");
}

void PipelineInputs::checkAllTaken(const std::vector<PipelineBuffer> &buffers) const {
  for (const InputFolder::Entry &entry : m_given.entries) {
    const bool isTaken = std::ranges::any_of(buffers, [&](const PipelineBuffer &buffer) {
      return buffer.isInput() && buffer.name() == entry.name;
    });
    if (!isTaken)
      refuse("The bundle has no input '" + entry.name + "', but '" + m_folder +
             "' has a file for it.");
  }
}

} // namespace tessera::bench

// SPDX-License-Identifier: MIT
#include "tests/engine/halide/captured.h"

#include "engine/halide/capture.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace tessera::halide::testing {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

Result<pipeline::PipelineParts> roundTrip(const Halide::Pipeline &pipeline,
                                          const std::vector<EstimateOverride> &estimates) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("test.hlpipe");
  options.estimates = estimates;
  if (auto status = capturePipeline(pipeline, options.path); !status) return status.error();
  auto prepared = preparePipeline(options);
  if (!prepared) return prepared.error();
  return partsOf(*prepared, options);
}

pipeline::PipelineParts imported(const Halide::Pipeline &pipeline,
                                 const std::vector<EstimateOverride> &estimates) {
  auto parts = roundTrip(pipeline, estimates);
  if (!parts) throw std::runtime_error(parts.error().message);
  return std::move(*parts);
}

// Halide may have renamed "sum" to "sum$1": names are unique in a process, and all tests share one.
static bool isNamed(const std::string &made, const std::string &asked) {
  return made == asked || made.starts_with(asked + "$");
}

const pipeline::Func &funcOf(const pipeline::PipelineParts &parts, const std::string &name) {
  for (const pipeline::Func &func : parts.funcs)
    if (isNamed(func.name, name)) return func;
  throw std::runtime_error("no func " + name);
}

const pipeline::Stage &stageOf(const pipeline::PipelineParts &parts, const std::string &func,
                               std::uint32_t index) {
  return parts.stages.at(pipeline::index(funcOf(parts, func).firstStage) + index);
}

const pipeline::Input &inputOf(const pipeline::PipelineParts &parts, const std::string &name) {
  for (const pipeline::Input &input : parts.inputs)
    if (isNamed(input.name, name)) return input;
  throw std::runtime_error("no input " + name);
}

std::string remarkOn(const pipeline::PipelineParts &parts, const std::string &subject) {
  for (const pipeline::Remark &remark : parts.remarks)
    if (remark.subject == subject) return remark.text;
  return "";
}

pipeline::Box footprintOf(const pipeline::PipelineParts &parts, const pipeline::Stage &stage,
                          const std::string &producer,
                          const std::vector<pipeline::Interval> &tile) {
  pipeline::Box box;
  for (const pipeline::Access &load : stage.loads) {
    const std::string &name = load.producer.kind == pipeline::Producer::Kind::Func
                                  ? parts.funcs[load.producer.index].name
                                  : parts.inputs[load.producer.index].name;
    if (!isNamed(name, producer)) continue;
    box.resize(load.indices.size());
    for (std::size_t d = 0; d < box.size(); ++d) {
      const pipeline::Interval side = evaluate(load.indices[d], tile);
      box[d] = box[d].empty() ? side : pipeline::hull(box[d], side);
    }
  }
  return box;
}

} // namespace tessera::halide::testing

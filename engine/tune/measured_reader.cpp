// SPDX-License-Identifier: MIT
#include "engine/tune/measured_reader.h"

#include "engine/schedule/directives/raise.h"
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tessera::tune {

namespace {

std::string nameOf(const nlohmann::json &stage) {
  const int index = stage.at("stage");
  const std::string func = stage.at("func");
  return index == 0 ? func : func + ".update(" + std::to_string(index - 1) + ")";
}

void readKernels(const nlohmann::json &line, Measured &measured) {
  for (const nlohmann::json &kernel : line.at("kernels")) {
    if (kernel.at("stages").empty()) continue;
    const nlohmann::json &owner = kernel["stages"][0];
    if (kernel.contains("ms")) {
      // Times without a number of runs come from events; only CUPTI counts runs.
      measured.byEvents = measured.byEvents || !kernel.contains("runs");
      measured.kernels[nameOf(owner)] += kernel["ms"].get<double>() * kernel.value("runs", 1.0);
    }
    if (!kernel.contains("assembler")) continue;
    const nlohmann::json &given = kernel["assembler"];
    report::KernelReport &report = measured.compiled.emplace_back();
    report.stages.push_back({owner.at("func"), owner.at("stage")});
    report.assembler = {given.at("registers"), given.at("stack_bytes"),
                        given.at("spill_store_bytes"), given.at("spill_load_bytes")};
  }
}

} // namespace

MeasuredReader::MeasuredReader(const host::ToolPaths &tools, std::vector<std::string> folders)
    : m_folders(std::move(folders)), m_opener(tools, std::make_shared<host::TrustStore>("")) {
  m_folders.push_back(tools.samples);
}

Result<std::optional<Measured>> MeasuredReader::read(const nlohmann::json &line) {
  try {
    if (line.is_object() && !line.contains("ms")) return std::optional<Measured>();
    auto measured = measuredIn(line);
    if (!measured) return measured.error();
    return std::optional(std::move(*measured));
  } catch (const nlohmann::json::exception &problem) {
    return Error{ErrorCode::InputRefused,
                 std::string("A line is not of a measured schedule: ") + problem.what() + ".", ""};
  }
}

Result<Measured> MeasuredReader::measuredIn(const nlohmann::json &line) {
  const std::string pipeline = line.at("pipeline"), name = line.at("case");
  const auto base = open(pipeline);
  if (!base) return base.error();
  const auto directives = schedule::directivesFromJson(line.at("directives"));
  if (!directives) return directives.error();
  auto raised = schedule::raise(*base, *directives);
  if (!raised) {
    Error error = raised.error();
    error.message = pipeline + ", case " + name + ": " + error.message;
    return error;
  }
  schedule::Settings settings = raised->settings();
  settings.registerCap = line.at("register_cap");
  raised->set(settings);
  Measured measured{pipeline, name, std::move(*raised), line.at("ms"), {}, {}};
  readKernels(line, measured);
  return measured;
}

Result<pipeline::PipelinePtr> MeasuredReader::open(const std::string &name) {
  if (const auto known = m_pipelines.find(name); known != m_pipelines.end()) return known->second;
  const auto fileIn = [&](const std::string &folder) { return folder + "/" + name + ".hlpipe"; };
  const auto has = [&](const std::string &folder) {
    return std::filesystem::exists(fileIn(folder));
  };
  const auto found = std::ranges::find_if(m_folders, has);
  auto opened = m_opener.open({fileIn(found == m_folders.end() ? m_folders.back() : *found)});
  const auto pipeline = opened ? Result<pipeline::PipelinePtr>(opened->pipeline) : opened.error();
  return m_pipelines.emplace(name, pipeline).first->second;
}

} // namespace tessera::tune

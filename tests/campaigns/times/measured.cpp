// SPDX-License-Identifier: MIT
#include "measured.h"

#include "engine/schedule/directives/raise.h"
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace tessera::times {

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

MeasuredReader::MeasuredReader(const host::ToolPaths &tools)
    : m_samples(tools.samples), m_opener(tools, std::make_shared<host::TrustStore>("")) {}

std::optional<Measured> MeasuredReader::read(const nlohmann::json &line) {
  if (!line.contains("ms")) return std::nullopt;
  const std::string pipeline = line.at("pipeline"), name = line.at("case");
  const pipeline::PipelinePtr base = open(pipeline);
  const auto directives = schedule::directivesFromJson(line.at("directives"));
  if (!base || !directives) return std::nullopt;
  auto raised = schedule::raise(base, *directives);
  if (!raised) {
    std::fprintf(stderr, "%s, case %s: %s\n", pipeline.c_str(), name.c_str(),
                 raised.error().message.c_str());
    return std::nullopt;
  }
  schedule::Settings settings = raised->settings();
  settings.registerCap = line.at("register_cap");
  raised->set(settings);
  Measured measured{pipeline, name, std::move(*raised), line.at("ms"), {}, {}};
  readKernels(line, measured);
  return measured;
}

pipeline::PipelinePtr MeasuredReader::open(const std::string &name) {
  const auto [known, isNew] = m_pipelines.try_emplace(name);
  if (!isNew) return known->second;
  const auto opened = m_opener.open({m_samples + "/" + name + ".hlpipe"});
  if (opened)
    known->second = opened->pipeline;
  else
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
  return known->second;
}

} // namespace tessera::times

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/kernel_service.h"

#include "engine/host/ceilings.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/measure/compile.h"

#include <memory>
#include <utility>

namespace tessera::views {

namespace {

measure::CompileRequest requestFor(const CompileWish &wish, const std::string &folder) {
  measure::CompileRequest request = measure::bundleRequest(
      measure::scheduledPipeline(wish.file, wish.schedule), wish.schedule.settings().registerCap,
      measure::targetOf(wish.machine), folder);
  request.wantLowered = request.wantSass = true;
  return request;
}

Result<CompiledTexts> compileTexts(measure::ScheduleCompiler &compiler, const std::string &parent,
                                   const CompileWish &wish, std::stop_token stop,
                                   const job::ProgressCallback &progress) {
  if (wish.machine.api != machine::Api::Cuda)
    return Error{ErrorCode::Usage, wish.machine.title + " does not run CUDA",
                 "Schedule for another GPU."};
  const auto scratch = host::ScratchFolder::create(parent);
  if (!scratch) return scratch.error();
  const std::string folder = scratch->path() + "/bundle";
  auto answer = compiler.compile(requestFor(wish, folder), std::move(stop), progress);
  if (answer.outcome != Outcome::Ok) return errorOf(answer.outcome, answer.error);
  CompiledTexts texts;
  const report::BundleFiles &files = answer.report.files;
  for (const auto &[name, text] :
       {std::pair(&files.lowered, &texts.loops), std::pair(&files.device, &texts.ptx),
        std::pair(&files.sass, &texts.sass)}) {
    if (name->empty()) continue;
    auto read = host::readFile(folder + "/" + *name);
    if (!read) return read.error();
    *text = std::move(*read);
  }
  texts.report = std::move(answer.report);
  return texts;
}

} // namespace

KernelService kernelService(const host::ToolPaths &tools) {
  KernelService service;
  service.machine = [tools](const std::string &name) -> Result<MachineFacts> {
    const auto machine = host::machineFor(name, tools);
    if (!machine) return machine.error();
    return MachineFacts{*machine, host::ceilingsFor(*machine, tools)};
  };
  service.compile = [compiler = std::make_shared<measure::ScheduleCompiler>(tools, 1),
                     parent = tools.cacheDir](const CompileWish &wish, std::stop_token stop,
                                              const job::ProgressCallback &progress) {
    return compileTexts(*compiler, parent, wish, std::move(stop), progress);
  };
  return service;
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/kernel_service.h"

#include "engine/session/ceilings.h"
#include "engine/session/compile.h"
#include "engine/session/files.h"
#include "engine/session/machines.h"

#include <memory>
#include <utility>

namespace tessera::views {

namespace {

session::CompileRequest requestFor(const CompileWish &wish, const std::string &folder) {
  session::CompileRequest request;
  request.pipeline = session::scheduledPipeline(wish.file, wish.schedule);
  request.registerCap = wish.schedule.settings().registerCap;
  request.limits = wish.machine.limits;
  request.architecture =
      "sm_" + std::to_string(wish.machine.major) + std::to_string(wish.machine.minor);
  request.output = folder;
  request.wantLowered = request.wantSass = true;
  return request;
}

Result<CompiledTexts> compileTexts(session::ScheduleCompiler &compiler, const std::string &parent,
                                   const CompileWish &wish, std::stop_token stop,
                                   const job::ProgressCallback &progress) {
  if (wish.machine.api != machine::Api::Cuda)
    return Error{ErrorCode::Usage, wish.machine.title + " is no machine that runs CUDA",
                 "Schedule for another one."};
  const auto scratch = session::ScratchFolder::create(parent);
  if (!scratch) return scratch.error();
  const std::string folder = scratch->path() + "/bundle";
  auto answer = compiler.compile(requestFor(wish, folder), std::move(stop), progress);
  if (answer.outcome != Outcome::Ok)
    return Error{errorCode(answer.outcome), answer.error.message, answer.error.hint};
  CompiledTexts texts;
  const schedule::BundleFiles &files = answer.report.files;
  for (const auto &[name, text] :
       {std::pair(&files.lowered, &texts.loops), std::pair(&files.device, &texts.ptx),
        std::pair(&files.sass, &texts.sass)}) {
    if (name->empty()) continue;
    auto read = session::readFile(folder + "/" + *name);
    if (!read) return read.error();
    *text = std::move(*read);
  }
  texts.report = std::move(answer.report);
  return texts;
}

} // namespace

KernelService kernelService(const session::ToolPaths &tools) {
  KernelService service;
  service.machine = [tools](const std::string &name) -> Result<MachineFacts> {
    const auto machine = session::machineFor(name, tools);
    if (!machine) return machine.error();
    return MachineFacts{*machine, session::ceilingsFor(*machine, tools)};
  };
  service.compile = [compiler = std::make_shared<session::ScheduleCompiler>(tools, 1),
                     parent = tools.cacheDir](const CompileWish &wish, std::stop_token stop,
                                              const job::ProgressCallback &progress) {
    return compileTexts(*compiler, parent, wish, std::move(stop), progress);
  };
  return service;
}

} // namespace tessera::views

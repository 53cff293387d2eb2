// SPDX-License-Identifier: MIT
#include "engine/measure/compile.h"

#include "engine/bench/probed_machine.h"
#include "engine/file/destination.h"
#include "engine/host/files.h"
#include "engine/host/trust.h"
#include "engine/machine/architecture.h"
#include "engine/open/function_builder.h"
#include "engine/open/halide_workers.h"
#include "engine/report/promise.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/words/directive_json.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include <unistd.h>

namespace tessera::measure {
namespace {

using nlohmann::json;

json textsOf(const std::vector<report::Promise> &promises) {
  json texts = json::array();
  for (const report::Promise &promise : promises)
    if (std::string text = textOf(promise); !text.empty()) texts.push_back(std::move(text));
  return texts;
}

json fieldsOf(const ScheduledPipeline &pipeline, GpuApi target) {
  json fields{{"path", pipeline.file},
              {"estimates", open::estimateFields(pipeline.estimates)},
              {"directives", json(schedule::toJson(pipeline.directives))},
              {"target", name(target)}};
  if (!pipeline.sidecar.empty()) fields["sidecar"] = pipeline.sidecar;
  if (!pipeline.name.empty()) fields["name"] = pipeline.name;
  fields["promises"] = textsOf(pipeline.promises);
  return fields;
}

std::filesystem::path withoutEndingSlash(const std::string &path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// The folder that becomes the bundle, through all links.
Result<std::filesystem::path> bundleFolder(const std::string &path) {
  const auto to = file::destinationOf(withoutEndingSlash(path).string());
  if (!to) return to.error();
  if (to->kind == file::Kind::Nothing || to->kind == file::Kind::Folder)
    return std::filesystem::path(to->path);
  return Error{ErrorCode::InputRefused,
               "The bundle cannot be written to '" + path + "', which is not a folder.",
               "Give a new folder or an older bundle."};
}

// Copies the outcome and the error of the reply. If the outcome is Ok, reads the report; a missing
// or unreadable report is a ProtocolError.
template <typename Report>
ScheduleAnswer<Report> answerOf(job::Reply reply, const json *document,
                                Result<Report> (*read)(const json &)) {
  ScheduleAnswer<Report> answer;
  answer.outcome = reply.outcome;
  answer.error = std::move(reply.error);
  if (answer.outcome != Outcome::Ok) return answer;
  Result<Report> report =
      document ? read(*document)
               : Result<Report>(Error{ErrorCode::WorkerFailed, "The worker sent no report.", ""});
  if (report) {
    answer.report = std::move(*report);
  } else {
    answer.outcome = Outcome::ProtocolError;
    answer.error = report.error();
  }
  return answer;
}

// Whether the driver's compiler may have caused the failure.
bool mayBeTheDriver(Outcome outcome) {
  return outcome == Outcome::WrongOutput || outcome == Outcome::Crashed ||
         outcome == Outcome::LaunchError;
}

void blameDriver(VerifyAnswer &answer) {
  const std::string said = "The outputs are right when the GPU's driver compiles without "
                           "optimising: the fault is most likely the driver's, not the schedule's.";
  answer.driverAtFault = true;
  answer.report.remarks.push_back(said);
  answer.error.hint = said;
}

} // namespace

std::string_view name(GpuApi api) {
  switch (api) {
  case GpuApi::Cuda:
    return "cuda";
  case GpuApi::OpenCl:
    return "opencl";
  case GpuApi::Host:
    return "host";
  case GpuApi::Lowered:
    return "lowered";
  }
  return "";
}

ScheduledPipeline scheduledPipeline(const open::PipelineFiles &file,
                                    const schedule::Schedule &schedule) {
  return {file.pipeline,
          file.sidecar,
          schedule.base()->name(),
          file.estimates,
          schedule::lower(schedule),
          schedule.settings().promises,
          {},
          file.functions};
}

ScheduledPipeline plainPipeline(const open::OpenedPipeline &opened) {
  const open::PipelineFiles &file = opened.file;
  return {file.pipeline, file.sidecar, opened.pipeline->name(), file.estimates, {}, {}, {},
          file.functions};
}

ScheduledPipeline writtenPipeline(const open::PipelineFiles &written,
                                  const open::OpenedPipeline &algorithm) {
  ScheduledPipeline pipeline = plainPipeline(algorithm);
  pipeline.file = written.pipeline;
  pipeline.sidecar = written.sidecar;
  pipeline.kept = written.made;
  if (const auto hash = host::fileHash(algorithm.file.pipeline)) pipeline.algorithmSha256 = *hash;
  return pipeline;
}

int compiledCapability(int major, int minor) {
  const int here = 10 * major + minor;
  constexpr std::array kKnown{86, 80, 75, 70, 61, 50, 35, 32, 30};
  const auto newest = std::ranges::find_if(kKnown, [&](int known) { return known <= here; });
  return newest == kKnown.end() ? kKnown.back() : *newest;
}

// Values that the driver does not report are the defaults of machine::Machine.
CompileTarget targetOf(const bench::DeviceDescription &device) {
  return targetOf(bench::probedMachine(device, machine::Machine()));
}

CompileTarget targetOf(const machine::Machine &machine) {
  return {compiledCapability(machine.major, machine.minor),
          machine::assembledArchitecture(machine.major, machine.minor), machine.limits};
}

CompileRequest bundleRequest(ScheduledPipeline pipeline, int registerCap,
                             const CompileTarget &target, std::string folder) {
  CompileRequest request;
  request.pipeline = std::move(pipeline);
  request.gpu = target;
  request.registerCap = registerCap;
  request.output = std::move(folder);
  return request;
}

struct ScheduleCompiler::Impl {
  // 0: the workers have no limit on address space, since a GPU driver reserves address space for
  // all memory that the device could ever have.
  Impl(host::ToolPaths paths, std::size_t count)
      : tools(std::move(paths)), workers(tools, count, 0), functions(tools) {}

  job::Reply verify(const VerifyRequest &request, json fields, const std::stop_token &stop,
                    const job::ProgressCallback &progress);
  job::Reply verifyWithFunctions(const VerifyRequest &request, json fields,
                                 const std::stop_token &stop,
                                 const job::ProgressCallback &progress);

  host::ToolPaths tools;
  open::HalideWorkers workers;
  open::FunctionBuilder functions;
};

job::Reply ScheduleCompiler::Impl::verify(const VerifyRequest &request, json fields,
                                          const std::stop_token &stop,
                                          const job::ProgressCallback &progress) {
  if (!request.pipeline.functions.functions.empty())
    return verifyWithFunctions(request, std::move(fields), stop, progress);
  return workers.request("verify", fields, request.timeout, stop, progress);
}

// A worker that runs functions of the user's is one of its own, in the sandbox. It can write to one
// folder alone, from which the outputs are moved to where they are wanted.
job::Reply ScheduleCompiler::Impl::verifyWithFunctions(const VerifyRequest &request, json fields,
                                                       const std::stop_token &stop,
                                                       const job::ProgressCallback &progress) {
  const auto made = functions.build(request.pipeline.functions, stop, progress);
  if (!made)
    return {made.error().code == ErrorCode::Cancelled ? Outcome::Cancelled : Outcome::CompileError,
            {},
            made.error()};
  const auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return {Outcome::CompileError, {}, scratch.error()};
  host::SandboxFolders folders{scratch->path(), {made->folder->path()}};
  const auto addFolderOf = [&](const std::string &file) {
    folders.readable.push_back(std::filesystem::absolute(file).parent_path().string());
  };
  addFolderOf(request.pipeline.file);
  for (const InputFile &input : request.inputs)
    addFolderOf(input.path);
  for (const std::string &file : made->linked)
    if (file.starts_with('/')) addFolderOf(file);
  fields["path"] = std::filesystem::absolute(request.pipeline.file).string();
  fields["functions"] = made->library;
  const bool areKept = fields.contains("outputs");
  if (areKept) fields["outputs"] = scratch->path();
  job::Reply reply = open::sandboxedRequest(tools, std::move(folders), "verify", fields,
                                            request.timeout, stop, progress);
  if (reply.outcome == Outcome::CompileError && !made->missing.empty()) {
    reply.error.hint = made->advice.hint + "\n" + reply.error.hint;
    reply.error.asked = made->advice.asked;
  }
  std::error_code failed;
  if (areKept)
    std::filesystem::copy(scratch->path(), request.outputs,
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing,
                          failed);
  if (failed)
    return {Outcome::CompileError,
            {},
            {ErrorCode::System, "'" + request.outputs + "' cannot be written: " + failed.message(),
             ""}};
  return reply;
}

std::size_t compilersHere() {
  constexpr std::size_t kLeast = 2, kMost = 16, kEachBytes = std::size_t{2} << 30;
  const auto pages = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  const std::size_t memory = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / kEachBytes;
  const std::size_t cores = std::thread::hardware_concurrency() / 2;
  return std::clamp(std::min(cores, memory), kLeast, kMost);
}

ScheduleCompiler::ScheduleCompiler(host::ToolPaths tools, std::size_t workers)
    : m_impl(std::make_unique<Impl>(std::move(tools), workers)) {}

ScheduleCompiler::~ScheduleCompiler() = default;

void ScheduleCompiler::warmUp() { m_impl->workers.warmUp(); }

CompileAnswer ScheduleCompiler::compile(const CompileRequest &request, std::stop_token stop,
                                        const job::ProgressCallback &progress) {
  const host::ToolPaths &tools = m_impl->tools;
  const auto output = bundleFolder(request.output);
  if (!output) return {Outcome::CompileError, {}, output.error()};
  // A worker that is killed leaves its scratch files, so the folder is created and removed here.
  const auto scratch = host::ScratchFolder::create(output->parent_path().string());
  if (!scratch) return {Outcome::CompileError, {}, scratch.error()};
  json fields = fieldsOf(request.pipeline, request.target);
  fields.update({{"capability", request.gpu.capability},
                 {"register_cap", request.registerCap},
                 {"threads_per_block", request.gpu.limits.threadsPerBlock},
                 {"shared_bytes_per_block", request.gpu.limits.sharedBytesPerBlock},
                 {"sm", request.gpu.architecture},
                 {"small", request.small},
                 {"reference", request.reference},
                 {"algorithm_sha256", request.pipeline.algorithmSha256},
                 {"output", output->string()},
                 {"scratch", scratch->path()},
                 {"cache", tools.cacheDir + "/runtime"},
                 {"ptxas", tools.ptxas},
                 {"linker", tools.compiler},
                 {"disassembler", tools.disassembler}});
  // Without its functions, a bundle has all but a library to run.
  std::optional<Error> noFunctions;
  if (!request.pipeline.functions.functions.empty()) {
    const auto made = m_impl->functions.build(request.pipeline.functions, stop, progress);
    if (made)
      fields["functions"] = {{"linked", made->linked}, {"missing", made->missing}};
    else if (made.error().code == ErrorCode::Cancelled)
      return {Outcome::Cancelled, {}, made.error()};
    else
      noFunctions = made.error();
  }
  fields["want"] = json::array();
  if (request.wantLowered) fields["want"].push_back("lowered");
  if (request.wantSass) fields["want"].push_back("sass");
  const job::Reply reply =
      m_impl->workers.request("compile", fields, request.timeout, stop, progress);
  const auto report = reply.body.find("report");
  const bool found = reply.body.is_object() && report != reply.body.end();
  CompileAnswer answer =
      answerOf(reply, found ? &*report : nullptr, &report::compileReportFromJson);
  if (noFunctions) answer.report.remarks.push_back(noFunctions->message);
  return answer;
}

VerifyAnswer ScheduleCompiler::verify(const VerifyRequest &request, std::stop_token stop,
                                      const job::ProgressCallback &progress) {
  json fields = fieldsOf(request.pipeline, request.target);
  fields.update({{"seed", request.seed}, {"small", request.small}});
  fields["inputs"] = json::array();
  for (const auto &[input, path] : request.inputs)
    fields["inputs"].push_back(
        {{"name", input}, {"file", std::filesystem::absolute(path).string()}});
  fields["tolerance"] = textOf(request.tolerance);
  if (!request.outputs.empty())
    fields["outputs"] = std::filesystem::absolute(request.outputs).string();
  const auto ask = [&](const json &asked) {
    const job::Reply reply = m_impl->verify(request, asked, stop, progress);
    VerifyAnswer answer{answerOf(reply, &reply.body, &report::verifyReportFromJson)};
    if (answer.outcome == Outcome::Ok && answer.report.different())
      answer.outcome = Outcome::WrongOutput;
    return answer;
  };
  VerifyAnswer answer = ask(fields);
  if (request.target != GpuApi::Cuda || !mayBeTheDriver(answer.outcome) || stop.stop_requested())
    return answer;
  fields.erase("outputs"); // the folder keeps the wrong outputs of the first run
  fields["driver_optimizes"] = false;
  if (ask(fields).outcome == Outcome::Ok) blameDriver(answer);
  return answer;
}

Result<ScheduledPipeline> ScheduleCompiler::excerpt(const ScheduledPipeline &whole,
                                                    const KernelAlone &kernel,
                                                    const std::string &file,
                                                    std::chrono::milliseconds timeout,
                                                    std::stop_token stop) {
  json fields = fieldsOf(whole, GpuApi::Cuda);
  fields["excerpt"] = json(pipeline::toJson(kernel.excerpt));
  fields["kept_promises"] = textsOf(kernel.promises);
  fields["output"] = std::filesystem::absolute(file).string();
  const job::Reply reply = m_impl->workers.request("excerpt", fields, timeout, std::move(stop), {});
  if (reply.outcome != Outcome::Ok) return errorOf(reply.outcome, reply.error);
  ScheduledPipeline alone;
  alone.file = file;
  alone.name = whole.name + "." + kernel.excerpt.output.name;
  alone.promises = kernel.promises;
  for (const report::Promise &promise : whole.promises)
    if (std::ranges::find(kernel.buffers, promise.buffer) != kernel.buffers.end())
      alone.promises.push_back(promise);
  return alone;
}

Error missingText(const report::CompileReport &compiled) {
  if (compiled.kernels.empty())
    return {ErrorCode::System, "The schedule was compiled, but nothing of it runs on a GPU.", ""};
  std::string why = "The schedule was compiled, but the requested text is missing";
  for (const std::string &remark : compiled.remarks)
    why += (&remark == compiled.remarks.data() ? ": " : "; ") + remark;
  return {ErrorCode::System, why + ".",
          "SASS needs ptxas, and nvdisasm or cuobjdump, in the search path, in CUDA_HOME/bin or in "
          "/usr/local/cuda/bin. packaging/run installs those that are missing."};
}

} // namespace tessera::measure

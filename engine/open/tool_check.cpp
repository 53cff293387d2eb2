// SPDX-License-Identifier: MIT
#include "engine/open/tool_check.h"

#include "engine/open/open.h"
#include "engine/bench/gpu_client.h"
#include "engine/host/files.h"
#include "engine/host/gpu_host.h"
#include "engine/host/sandbox.h"
#include "engine/job/child_process.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace tessera::open {

namespace {

constexpr std::chrono::seconds kTimeout{30};

// This source needs C++17, like Halide's headers.
constexpr const char *kSource = "#include <optional>\n"
                                "int main() { return std::optional<int>(0).value(); }\n";
// A kernel that does nothing, to test the assembler.
constexpr const char *kPtx = ".version 7.1\n.target sm_86\n.address_size 64\n"
                             ".visible .entry k() { ret; }\n";

Error notFound(const std::string &what, const std::string &hint) {
  return {ErrorCode::System, what + " was not found.", hint};
}

std::string firstLine(const std::string &text) {
  const std::size_t begin = text.find_first_not_of(" \r\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find('\n', begin) - begin);
}

// "Cuda compilation tools, release 13.0, V13.0.88" → "13.0.88"; other texts are returned whole.
std::string versionIn(const std::string &text) {
  const std::size_t at = text.find(", V");
  if (at == std::string::npos) return firstLine(text);
  return text.substr(at + 3, text.find_first_of(" \n", at + 3) - at - 3);
}

// The program's output; an error if the program failed.
Result<std::string> run(const std::string &program, std::vector<std::string> arguments,
                        std::stop_token stop) {
  job::ProcessOptions options;
  options.program = program;
  options.arguments = std::move(arguments);
  const auto report = job::runProcess(options, kTimeout, std::move(stop));
  if (!report) return report.error();
  if (report->cancelled) return Error{ErrorCode::Cancelled, "cancelled", {}};
  if (report->timedOut)
    return Error{ErrorCode::WorkerFailed, "'" + program + "' did not answer within 30 s.", {}};
  if (report->end != job::ProcessEnd{}) {
    const std::string said = firstLine(report->errors.empty() ? report->output : report->errors);
    return Error{ErrorCode::WorkerFailed,
                 "'" + program + "' failed" + (said.empty() ? "." : ": " + said),
                 {}};
  }
  return report->output + report->errors;
}

Result<std::string> checkHalide(const host::ToolPaths &tools, std::stop_token stop) {
  const std::string sample = tools.samples + "/blur.hlpipe";
  std::error_code missing;
  if (!std::filesystem::exists(tools.halideWorker, missing))
    return notFound("'" + tools.halideWorker + "'",
                    "This program comes with Tessera: install Tessera again.");
  auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return scratch.error();
  PipelineOpener opener(tools, std::make_shared<host::TrustStore>(scratch->path() + "/trust.json"));
  OpenRequest request;
  request.path = sample;
  const auto opened = opener.open(request, std::move(stop));
  if (!opened) return opened.error();
  const bool hasHeaders = std::filesystem::exists(tools.halideRoot + "/include/Halide.h", missing);
  return "Halide " + opened->pipeline->halideVersion() + " reads a pipeline; " +
         (hasHeaders ? "its headers are in " + tools.halideRoot + "/include"
                     : "its headers are not in " + tools.halideRoot +
                           ", so no generator's source can be opened");
}

Result<std::string> checkCompiler(const host::ToolPaths &tools, const std::stop_token &stop) {
  if (tools.compiler.empty())
    return notFound("A C++ compiler",
                    "A compiler is needed for generators' sources: install g++ or clang++.");
  const auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return scratch.error();
  const std::string source = scratch->path() + "/a.cpp";
  if (const Status done = host::writeFile(source, kSource); !done) return done.error();
  const auto version = run(tools.compiler, {"--version"}, stop);
  if (!version) return version.error();
  const auto compiled =
      run(tools.compiler, {"-std=c++17", source, "-o", scratch->path() + "/a"}, stop);
  if (!compiled) return compiled.error();
  return firstLine(*version) + ": compiles and links C++17";
}

Result<std::string> checkAssembler(const host::ToolPaths &tools, const std::stop_token &stop) {
  if (tools.ptxas.empty())
    return notFound(
        "ptxas",
        "ptxas reports registers and spills: install NVIDIA's CUDA toolkit, or set its folder.");
  const auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return scratch.error();
  const std::string source = scratch->path() + "/a.ptx";
  if (const Status done = host::writeFile(source, kPtx); !done) return done.error();
  const auto version = run(tools.ptxas, {"--version"}, stop);
  if (!version) return version.error();
  std::string able;
  for (const std::string architecture : {"sm_86", "sm_90", "sm_120"}) {
    const auto done =
        run(tools.ptxas, {"-arch=" + architecture, source, "-o", scratch->path() + "/a.o"}, stop);
    if (!done && done.error().code == ErrorCode::Cancelled) return done.error();
    if (done) able += (able.empty() ? "" : ", ") + architecture;
  }
  if (able.empty())
    return Error{ErrorCode::WorkerFailed,
                 "'" + tools.ptxas + "' cannot assemble for any of the GPUs that Tessera supports.",
                 "Use ptxas of CUDA 11.1 or later."};
  return "ptxas " + versionIn(*version) + " assembles for " + able;
}

Result<std::string> checkDisassembler(const host::ToolPaths &tools, const std::stop_token &stop) {
  if (tools.disassembler.empty())
    return notFound(
        "nvdisasm or cuobjdump",
        "These programs show machine code: install NVIDIA's CUDA toolkit, or set its folder.");
  const auto version = run(tools.disassembler, {"--version"}, stop);
  if (!version) return version.error();
  return std::filesystem::path(tools.disassembler).filename().string() + " " + versionIn(*version);
}

Result<std::string> checkGpu(const host::ToolPaths &tools, std::stop_token stop) {
  const auto worker = host::gpuWorkerProcess(tools, "", stop);
  if (!worker) return worker.error();
  bench::GpuClient gpu(*worker);
  const auto device = gpu.describe(kTimeout, std::move(stop));
  if (device.outcome != Outcome::Ok)
    return Error{
        errorCode(device.outcome), device.error.message,
        "Everything except measuring works without a GPU; you can use the GPU of another machine."};
  return device.value.name + ", driver " + device.value.driver;
}

Result<std::string> checkSandbox(const host::ToolPaths &tools, std::stop_token stop) {
  if (tools.sandbox.empty())
    return notFound("bwrap", "Generators run only inside bwrap: install bubblewrap.");
  auto scratch = host::ScratchFolder::create(tools.cacheDir);
  if (!scratch) return scratch.error();
  job::ProcessOptions options;
  options.program = "/bin/sh"; // sh tests that it can write in its folder and nowhere else
  options.arguments = {"-c", "echo in > in.txt && ! echo out 2>/dev/null > /usr/out.txt"};
  const auto inside = host::sandboxed(options, tools.sandbox, {scratch->path(), {}});
  if (!inside) return inside.error();
  const auto report = job::runProcess(*inside, kTimeout, stop);
  if (!report) return report.error();
  if (report->cancelled) return Error{ErrorCode::Cancelled, "cancelled", {}};
  if (report->end != job::ProcessEnd{})
    return Error{ErrorCode::WorkerFailed, "The sandbox does not work: " + firstLine(report->errors),
                 "The system may forbid user namespaces."};
  const auto version = run(tools.sandbox, {"--version"}, std::move(stop));
  if (!version) return version.error();
  return firstLine(*version) + " isolates a program";
}

Result<std::string> checkSsh(const host::ToolPaths &tools, std::stop_token stop) {
  if (tools.ssh.empty())
    return notFound("ssh", "Measuring on another machine needs ssh: install OpenSSH's client.");
  const auto version = run(tools.ssh, {"-V"}, std::move(stop)); // ssh prints it on standard error
  if (!version) return version.error();
  return firstLine(*version);
}

} // namespace

std::string_view name(Tool tool) {
  constexpr std::array<std::string_view, kTools.size()> kNames{
      "halide", "compiler", "assembler", "disassembler", "gpu", "sandbox", "ssh"};
  return kNames[static_cast<std::size_t>(tool)];
}

std::string pathOf(Tool tool, const host::ToolPaths &tools) {
  switch (tool) {
  case Tool::Halide:
    return tools.halideWorker;
  case Tool::Compiler:
    return tools.compiler;
  case Tool::Assembler:
    return tools.ptxas;
  case Tool::Disassembler:
    return tools.disassembler;
  case Tool::Gpu:
    return tools.gpuWorker;
  case Tool::Sandbox:
    return tools.sandbox;
  case Tool::Ssh:
    return tools.ssh;
  }
  return {};
}

Result<std::string> checkTool(Tool tool, const host::ToolPaths &tools, std::stop_token stop) {
  switch (tool) {
  case Tool::Halide:
    return checkHalide(tools, std::move(stop));
  case Tool::Compiler:
    return checkCompiler(tools, stop);
  case Tool::Assembler:
    return checkAssembler(tools, stop);
  case Tool::Disassembler:
    return checkDisassembler(tools, stop);
  case Tool::Gpu:
    return checkGpu(tools, std::move(stop));
  case Tool::Sandbox:
    return checkSandbox(tools, std::move(stop));
  case Tool::Ssh:
    return checkSsh(tools, std::move(stop));
  }
  return Error{ErrorCode::System, "There is no such tool.", {}};
}

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#include "engine/open/generator.h"

#include "engine/base/sha256.h"
#include "engine/host/files.h"
#include "engine/host/sandbox.h"
#include "engine/record/process_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <span>

namespace tessera::open {
namespace {

namespace fs = std::filesystem;

constexpr job::ProcessLimits kLimits{std::size_t{16} << 30, std::chrono::seconds(300)};
constexpr std::chrono::milliseconds kRunTimeout{120'000};
constexpr std::chrono::milliseconds kCompileTimeout{300'000};

// A GPU target, so that generators which distinguish targets take their GPU branch. No CUDA is
// needed.
constexpr std::string_view kTarget = "target=host-cuda-cuda_capability_86-no_runtime";

std::string folderOf(const std::string &file) { return fs::absolute(file).parent_path().string(); }

std::string tail(const std::string &text, std::size_t bytes) {
  std::string end = text.size() > bytes ? "…" + text.substr(text.size() - bytes) : text;
  while (!end.empty() && end.back() == '\n')
    end.pop_back();
  return end;
}

Error ended(const std::string &who, const job::ProcessReport &report) {
  if (report.cancelled) return {ErrorCode::Cancelled, "Cancelled.", ""};
  if (report.timedOut)
    return {ErrorCode::InputRefused, who + " did not finish in time and was stopped.", ""};
  const std::string cause = report.end.signalled
                                ? "was ended by signal " + std::to_string(report.end.value)
                                : "ended with exit code " + std::to_string(report.end.value);
  const std::string said = tail(report.errors, 4000);
  return {ErrorCode::InputRefused, who + " " + cause + (said.empty() ? "." : ":\n" + said), ""};
}

bool succeeded(const job::ProcessReport &report) {
  return !report.cancelled && !report.timedOut && report.end == job::ProcessEnd{false, 0};
}

// When a generator applies its own schedule, Halide itself writes the file and drops the inputs'
// estimates. The estimates in the sidecar of the captured pipeline are valid for this file too, but
// the sidecar's checksum is that of the captured file, so the checksum is removed.
Status withoutChecksum(const std::string &sidecar) {
  const Result<std::string> text = host::readFile(sidecar);
  if (!text) return text.error();
  auto json = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (!json.is_object())
    return Error{ErrorCode::WorkerFailed, "The captured estimates are not a JSON object.", ""};
  json.erase("pipeline_sha256");
  return host::writeFile(sidecar, json.dump(2) + "\n");
}

} // namespace

Result<job::ProcessReport> GeneratorRunner::runGenerator(const std::string &file, SourceKind kind,
                                                         std::vector<std::string> arguments,
                                                         const std::string &plugin,
                                                         const std::string &scratch,
                                                         std::stop_token stop) const {
  job::ProcessOptions options;
  std::string plugins = plugin;
  if (kind == SourceKind::GeneratorLibrary) {
    options.program = m_tools.generatorRunner;
    plugins = plugin.empty() ? file : file + "," + plugin;
  } else {
    options.program = file;
  }
  options.arguments = std::move(arguments);
  if (!plugins.empty()) {
    options.arguments.push_back("-p");
    options.arguments.push_back(plugins);
  }
  options.limits = kLimits;
  options.listener = record::processLines(m_tools.record, "generator");
  host::SandboxFolders folders{scratch, {folderOf(file), folderOf(m_tools.plugin)}};
  std::error_code missing;
  if (std::filesystem::is_directory(m_tools.halideRoot, missing))
    folders.readable.push_back(m_tools.halideRoot);
  const Result<job::ProcessOptions> inside = host::sandboxed(options, m_tools.sandbox, folders);
  if (!inside) return inside.error();
  Result<job::ProcessReport> report = job::runProcess(*inside, kRunTimeout, stop);
  // A program that was linked without a run path cannot find Halide. The program's own choice of
  // Halide comes first, so Tessera's Halide is offered only after a failure.
  const bool noHalide =
      report && report->end.value == 127 && report->errors.find("libHalide") != std::string::npos;
  if (!noHalide) return report;
  job::ProcessOptions helped = *inside;
  helped.environment.emplace_back("LD_LIBRARY_PATH", m_tools.halideRoot + "/lib64");
  return job::runProcess(helped, kRunTimeout, stop);
}

Result<std::vector<Generator>> GeneratorRunner::list(const std::string &file, SourceKind kind,
                                                     const std::string &scratch,
                                                     std::stop_token stop) const {
  // Without a generator name, Halide's generator program lists the generators that it contains.
  const auto asked = runGenerator(
      file, kind, {"-o", scratch, "-e", "cpp_stub", std::string(kTarget)}, {}, scratch, stop);
  if (!asked) return asked.error();
  const std::vector<std::string> names = generatorNames(asked->errors + asked->output);
  if (names.empty()) {
    if (asked->cancelled || asked->timedOut || asked->end.signalled)
      return ended("'" + file + "'", *asked);
    return Error{ErrorCode::InputRefused,
                 "'" + file + "' is not a Halide generator, or registers none." +
                     (asked->errors.empty() ? "" : " It said:\n" + tail(asked->errors, 2000)),
                 "A generator is a class that is registered with HALIDE_REGISTER_GENERATOR."};
  }
  std::vector<Generator> generators;
  for (const std::string &name : names) {
    const auto stub = runGenerator(file, kind,
                                   {"-g", name, "-f", name, "-n", "stub", "-o", scratch, "-e",
                                    "cpp_stub", std::string(kTarget)},
                                   {}, scratch, stop);
    if (!stub) return stub.error();
    if (stub->cancelled) return ended("'" + file + "'", *stub);
    const Result<std::string> header = host::readFile(scratch + "/stub.stub.h");
    generators.push_back(
        {name, header ? parametersOfStub(*header) : std::vector<GeneratorParameter>{}});
    std::error_code ignored;
    fs::remove(scratch + "/stub.stub.h", ignored);
  }
  return generators;
}

Result<CapturedFiles> GeneratorRunner::capture(const GeneratorRun &run, const std::string &scratch,
                                               std::stop_token stop) const {
  const std::string who = "Generator '" + run.generator + "' of '" + run.file + "'";
  CapturedFiles files{scratch + "/" + run.generator + ".hlpipe",
                      scratch + "/" + run.generator + ".estimates.json"};
  std::vector<std::string> arguments{"-g",    run.generator, "-f",     run.generator,       "-o",
                                     scratch, "-e",          "hlpipe", std::string(kTarget)};
  for (const auto &[name, value] : run.parameters)
    arguments.push_back(name + "=" + value);
  std::vector<std::string> capturing = arguments;
  capturing.push_back("autoscheduler=Tessera");
  capturing.push_back("autoscheduler.capture=" + files.pipeline);
  const auto captured = runGenerator(run.file, run.kind, capturing, m_tools.plugin, scratch, stop);
  if (!captured) return captured.error();
  if (!succeeded(*captured)) return ended(who, *captured);
  if (!fs::exists(files.pipeline))
    return Error{ErrorCode::InputRefused, who + " ended without writing a pipeline.",
                 "Was it built with another version of Halide?"};
  if (run.ownSchedule != OwnSchedule::Apply) return files;

  const auto scheduled = runGenerator(run.file, run.kind, arguments, {}, scratch, stop);
  if (!scheduled) return scheduled.error();
  if (!succeeded(*scheduled)) return ended(who + ", with its own schedule,", *scheduled);
  if (const Status done = withoutChecksum(files.estimates); !done) return done.error();
  return files;
}

Result<job::ProcessReport> GeneratorRunner::runCompiler(std::vector<std::string> arguments,
                                                        const std::string &source,
                                                        const std::string &scratch,
                                                        std::stop_token stop) const {
  job::ProcessOptions options;
  options.program = m_tools.compiler;
  options.arguments = {"-std=c++17", "-O1", "-fPIC", "-I" + m_tools.halideRoot + "/include",
                       "-I" + m_tools.halideRoot + "/share/tools"};
  for (std::string &argument : arguments)
    options.arguments.push_back(std::move(argument));
  options.arguments.push_back(source);
  options.limits = kLimits;
  options.listener = record::processLines(m_tools.record, "compiler");
  const host::SandboxFolders folders{scratch, {folderOf(source), m_tools.halideRoot}};
  const Result<job::ProcessOptions> inside = host::sandboxed(options, m_tools.sandbox, folders);
  if (!inside) return inside.error();
  return job::runProcess(*inside, kCompileTimeout, stop);
}

Result<std::string> GeneratorRunner::build(const std::string &source, const std::string &scratch,
                                           std::stop_token stop,
                                           const job::ProgressCallback &progress) const {
  const std::string who = "The compiler (" + m_tools.compiler + ") on '" + source + "'";
  if (m_tools.compiler.empty())
    return Error{ErrorCode::System, "No C++ compiler was found to build '" + source + "'.",
                 "Install g++ or clang++, or name one in the environment variable CXX."};
  if (progress) progress({"reading the source", -1});
  const std::string text = scratch + "/source.ii";
  const auto preprocessed = runCompiler({"-E", "-P", "-o", text}, source, scratch, stop);
  if (!preprocessed) return preprocessed.error();
  if (!succeeded(*preprocessed)) return ended(who, *preprocessed);
  const Result<std::string> content = host::readFile(text);
  if (!content) return content.error();

  const std::string identity = m_tools.compiler + "\n" + *content;
  const std::string key = sha256Hex(std::as_bytes(std::span(identity)));
  const std::string folder = m_tools.cacheDir + "/generators";
  const std::string cached = folder + "/" + key + ".so";
  if (fs::exists(cached)) return cached;

  if (progress) progress({"compiling the source", -1});
  const std::string library = scratch + "/generator.so";
  const auto compiled = runCompiler({"-shared", "-o", library}, source, scratch, stop);
  if (!compiled) return compiled.error();
  if (!succeeded(*compiled)) return ended(who, *compiled);
  const Result<std::string> binary = host::readFile(library);
  if (!binary) return binary.error();
  if (const Status stored = host::writeFile(cached, *binary); !stored) return stored.error();
  return cached;
}

} // namespace tessera::open

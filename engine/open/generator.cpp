// SPDX-License-Identifier: MIT
#include "engine/open/generator.h"

#include "engine/open/missing_sources.h"
#include "engine/open/unset_arguments.h"
#include "engine/base/asked.h"
#include "engine/base/sha256.h"
#include "engine/host/files.h"
#include "engine/host/sandbox.h"
#include "engine/host/trust.h"
#include "engine/record/process_lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
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

// What a compiler says after a few errors would push the first one out.
std::string fewErrors(const std::string &compiler) {
  return compiler.find("clang") == std::string::npos ? "-fmax-errors=3" : "-ferror-limit=3";
}

constexpr std::string_view kAsScheduled = "_as_scheduled"; // ends the plugin's name of a generator
// Halide's words where a generator names its own autoscheduler.
constexpr std::string_view kAnotherScheduler = "autoscheduler cannot be set more than once";
constexpr std::string_view kTargetParameter = "target";

// The target of a run: the last that the user gives as a parameter, else one with a GPU.
std::string targetOf(const GeneratorRun &run) {
  std::string target(kTarget);
  for (const auto &[name, value] : run.parameters)
    if (name == kTargetParameter) target = name + "=" + value;
  return target;
}

// Halide's word for a feature that C++ calls `name`: NoBoundsQuery is no_bounds_query.
std::string featureWord(std::string_view name) {
  if (name == "CPlusPlusMangling") return "c_plus_plus_name_mangling";
  std::string word;
  for (const char c : name) {
    const bool isUpper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (isUpper && !word.empty()) word += '_';
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word;
}

// The target with the feature that a generator asserts; nothing if it asserts none.
std::vector<Asked> askedFeature(const job::ProcessReport &report, const GeneratorRun &run) {
  constexpr std::string_view kAsserts = "has_feature(";
  std::size_t at = report.errors.find(kAsserts);
  if (at == std::string::npos) return {};
  const std::string_view errors = report.errors;
  std::string_view name = errors.substr(at + kAsserts.size());
  name = name.substr(0, name.find(')'));
  if (const std::size_t colons = name.rfind(':'); colons != std::string_view::npos)
    name = name.substr(colons + 1);
  return {{"param", targetOf(run) + "-" + featureWord(name)}};
}

std::string folderOf(const std::string &file) { return fs::absolute(file).parent_path().string(); }

std::string tail(const std::string &text, std::size_t bytes) {
  std::string end = text.size() > bytes ? "…" + text.substr(text.size() - bytes) : text;
  while (!end.empty() && end.back() == '\n')
    end.pop_back();
  return end;
}

// What a compiler said from its first error on: what follows from it, or is only a note, may be
// long.
std::string fromTheFirstError(const std::string &text, std::size_t bytes) {
  const std::size_t error = std::min(text.find(" error: "), text.find(" fatal error: "));
  if (error == std::string::npos) return tail(text, bytes);
  const std::size_t line = text.rfind('\n', error);
  std::string said = text.substr(line == std::string::npos ? 0 : line + 1);
  if (said.size() > bytes) said = said.substr(0, bytes) + "…";
  return tail(said, said.size());
}

Error ended(const std::string &who, const job::ProcessReport &report,
            std::string (*quoted)(const std::string &, std::size_t) = tail) {
  if (report.cancelled) return {ErrorCode::Cancelled, "Cancelled.", ""};
  if (report.timedOut)
    return {ErrorCode::InputRefused, who + " did not finish in time and was stopped.", ""};
  const std::string cause = report.end.signalled
                                ? "was ended by signal " + std::to_string(report.end.value)
                                : "ended with exit code " + std::to_string(report.end.value);
  const std::string said = quoted(report.errors, 4000);
  return {ErrorCode::InputRefused, who + " " + cause + (said.empty() ? "." : ":\n" + said), ""};
}

Error notCompiled(const std::string &compiler, const std::string &source,
                  const job::ProcessReport &report) {
  return ended("The compiler (" + compiler + ") on '" + source + "'", report, fromTheFirstError);
}

CapturedFiles filesOf(const GeneratorRun &run, const std::string &scratch) {
  return {scratch + "/" + run.generator + ".hlpipe",
          scratch + "/" + run.generator + ".estimates.json"};
}

// The command line of a run that writes the pipeline.
std::vector<std::string> argumentsOf(const GeneratorRun &run, const std::string &scratch) {
  std::vector<std::string> arguments{"-g",    run.generator, "-f",     run.generator, "-o",
                                     scratch, "-e",          "hlpipe", targetOf(run)};
  for (const auto &[name, value] : run.parameters)
    if (name != kTargetParameter) arguments.push_back(name + "=" + value);
  return arguments;
}

bool succeeded(const job::ProcessReport &report) {
  return !report.cancelled && !report.timedOut && report.end == job::ProcessEnd{false, 0};
}

// Copies members of an object that are not null in another one.
void takeOver(nlohmann::ordered_json &to, const nlohmann::ordered_json &from,
              std::initializer_list<const char *> keys) {
  for (const char *key : keys)
    if (const auto at = from.find(key); at != from.end() && !at->is_null()) to[key] = *at;
}

// Where a generator schedules itself, it often gives no estimates, and where it does not, it
// promises less of its buffers. Adds the estimates of the captured pipeline to the sidecar of the
// scheduled one; both list their parameters and outputs in the same way.
Status addEstimates(const std::string &captured, const std::string &sidecar) {
  using nlohmann::ordered_json;
  const Result<std::string> text = host::readFile(sidecar);
  if (!text) return text.error();
  const auto before = ordered_json::parse(captured, nullptr, false);
  auto scheduled = ordered_json::parse(*text, nullptr, false);
  if (!before.is_object() || !scheduled.is_object())
    return Error{ErrorCode::WorkerFailed, "The captured estimates are not a JSON object.", ""};
  const auto addDims = [](ordered_json &to, const ordered_json &from) {
    const auto dims = from.find("dims");
    for (std::size_t d = 0; dims != from.end() && d < dims->size() && d < to["dims"].size(); ++d)
      takeOver(to["dims"][d], (*dims)[d], {"min_estimate", "extent_estimate"});
  };
  for (const ordered_json &param : before.value("params", ordered_json::array())) {
    auto &params = scheduled["params"];
    const auto same = std::ranges::find_if(params, [&](const ordered_json &one) {
      return one.value("name", "") == param.value("name", "");
    });
    if (same == params.end()) {
      params.push_back(param); // the scheduled run says nothing of it
    } else {
      takeOver(*same, param, {"estimate", "default"});
      addDims(*same, param);
    }
  }
  const ordered_json outputs = before.value("outputs", ordered_json::array());
  auto &scheduledOutputs = scheduled["outputs"];
  for (std::size_t o = 0; o < outputs.size() && o < scheduledOutputs.size(); ++o)
    addDims(scheduledOutputs[o], outputs[o]);
  return host::writeFile(sidecar, scheduled.dump(2) + "\n");
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

Result<std::vector<std::string>> GeneratorRunner::namesIn(const std::string &file, SourceKind kind,
                                                          const std::string &scratch,
                                                          const std::stop_token &stop) const {
  // Without a generator name, Halide's generator program lists the generators that it contains.
  const auto asked = runGenerator(
      file, kind, {"-o", scratch, "-e", "cpp_stub", std::string(kTarget)}, {}, scratch, stop);
  if (!asked) return asked.error();
  std::vector<std::string> names = generatorNames(asked->errors + asked->output);
  if (!names.empty()) return names;
  if (asked->cancelled || asked->timedOut || asked->end.signalled)
    return ended("'" + file + "'", *asked);
  return Error{ErrorCode::InputRefused,
               "'" + file + "' is not a Halide generator, or registers none." +
                   (asked->errors.empty() ? "" : " It said:\n" + tail(asked->errors, 2000)),
               "A generator is a class that is registered with HALIDE_REGISTER_GENERATOR."};
}

Result<std::vector<Generator>> GeneratorRunner::list(const std::string &file, SourceKind kind,
                                                     const std::string &scratch,
                                                     const std::stop_token &stop) const {
  const auto names = namesIn(file, kind, scratch, stop);
  if (!names) return names.error();
  std::vector<Generator> generators;
  for (const std::string &name : *names) {
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

// A generator that names its own autoscheduler, as an alias may, takes no other one. It is written
// after that has run; Halide then drops what is known of the inputs.
Result<CapturedFiles> GeneratorRunner::captureScheduled(const GeneratorRun &run,
                                                        std::vector<std::string> arguments,
                                                        const std::string &scratch,
                                                        std::stop_token stop) const {
  std::string plugins;
  std::error_code missing;
  for (const auto &entry : fs::directory_iterator(m_tools.halideRoot + "/lib64", missing))
    if (entry.path().filename().string().starts_with("libautoschedule_"))
      plugins += (plugins.empty() ? "" : ",") + entry.path().string();
  const auto ran = runGenerator(run.file, run.kind, std::move(arguments), plugins, scratch, stop);
  if (!ran) return ran.error();
  if (!succeeded(*ran)) return refused(run, scratch, *ran, stop);
  return CapturedFiles{scratch + "/" + run.generator + ".hlpipe", {}};
}

// What a generator that ended asks for: the types of its inputs or a feature of its target.
Error GeneratorRunner::refused(const GeneratorRun &run, const std::string &scratch,
                               const job::ProcessReport &report,
                               const std::stop_token &stop) const {
  const std::string who = "Generator '" + run.generator + "' of '" + run.file + "'";
  Error error = ended(who, report);
  error.asked = askedFeature(report, run);
  if (!error.asked.empty()) {
    error.hint = "It asks for a feature of the target. Give it: " + commandWords(error.asked);
  } else if (saysUnset(report.errors)) {
    const auto listed =
        runGenerator(run.file, run.kind, {"-g", run.generator, "-o", scratch, std::string(kTarget)},
                     m_tools.argumentLister, scratch, stop);
    if (!listed) return error;
    const std::vector<UnsetArgument> unset = unsetArguments(listed->output, run.generator);
    error.asked = parametersFor(unset, run.parameters, [&](const Parameters &more) {
      GeneratorRun trial = run;
      trial.parameters.insert(trial.parameters.end(), more.begin(), more.end());
      const auto ran = runCapturing(trial, scratch, stop);
      return ran && succeeded(*ran);
    });
    if (error.asked.empty()) return error;
    error.message = who + " leaves open: " + namesOf(unset, error.asked) + ".";
    error.hint = "Give them, as you need them: " + commandWords(error.asked);
  }
  if (!error.asked.empty()) error.remedy = ErrorRemedy::Parameters;
  return error;
}

Result<job::ProcessReport> GeneratorRunner::runCapturing(const GeneratorRun &run,
                                                         const std::string &scratch,
                                                         const std::stop_token &stop) const {
  std::vector<std::string> arguments = argumentsOf(run, scratch);
  arguments.push_back("autoscheduler=Tessera");
  arguments.push_back("autoscheduler.capture=" + filesOf(run, scratch).pipeline);
  return runGenerator(run.file, run.kind, std::move(arguments), m_tools.plugin, scratch, stop);
}

Result<CapturedFiles> GeneratorRunner::capture(const GeneratorRun &run, const std::string &scratch,
                                               std::stop_token stop) const {
  const std::string who = "Generator '" + run.generator + "' of '" + run.file + "'";
  const CapturedFiles files = filesOf(run, scratch);
  const auto captured = runCapturing(run, scratch, stop);
  if (!captured) return captured.error();
  if (captured->errors.find(kAnotherScheduler) != std::string::npos)
    return captureScheduled(run, argumentsOf(run, scratch), scratch, std::move(stop));
  if (!succeeded(*captured)) return refused(run, scratch, *captured, stop);
  if (!fs::exists(files.pipeline))
    return Error{ErrorCode::InputRefused, who + " ended without writing a pipeline.",
                 "Was it built with another version of Halide?"};
  if (run.ownSchedule != OwnSchedule::Apply) return files;

  const Result<std::string> estimates = host::readFile(files.estimates);
  if (!estimates) return estimates.error();
  std::vector<std::string> arguments = argumentsOf(run, scratch);
  *std::ranges::find(arguments, run.generator) += kAsScheduled; // behind "-g"
  const auto scheduled =
      runGenerator(run.file, run.kind, std::move(arguments), m_tools.plugin, scratch, stop);
  if (!scheduled) return scheduled.error();
  if (!succeeded(*scheduled)) return ended(who + ", with its own schedule,", *scheduled);
  if (const Status done = addEstimates(*estimates, files.estimates); !done) return done.error();
  return files;
}

Result<job::ProcessReport> GeneratorRunner::runCompiler(std::vector<std::string> arguments,
                                                        const BuildOptions &options,
                                                        const std::string &scratch,
                                                        std::stop_token stop) const {
  job::ProcessOptions process;
  process.program = m_tools.compiler;
  process.arguments = {"-std=c++17",
                       "-O1",
                       "-fPIC",
                       fewErrors(m_tools.compiler),
                       "-I" + m_tools.halideRoot + "/include",
                       "-I" + m_tools.halideRoot + "/share/tools"};
  host::SandboxFolders folders{scratch, {m_tools.halideRoot}};
  for (const std::string &folder : options.includes) {
    process.arguments.push_back("-I" + folder);
    folders.readable.push_back(folder);
  }
  for (const std::string &definition : options.definitions)
    process.arguments.push_back("-D" + definition);
  for (std::string &argument : arguments) {
    if (fs::path(argument).is_absolute() && folderOf(argument) != scratch)
      folders.readable.push_back(folderOf(argument));
    process.arguments.push_back(std::move(argument));
  }
  process.limits = kLimits;
  process.listener = record::processLines(m_tools.record, "compiler");
  const Result<job::ProcessOptions> inside = host::sandboxed(process, m_tools.sandbox, folders);
  if (!inside) return inside.error();
  return job::runProcess(*inside, kCompileTimeout, stop);
}

Status GeneratorRunner::compile(const std::string &source, const BuildOptions &options,
                                const std::string &object, const std::string &scratch,
                                const std::stop_token &stop) const {
  const auto ran = runCompiler({"-c", "-o", object, source}, options, scratch, stop);
  if (!ran) return ran.error();
  if (!succeeded(*ran)) return notCompiled(m_tools.compiler, source, *ran);
  return Done{};
}

Status GeneratorRunner::link(std::vector<std::string> files, const std::string &library,
                             const std::string &scratch, const std::stop_token &stop) const {
  files.insert(files.begin(), {"-shared", "-o", library});
  const auto ran = runCompiler(std::move(files), {}, scratch, stop);
  if (!ran) return ran.error();
  if (!succeeded(*ran))
    return ended("The compiler (" + m_tools.compiler + "), linking functions,", *ran);
  return Done{};
}

Status GeneratorRunner::writeFunction(const GeneratorRun &run, bool takesContext,
                                      const std::string &scratch,
                                      const std::stop_token &stop) const {
  const std::string target = targetOf(run) + (takesContext ? "-user_context" : "");
  const auto ran = runGenerator(
      run.file, run.kind,
      {"-g", run.generator, "-f", run.generator, "-o", scratch, "-e", "object", target}, {},
      scratch, stop);
  if (!ran) return ran.error();
  if (!succeeded(*ran))
    return ended("Generator '" + run.generator + "' of '" + run.file + "', compiled as a function,",
                 *ran);
  return Done{};
}

Status GeneratorRunner::writeRuntime(const GeneratorRun &run, const std::string &name,
                                     const std::string &scratch,
                                     const std::stop_token &stop) const {
  std::string target = targetOf(run);
  constexpr std::string_view kWithout = "-no_runtime";
  if (const std::size_t at = target.find(kWithout); at != std::string::npos)
    target.erase(at, kWithout.size());
  const auto ran = runGenerator(
      run.file, run.kind, {"-r", name, "-o", scratch, "-e", "object", target}, {}, scratch, stop);
  if (!ran) return ran.error();
  if (!succeeded(*ran)) return ended("'" + run.file + "', asked for Halide's runtime,", *ran);
  return Done{};
}

Result<std::string> GeneratorRunner::identityOf(const std::string &source,
                                                const BuildOptions &options,
                                                const std::string &scratch,
                                                std::stop_token stop) const {
  std::string identity = m_tools.compiler + "\n";
  std::vector<std::string> sources{source};
  sources.insert(sources.end(), options.sources.begin(), options.sources.end());
  for (const std::string &one : sources) {
    const std::string text = scratch + "/source.ii";
    const auto preprocessed = runCompiler({"-E", "-P", "-o", text, one}, options, scratch, stop);
    if (!preprocessed) return preprocessed.error();
    if (!succeeded(*preprocessed)) return notCompiled(m_tools.compiler, one, *preprocessed);
    const Result<std::string> content = host::readFile(text);
    if (!content) return content.error();
    identity += *content + "\n";
  }
  for (const std::string &library : options.libraries) {
    const Result<std::string> hash = host::fileHash(library);
    if (!hash) return hash.error();
    identity += *hash + "\n";
  }
  return identity;
}

std::string GeneratorRunner::lackingSymbols(const std::string &library,
                                            std::vector<std::string> folders,
                                            const std::string &scratch,
                                            const std::stop_token &stop) const {
  job::ProcessOptions process;
  process.program = "ldd";
  process.arguments = {"-r", library};
  folders.push_back(folderOf(library));
  process.limits = kLimits;
  const Result<job::ProcessOptions> inside =
      host::sandboxed(process, m_tools.sandbox, {scratch, std::move(folders)});
  if (!inside) return {};
  const auto listed = job::runProcess(*inside, kRunTimeout, stop);
  return listed ? listed->output + listed->errors : std::string();
}

// What the sources include, as rules of dependencies: also what is not there, even where one header
// hides others. Empty if the compiler does not say it.
std::string GeneratorRunner::dependenciesOf(const std::vector<std::string> &sources,
                                            const BuildOptions &options, const std::string &scratch,
                                            const std::stop_token &stop) const {
  std::vector<std::string> arguments{"-M", "-MG"}; // -MM leaves out <headers>
  arguments.insert(arguments.end(), sources.begin(), sources.end());
  const auto listed = runCompiler(std::move(arguments), options, scratch, stop);
  return listed && succeeded(*listed) ? listed->output : std::string();
}

// A source that does not compile may have got another header of the same name.
Error GeneratorRunner::askingForHidden(Error error, const std::string &source,
                                       const BuildOptions &options, const std::string &scratch,
                                       const std::stop_token &stop) const {
  std::string taken;
  const std::string dependencies = dependenciesOf({source}, options, scratch, stop);
  for (const HiddenHeader &one : hiddenHeaders(source, dependencies, options.includes)) {
    taken += "\"" + one.header + "\" was taken from " + one.taken + ". ";
    ask(error.asked, {"include", one.folder});
  }
  if (error.asked.empty()) return error;
  error.remedy = ErrorRemedy::Build;
  error.hint = taken + "To take what lies nearby: " + commandWords(error.asked);
  return error;
}

// A source that does not compile may lack headers that lie nearby: the error then says how to give
// them, all at once.
Error GeneratorRunner::askingForHeaders(Error error, const std::string &source,
                                        BuildOptions options, const std::string &scratch,
                                        const std::stop_token &stop) const {
  std::string nowhere;
  std::vector<std::string> sources{source};
  sources.insert(sources.end(), options.sources.begin(), options.sources.end());
  for (bool isNew = true; isNew;) {
    isNew = false;
    nowhere.clear();
    for (const std::string &header :
         missingHeaders(dependenciesOf(sources, options, scratch, stop))) {
      const auto generator = generatorOfStub(header);
      const auto other = generator ? sourceRegistering(*generator, source) : std::nullopt;
      const auto folder = other ? std::nullopt : folderWith(header, source);
      if (other) ask(error.asked, {"with-source", *other});
      if (!other && !folder) nowhere += (nowhere.empty() ? "'" : ", '") + header + "'";
      if (!folder) continue;
      isNew = std::ranges::find(options.includes, *folder) == options.includes.end() || isNew;
      ask(error.asked, {"include", *folder});
      options.includes.push_back(*folder);
    }
  }
  if (!error.asked.empty() || !nowhere.empty()) error.remedy = ErrorRemedy::Build;
  if (!error.asked.empty()) error.hint = "Give what it includes: " + commandWords(error.asked);
  if (!nowhere.empty())
    error.hint +=
        (error.hint.empty() ? "" : "\n") +
        ("Not found nearby: " + nowhere + ". Give the folder that has it (--include DIR).");
  return error;
}

// A generator that uses another one includes its stub, which only the other's program can write.
// Writes the stubs of all generators in the further sources to a folder of their own, and returns
// their names.
Result<std::vector<std::string>> GeneratorRunner::writeStubs(const BuildOptions &options,
                                                             const std::string &folder,
                                                             const std::string &scratch,
                                                             const std::stop_token &stop) const {
  std::vector<std::string> names;
  for (const std::string &other : options.sources) {
    const Result<std::string> text = host::readFile(other);
    if (!text || text->find("HALIDE_REGISTER_GENERATOR") == std::string::npos) continue;
    BuildOptions rest = options;
    std::erase(rest.sources, other);
    const auto built = build(other, rest, scratch, stop, {});
    if (!built) return built.error();
    const auto own = namesIn(built->library, SourceKind::GeneratorLibrary, scratch, stop);
    if (!own) return own.error();
    std::error_code failed;
    fs::create_directories(folder, failed);
    for (const std::string &name : *own) {
      const auto stub = runGenerator(built->library, SourceKind::GeneratorLibrary,
                                     {"-g", name, "-f", name, "-n", name, "-o", folder, "-e",
                                      "cpp_stub", std::string(kTarget)},
                                     {}, scratch, stop);
      if (!stub) return stub.error();
      names.push_back(name);
    }
  }
  return names;
}

Result<BuiltSource> GeneratorRunner::build(const std::string &source, const BuildOptions &given,
                                           const std::string &scratch, const std::stop_token &stop,
                                           const job::ProgressCallback &progress) const {
  if (m_tools.compiler.empty())
    return Error{ErrorCode::System, "No C++ compiler was found to build '" + source + "'.",
                 "Install g++ or clang++, or name one in the environment variable CXX."};
  if (progress) progress({"reading the source", -1});
  BuildOptions options = given;
  BuiltSource built;
  Result<std::string> identity = identityOf(source, options, scratch, stop);
  if (!identity && !options.sources.empty()) {
    const std::string stubs = scratch + "/stubs";
    auto others = writeStubs(options, stubs, scratch, stop);
    if (!others) return others.error();
    built.others = std::move(*others);
    if (!built.others.empty()) options.includes.push_back(stubs);
    if (!built.others.empty()) identity = identityOf(source, options, scratch, stop);
  }
  if (!identity) return askingForHeaders(identity.error(), source, options, scratch, stop);
  const std::string key = sha256Hex(std::as_bytes(std::span(*identity)));
  built.library = m_tools.cacheDir + "/generators/" + key + ".so";
  if (fs::exists(built.library)) return built;

  if (progress) progress({"compiling the source", -1});
  const std::string library = scratch + "/generator.so";
  std::vector<std::string> arguments{"-shared", "-o", library, source};
  for (std::string &file : codeOf(options))
    arguments.push_back(std::move(file));
  const auto compiled = runCompiler(std::move(arguments), options, scratch, stop);
  if (!compiled) return compiled.error();
  if (!succeeded(*compiled))
    return askingForHidden(notCompiled(m_tools.compiler, source, *compiled), source, options,
                           scratch, stop);
  const Result<std::string> binary = host::readFile(library);
  if (!binary) return binary.error();
  if (const Status stored = host::writeFile(built.library, *binary); !stored) return stored.error();
  return built;
}

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#include "engine/open/open.h"

#include "engine/open/halide_workers.h"
#include "engine/open/missing_sources.h"
#include "engine/open/scratch_paths.h"
#include "engine/host/files.h"
#include "engine/pipeline/json.h"
#include "engine/record/file_lines.h"
#include "engine/schedule/words/directive_json.h"

#include <algorithm>
#include <filesystem>

namespace tessera::open {
namespace {

using job::ProgressCallback;

constexpr std::chrono::milliseconds kImportTimeout{60'000};
constexpr std::size_t kWorkers = 2;
constexpr std::string_view kUnscheduled = "unscheduled.hlpipe"; // in a scratch folder
constexpr std::size_t kAddressSpace = std::size_t{12} << 30;

// Adds the path to an error that does not name it, so that the user knows which file is meant. A
// scratch file means nothing to the user.
Error about(const std::string &path, Error error) {
  if (error.code != ErrorCode::Cancelled && error.message.find(path) == std::string::npos &&
      ownScratchFolderOf(path).empty())
    error.message = "'" + path + "': " + error.message;
  return error;
}

// An error of a program that ran `file`, which may have been built from the user's `path`, with
// files in `scratch`.
Error inUsersTerms(Error error, const std::string &file, const std::string &path,
                   const std::string &scratch) {
  for (std::size_t at = error.message.find(file); at != std::string::npos;
       at = error.message.find(file, at + path.size()))
    error.message.replace(at, file.size(), path);
  return withoutScratchFolders(std::move(error), {{"scratch", scratch}});
}

std::string quotedNames(const std::vector<Generator> &generators) {
  std::string names;
  for (const Generator &generator : generators)
    names += (names.empty() ? "'" : ", '") + generator.name + "'";
  return names;
}

Result<const Generator *> chosen(const std::vector<Generator> &generators,
                                 const OpenRequest &request) {
  if (request.generator.empty()) {
    if (generators.size() == 1) return &generators.front();
    return Error{ErrorCode::Usage,
                 "'" + request.path + "' has " + std::to_string(generators.size()) +
                     " generators: " + quotedNames(generators) + ".",
                 "Choose one with --generator NAME."};
  }
  for (const Generator &generator : generators)
    if (generator.name == request.generator) return &generator;
  return Error{ErrorCode::Usage,
               "'" + request.path + "' has no generator '" + request.generator + "'.",
               "It has " + quotedNames(generators) + "."};
}

Status knowsParameters(const Generator &generator, const OpenRequest &request) {
  for (const auto &[name, value] : request.parameters) {
    // "producer.tile" is a parameter of a nested stub, which only Halide can check, so it is
    // accepted.
    const bool known = name.find('.') != std::string::npos || name == "target" ||
                       std::any_of(generator.parameters.begin(), generator.parameters.end(),
                                   [&](const GeneratorParameter &p) { return p.name == name; });
    if (known) continue;
    std::string names;
    for (const GeneratorParameter &parameter : generator.parameters)
      names += (names.empty() ? "" : ", ") + parameter.name;
    return Error{ErrorCode::Usage,
                 "Generator '" + generator.name + "' has no parameter '" + name + "'.",
                 names.empty() ? "It has none." : "It has: " + names + "."};
  }
  return Done{};
}

// A generator may fail because of a parameter that was not set, or not well.
Error namingParameters(Error error, const Generator &generator) {
  if (!error.hint.empty() || generator.parameters.empty()) return error;
  error.hint = "It has parameters, which --param NAME=VALUE sets:";
  for (const GeneratorParameter &parameter : generator.parameters)
    error.hint += " " + parameter.name + "=" + parameter.defaultValue;
  return error;
}

void writeOpened(const record::Record &record, const std::string &path,
                 const Result<OpenedPipeline> &opened,
                 std::chrono::steady_clock::time_point start) {
  record::FileLine line{.path = path, .failed = record::failureOf(opened), .start = start};
  if (const auto kind = detectSourceKind(path)) line.kind = wordOf(*kind);
  if (opened)
    line.facts = {{"stages", opened->pipeline->stages().size()},
                  {"edges", opened->pipeline->edges().size()}};
  record::write(record, line);
}

} // namespace

struct PipelineOpener::Impl {
  Impl(host::ToolPaths paths, std::shared_ptr<host::TrustStore> store)
      : tools(std::move(paths)), trust(std::move(store)), workers(tools, kWorkers, kAddressSpace),
        runner(tools) {}

  // `path` is the user's file, for errors. `fields` is the request to the worker.
  Result<nlohmann::json> ask(const std::string &type, const std::string &path,
                             const nlohmann::json &fields, std::stop_token stop,
                             const ProgressCallback &progress) {
    job::Reply reply = workers.request(type, fields, kImportTimeout, stop, progress);
    if (reply.outcome != Outcome::Ok) return about(path, errorOf(reply.outcome, reply.error));
    return std::move(reply.body);
  }

  struct Imported {
    pipeline::PipelinePtr pipeline; // null: it has a schedule, and there was no path to write to
    bool isUnscheduled = false;
  };
  Result<Imported> import(const std::string &path, const nlohmann::json &fields,
                          std::stop_token stop, const ProgressCallback &progress) {
    const auto reply = ask("import", path, fields, stop, progress);
    if (!reply) return reply.error();
    if (reply->is_object() && reply->contains("has_own_schedule")) return Imported{nullptr, true};
    const auto found = reply->find("pipeline");
    if (!reply->is_object() || found == reply->end())
      return about(path, {ErrorCode::WorkerFailed, "The Halide worker sent no pipeline.", ""});
    auto read = pipeline::pipelineFromJson(*found);
    if (!read) return about(path, read.error());
    return Imported{std::move(*read), reply->value("is_unscheduled", false)};
  }

  Status mayRun(const std::string &path) const {
    const Result<std::string> hash = host::fileHash(path);
    if (!hash) return hash.error();
    if (trust->isTrusted(*hash)) return Done{};
    return Error{
        ErrorCode::NotTrusted,
        "'" + path +
            "' is code that would run on this machine, and it has not been allowed yet (SHA-256 " +
            hash->substr(0, 16) + "…).",
        "It runs in a sandbox without network and without write access. Allow exactly this file "
        "with --trust."};
  }

  // Where the functions of extern stages may be. What was allowed to run for opening may do so.
  static FunctionSource functionsOf(const OpenRequest &request, SourceKind kind,
                                    const pipeline::Pipeline &pipeline) {
    FunctionSource source = functionSourceOf(request, kind, pipeline);
    if (source.functions.empty()) return source;
    std::vector<std::string> files = codeOf(source.build);
    files.push_back(source.path);
    for (const std::string &file : files)
      if (auto hash = host::fileHash(file)) source.allowed.push_back(std::move(*hash));
    return source;
  }

  // A library or program that can list its generators. Those in `others` only help.
  struct Runnable {
    std::string file;
    SourceKind kind;
    std::vector<std::string> others = {};
    std::vector<std::string> sources = {}; // that were given beside the one it was built from
  };
  Result<std::vector<Generator>> ownGenerators(const Runnable &code, const std::string &scratch,
                                               const std::stop_token &stop) const {
    auto generators = runner.list(code.file, code.kind, scratch, stop);
    if (generators)
      std::erase_if(*generators, [&](const Generator &generator) {
        return std::ranges::find(code.others, generator.name) != code.others.end();
      });
    return generators;
  }
  Result<Runnable> runnable(const std::string &path, SourceKind kind, const BuildOptions &given,
                            const std::string &scratch, std::stop_token stop,
                            const ProgressCallback &progress) const {
    if (const Status allowed = mayRun(path); !allowed) return allowed.error();
    for (const std::string &code : codeOf(given))
      if (const Status allowed = mayRun(code); !allowed) return allowed.error();
    // The path is made absolute, because the sandbox has another working folder.
    const std::string file = std::filesystem::absolute(path).string();
    if (kind != SourceKind::GeneratorSource) return Runnable{file, kind};
    const BuildOptions options = completedFor(file, given);
    auto built = runner.build(file, options, scratch, stop, progress);
    if (!built) return built.error();
    return Runnable{std::move(built->library), SourceKind::GeneratorLibrary,
                    std::move(built->others), options.sources};
  }

  // An error of `code`, which may have been built from `path` without a source that it needs.
  Error withSymbols(Error error, const Runnable &code, const std::string &path,
                    const std::string &scratch, const std::stop_token &stop) const {
    if (undefinedNames(error.message).empty() || code.file == path) return error;
    return askingForSymbols(std::move(error), runner.lackingSymbols(code.file, {}, scratch, stop),
                            path, code.sources);
  }

  Result<OpenedPipeline> open(const OpenRequest &asked, std::stop_token stop,
                              const ProgressCallback &progress);
  Result<OpenedPipeline> openGenerator(const OpenRequest &request, SourceKind kind,
                                       std::stop_token stop, const ProgressCallback &progress);
  Result<OpenedPipeline> openSerialized(const OpenRequest &request, std::stop_token stop,
                                        const ProgressCallback &progress);

  host::ToolPaths tools;
  std::shared_ptr<host::TrustStore> trust;
  HalideWorkers workers;
  GeneratorRunner runner;
};

Result<OpenedPipeline> PipelineOpener::Impl::openGenerator(const OpenRequest &request,
                                                           SourceKind kind, std::stop_token stop,
                                                           const ProgressCallback &progress) {
  Result<host::ScratchFolder> folder = host::ScratchFolder::create(tools.cacheDir);
  if (!folder) return folder.error();
  auto scratch = std::make_shared<const host::ScratchFolder>(std::move(*folder));
  const auto code = runnable(request.path, kind, request.build, scratch->path(), stop, progress);
  if (!code) return code.error();
  if (progress) progress({"asking for generators", -1});
  const auto forUser = [&](Error error) {
    error = inUsersTerms(std::move(error), code->file, request.path, scratch->path());
    return withSymbols(std::move(error), *code, request.path, scratch->path(), stop);
  };
  auto generators = ownGenerators(*code, scratch->path(), stop);
  if (!generators) return forUser(generators.error());
  const Result<const Generator *> generator = chosen(*generators, request);
  if (!generator) return generator.error();
  if (const Status known = knowsParameters(**generator, request); !known) return known.error();

  if (progress) progress({"running the generator", -1});
  const GeneratorRun run{code->file, code->kind, (*generator)->name, request.parameters,
                         request.ownSchedule};
  const Result<CapturedFiles> files = runner.capture(run, scratch->path(), stop);
  if (!files) return namingParameters(forUser(files.error()), **generator);
  PipelineFiles made{files->pipeline, files->estimates, request.estimates, scratch};
  nlohmann::json fields{{"path", made.pipeline},
                        {"name", run.generator},
                        {"sidecar", made.sidecar},
                        {"estimates", estimateFields(request.estimates)}};
  const std::string unscheduled = scratch->path() + "/" + std::string(kUnscheduled);
  if (request.ownSchedule == OwnSchedule::TakeOff) fields["unscheduled"] = unscheduled;
  auto imported = import(request.path, fields, stop, progress);
  if (!imported) return imported.error();
  if (imported->isUnscheduled) made = {unscheduled, {}, request.estimates, scratch};
  made.functions = functionsOf(request, kind, *imported->pipeline);
  return OpenedPipeline{std::move(imported->pipeline), kind, request.path,
                        std::move(*generators),        {},   std::move(made),
                        imported->isUnscheduled};
}

Result<OpenedPipeline> PipelineOpener::Impl::openSerialized(const OpenRequest &request,
                                                            std::stop_token stop,
                                                            const ProgressCallback &progress) {
  if (!request.generator.empty() || !request.parameters.empty())
    return Error{ErrorCode::Usage,
                 "'" + request.path +
                     "' is a serialized pipeline: it has no generators and no "
                     "parameters.",
                 "Open the generator itself to choose among them."};
  for (const std::string &code : codeOf(request.build))
    if (const Status allowed = mayRun(code); !allowed) return allowed.error();
  nlohmann::json fields{{"path", request.path}, {"estimates", estimateFields(request.estimates)}};
  if (request.ownSchedule == OwnSchedule::TakeOff) fields["refuses_own_schedule"] = true;
  auto imported = import(request.path, fields, stop, progress);
  PipelineFiles made;
  if (imported && !imported->pipeline) {
    Result<host::ScratchFolder> folder = host::ScratchFolder::create(tools.cacheDir);
    if (!folder) return folder.error();
    made = {folder->path() + "/" + std::string(kUnscheduled),
            {},
            request.estimates,
            std::make_shared<const host::ScratchFolder>(std::move(*folder))};
    fields.erase("refuses_own_schedule");
    fields["unscheduled"] = made.pipeline;
    imported = import(request.path, fields, std::move(stop), progress);
  }
  if (!imported) return imported.error();
  if (!imported->isUnscheduled) made = {request.path, {}, request.estimates, nullptr};
  made.functions = functionsOf(request, SourceKind::SerializedPipeline, *imported->pipeline);
  return OpenedPipeline{std::move(imported->pipeline),
                        SourceKind::SerializedPipeline,
                        request.path,
                        {},
                        {},
                        std::move(made),
                        imported->isUnscheduled};
}

PipelineOpener::PipelineOpener(host::ToolPaths tools, std::shared_ptr<host::TrustStore> trust)
    : m_impl(std::make_unique<Impl>(std::move(tools), std::move(trust))) {}

PipelineOpener::~PipelineOpener() = default;

Result<OpenedPipeline> PipelineOpener::open(const OpenRequest &asked, std::stop_token stop,
                                            const ProgressCallback &progress) {
  const auto start = std::chrono::steady_clock::now();
  auto opened = m_impl->open(asked, std::move(stop), progress);
  if (m_impl->tools.record) writeOpened(m_impl->tools.record, asked.path, opened, start);
  return opened;
}

Result<OpenedPipeline> PipelineOpener::Impl::open(const OpenRequest &asked, std::stop_token stop,
                                                  const ProgressCallback &progress) {
  const Result<OpenRequest> sized = atSize(asked);
  if (!sized) return sized.error();
  const OpenRequest &request = *sized;
  const Result<SourceKind> kind = detectSourceKind(request.path);
  if (!kind) return kind.error();
  if (*kind != SourceKind::SerializedPipeline) return openGenerator(request, *kind, stop, progress);
  auto opened = openSerialized(request, stop, progress);
  if (!opened) return opened;
  // An unreadable table of sizes is an error only for a request that names a size.
  if (auto sizes = sizesOf(asked.path)) opened->sizes = std::move(*sizes);
  return opened;
}

Result<std::vector<Generator>> PipelineOpener::generators(const std::string &path,
                                                          const BuildOptions &build,
                                                          std::stop_token stop,
                                                          const ProgressCallback &progress) {
  const Result<SourceKind> kind = detectSourceKind(path);
  if (!kind) return kind.error();
  if (*kind == SourceKind::SerializedPipeline) return std::vector<Generator>{};
  const Result<host::ScratchFolder> scratch = host::ScratchFolder::create(m_impl->tools.cacheDir);
  if (!scratch) return scratch.error();
  const auto code = m_impl->runnable(path, *kind, build, scratch->path(), stop, progress);
  if (!code) return code.error();
  auto generators = m_impl->ownGenerators(*code, scratch->path(), stop);
  if (generators) return generators;
  return m_impl->withSymbols(inUsersTerms(generators.error(), code->file, path, scratch->path()),
                             *code, path, scratch->path(), stop);
}

Result<schedule::FoundCalls> PipelineOpener::scheduleIn(const PipelineFiles &file,
                                                        std::stop_token stop,
                                                        const ProgressCallback &progress) {
  nlohmann::json fields{{"path", file.pipeline}};
  if (!file.sidecar.empty()) fields["sidecar"] = file.sidecar;
  const auto reply = m_impl->ask("schedule", file.pipeline, fields, stop, progress);
  if (!reply) return reply.error();
  const Error broken{ErrorCode::WorkerFailed, "The Halide worker sent no schedule.", ""};
  if (!reply->is_object() || !reply->contains("directives")) return about(file.pipeline, broken);
  auto directives = schedule::directivesFromJson(reply->at("directives"));
  if (!directives) return about(file.pipeline, directives.error());
  schedule::FoundCalls schedule{std::move(*directives), {}, {}, {}};
  for (const nlohmann::json &other : reply->value("others", nlohmann::json::array())) {
    const auto call = other.is_object() ? other.find("call") : other.end();
    if (call == other.end() || !call->is_string()) return about(file.pipeline, broken);
    schedule.others.push_back({call->get<std::string>(), other.value("makes_loops", true)});
  }
  for (const nlohmann::json &text : reply->value("promises", nlohmann::json::array())) {
    if (!text.is_string()) return about(file.pipeline, broken);
    auto promise = report::promiseFromText(text.get<std::string>());
    if (!promise) return about(file.pipeline, promise.error());
    schedule.promises.push_back(std::move(*promise));
  }
  for (const nlohmann::json &text : reply->value("unsaid_promises", nlohmann::json::array())) {
    if (!text.is_string()) return about(file.pipeline, broken);
    schedule.unsaidPromises.push_back(text.get<std::string>());
  }
  return schedule;
}

void PipelineOpener::warmUp() { m_impl->workers.warmUp(); }

} // namespace tessera::open

// SPDX-License-Identifier: MIT
#include "engine/open/function_builder.h"

#include "engine/open/missing_sources.h"
#include "engine/base/asked.h"
#include "engine/host/files.h"
#include "engine/host/trust.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

namespace tessera::open {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRegisters = "HALIDE_REGISTER_GENERATOR";
constexpr const char *kRuntime = "tessera_runtime"; // Halide's, as an object

bool registersGenerators(const std::string &source) {
  const auto text = host::readFile(source);
  return text && text->find(kRegisters) != std::string::npos;
}

// Whether C++ can write it as a name of C; not so "Space::function".
bool isPlainName(const std::string &name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_';
  });
}

// A source that asks for the functions, so that a linker takes the parts of archives and libraries
// that have them. It may do without those in `missing`.
std::string askingFor(const std::vector<std::string> &functions,
                      const std::vector<std::string> &missing) {
  std::string text;
  for (const std::string &name : functions) {
    if (!isPlainName(name)) continue;
    const bool isMissing = std::ranges::find(missing, name) != missing.end();
    const std::string alias = "tessera_" + name;
    text += "extern \"C\" char " + alias + " __asm__(\"" + name + "\")" +
            (isMissing ? " __attribute__((weak));\n" : ";\n") +
            "extern \"C\" const void *const tessera_asked_" + name + " = &" + alias + ";\n";
  }
  return text;
}

} // namespace

// One build: its members are what it has made so far.
class FunctionBuilder::Build {
public:
  Build(const host::ToolPaths &tools, const GeneratorRunner &runner, const FunctionSource &source,
        const std::stop_token &stop)
      : m_tools(tools), m_runner(runner), m_source(source), m_stop(stop) {}

  Result<FunctionFiles> run();

private:
  struct Code { // what has generators, as a program or a library
    std::string file;
    SourceKind kind;
    std::vector<std::string> generators;
  };

  Status mayRun() const;
  Status compileSources();
  Status findCode();
  Status addCode(const std::string &file, SourceKind kind);
  Result<std::vector<std::string>> lacking();
  Result<bool> generate(const std::vector<std::string> &functions);
  Status link(const std::string &library, const std::vector<std::string> &missing);
  std::vector<std::string> linkedFiles() const;
  void advise(FunctionFiles &files) const;
  std::string inScratch(const std::string &name) const { return m_scratch + "/" + name; }

  const host::ToolPaths &m_tools;
  const GeneratorRunner &m_runner;
  const FunctionSource &m_source;
  const std::stop_token &m_stop;
  std::string m_scratch;
  std::vector<std::string> m_objects;
  std::vector<Code> m_code;
  std::vector<std::string> m_generated; // functions that generators have made
};

Status FunctionBuilder::Build::mayRun() const {
  const host::TrustStore trust(host::trustFile(m_tools));
  std::vector<std::string> files = codeOf(m_source.build);
  if (m_source.kind != SourceKind::SerializedPipeline) files.insert(files.begin(), m_source.path);
  for (const std::string &file : files) {
    const auto hash = host::fileHash(file);
    if (!hash) return hash.error();
    const bool isAllowed = std::ranges::find(m_source.allowed, *hash) != m_source.allowed.end() ||
                           trust.isTrusted(*hash);
    if (!isAllowed)
      return Error{ErrorCode::InputRefused,
                   "The functions of the pipeline's extern stages are made from '" + file +
                       "', which has not been allowed to run as it is now.",
                   "Open that file itself, and allow it."};
  }
  return Done{};
}

// Sources with generators are compiled by themselves, since they need Halide.
Status FunctionBuilder::Build::compileSources() {
  for (const std::string &source : m_source.build.sources) {
    if (registersGenerators(source)) continue;
    const std::string object = inScratch("source" + std::to_string(m_objects.size()) + ".o");
    if (Status done = m_runner.compile(source, m_source.build, object, m_scratch, m_stop); !done)
      return done;
    m_objects.push_back(object);
  }
  return Done{};
}

Status FunctionBuilder::Build::addCode(const std::string &file, SourceKind kind) {
  auto names = m_runner.namesIn(file, kind, m_scratch, m_stop);
  if (!names) return names.error();
  m_code.push_back({file, kind, std::move(*names)});
  return Done{};
}

Status FunctionBuilder::Build::findCode() {
  switch (m_source.kind) {
  case SourceKind::GeneratorProgram:
  case SourceKind::GeneratorLibrary:
    if (Status done = addCode(m_source.path, m_source.kind); !done) return done;
    break;
  case SourceKind::GeneratorSource: {
    const auto built = m_runner.build(m_source.path, m_source.build, m_scratch, m_stop, {});
    if (!built) return built.error();
    return addCode(built->library, SourceKind::GeneratorLibrary); // with the further sources
  }
  case SourceKind::SerializedPipeline:
    break;
  }
  for (const std::string &source : m_source.build.sources) {
    if (!registersGenerators(source)) continue;
    BuildOptions rest = m_source.build;
    std::erase(rest.sources, source);
    const auto built = m_runner.build(source, rest, m_scratch, m_stop, {});
    if (!built) return built.error();
    if (Status done = addCode(built->library, SourceKind::GeneratorLibrary); !done) return done;
  }
  return Done{};
}

std::vector<std::string> FunctionBuilder::Build::linkedFiles() const {
  std::vector<std::string> files = m_objects;
  files.insert(files.end(), m_source.build.libraries.begin(), m_source.build.libraries.end());
  // A generator's library has what stands beside the generator in its source, and needs Halide.
  files.emplace_back("-Wl,--as-needed");
  for (const Code &code : m_code)
    if (code.kind == SourceKind::GeneratorLibrary) files.push_back(code.file);
  files.insert(files.end(), {"-L" + m_tools.halideRoot + "/lib64", "-lHalide"});
  for (const std::string &library : m_source.build.libraries)
    files.push_back("-Wl,-rpath," + fs::path(library).parent_path().string());
  files.push_back("-Wl,-rpath," + m_tools.halideRoot + "/lib64");
  return files;
}

Status FunctionBuilder::Build::link(const std::string &library,
                                    const std::vector<std::string> &missing) {
  const std::string asking = inScratch("asking.cpp");
  if (Status written = host::writeFile(asking, askingFor(m_source.functions, missing)); !written)
    return written;
  std::vector<std::string> arguments{asking};
  if (!m_generated.empty()) arguments.push_back(inScratch(std::string(kRuntime) + ".o"));
  std::ranges::move(linkedFiles(), std::back_inserter(arguments));
  return m_runner.link(std::move(arguments), library, m_scratch, m_stop);
}

// The functions that the extern stages need, or that those need in turn, and that nothing has yet.
Result<std::vector<std::string>> FunctionBuilder::Build::lacking() {
  const std::string library = inScratch("trial.so");
  if (const Status linked = link(library, {}); !linked) return linked.error();
  std::vector<std::string> folders;
  for (const std::string &file : linkedFiles())
    if (file.starts_with('/')) folders.push_back(fs::path(file).parent_path().string());
  return undefinedSymbols(m_runner.lackingSymbols(library, std::move(folders), m_scratch, m_stop));
}

// Compiles the generators of these names. Returns whether there were any.
Result<bool> FunctionBuilder::Build::generate(const std::vector<std::string> &functions) {
  bool isNew = false;
  for (const std::string &function : functions)
    for (const Code &code : m_code) {
      const bool isMade = std::ranges::find(m_generated, function) != m_generated.end();
      if (isMade || std::ranges::find(code.generators, function) == code.generators.end()) continue;
      GeneratorRun run{code.file, code.kind, function, {}};
      if (!m_source.target.empty()) run.parameters.emplace_back("target", m_source.target);
      if (m_generated.empty())
        if (Status made = m_runner.writeRuntime(run, kRuntime, m_scratch, m_stop); !made)
          return made.error();
      if (Status made = m_runner.writeFunction(run, m_source.takesContext, m_scratch, m_stop);
          !made)
        return made.error();
      m_objects.push_back(inScratch(function + ".o"));
      m_generated.push_back(function);
      isNew = true;
    }
  return isNew;
}

// Files nearby that may have what is missing.
void FunctionBuilder::Build::advise(FunctionFiles &files) const {
  for (const std::string &symbol : files.missing) {
    const std::string name = plainName(symbol);
    auto found = sourceRegistering(name, m_source.path);
    if (!found) found = sourceDefining(name, m_source.path, m_source.build.sources);
    if (found) ask(files.advice.asked, {"with-source", *found});
  }
  files.advice.hint =
      files.advice.asked.empty()
          ? "Give what has them: --with-source FILE or --with-library FILE."
          : "Give the sources that define them: " + commandWords(files.advice.asked);
}

Result<FunctionFiles> FunctionBuilder::Build::run() {
  if (m_tools.compiler.empty())
    return Error{ErrorCode::System,
                 "No C++ compiler was found to make the functions of extern stages with.",
                 "Install g++ or clang++, or name one in the environment variable CXX."};
  if (const Status allowed = mayRun(); !allowed) return allowed.error();
  auto folder = host::ScratchFolder::create(m_tools.cacheDir);
  if (!folder) return folder.error();
  m_scratch = folder->path();
  if (const Status done = compileSources(); !done) return done.error();
  if (const Status done = findCode(); !done) return done.error();
  FunctionFiles files;
  for (;;) {
    auto names = lacking();
    if (!names) return names.error();
    const auto isNew = generate(*names);
    if (!isNew) return isNew.error();
    files.missing = std::move(*names);
    if (!*isNew) break;
  }
  files.library = inScratch("functions.so");
  if (const Status done = link(files.library, files.missing); !done) return done.error();
  files.linked = linkedFiles();
  if (!files.missing.empty()) advise(files);
  files.folder = std::make_shared<const host::ScratchFolder>(std::move(*folder));
  return files;
}

Result<FunctionFiles> FunctionBuilder::build(const FunctionSource &source,
                                             const std::stop_token &stop,
                                             const job::ProgressCallback &progress) {
  const std::lock_guard lock(m_mutex);
  if (m_files && m_source == source) return *m_files;
  if (progress) progress({"compiling the functions of extern stages", -1});
  auto files = Build(m_tools, m_runner, source, stop).run();
  if (!files && files.error().code == ErrorCode::Cancelled) return files;
  m_source = source;
  m_files = std::move(files);
  return *m_files;
}

} // namespace tessera::open

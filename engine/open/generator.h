// SPDX-License-Identifier: MIT
#pragma once

#include "engine/open/build_options.h"
#include "engine/open/source_kind.h"
#include "engine/base/result.h"
#include "engine/host/tools.h"
#include "engine/job/worker_client.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::open {

struct GeneratorParameter {
  std::string name;
  std::string type;                 // in C++ spelling; "enum" for an enumeration
  std::vector<std::string> choices; // values of an enumeration
  std::string defaultValue;         // in command-line spelling

  friend bool operator==(const GeneratorParameter &, const GeneratorParameter &) = default;
};

struct Generator {
  std::string name;
  std::vector<GeneratorParameter> parameters;

  friend bool operator==(const Generator &, const Generator &) = default;
};

// The parameters in a stub header. This is the only place where Halide's generator program lists
// its parameters and their defaults.
std::vector<GeneratorParameter> parametersOfStub(std::string_view header);

// The names in the message that a generator program prints if it gets no generator name.
std::vector<std::string> generatorNames(std::string_view message);

// What becomes of the schedule that a file or a generator has.
enum class OwnSchedule {
  TakeOff, // the pipeline is opened as if nobody had scheduled it
  Leave,   // as it is: what a file says, or a generator whoever asks
  Apply,   // a generator's schedule for those who ask for none is applied, too
};

struct GeneratorRun {
  std::string file;
  SourceKind kind = SourceKind::GeneratorProgram; // either a program or a library
  std::string generator;
  std::vector<std::pair<std::string, std::string>> parameters;
  OwnSchedule ownSchedule = OwnSchedule::TakeOff;
};

// The pipeline that a run has written, and its sidecar with the estimates; empty: there is none.
struct CapturedFiles {
  std::string pipeline;
  std::string estimates;
};

// A library that was built from a generator's source.
struct BuiltSource {
  std::string library;
  std::vector<std::string> others; // generators of further sources, whose stubs it uses
};

// Runs the user's generators, always in the sandbox: no network, only one writable scratch folder,
// limits on memory and time. The caller must have got the user's permission before.
class GeneratorRunner {
public:
  explicit GeneratorRunner(const host::ToolPaths &tools) : m_tools(tools) {}

  Result<std::vector<Generator>> list(const std::string &file, SourceKind kind,
                                      const std::string &scratch,
                                      const std::stop_token &stop) const;

  Result<CapturedFiles> capture(const GeneratorRun &run, const std::string &scratch,
                                std::stop_token stop) const;

  // Compiles a source file to a library in the cache folder, unless the library is there already.
  // The key is the compiler's path, the preprocessed text of all sources, and the libraries'
  // content, so that a changed include is noticed. Stubs of generators in the further sources are
  // written first, if the source includes them.
  Result<BuiltSource> build(const std::string &source, const BuildOptions &given,
                            const std::string &scratch, const std::stop_token &stop,
                            const job::ProgressCallback &progress) const;

  // Compiles a source to an object file, without linking.
  Status compile(const std::string &source, const BuildOptions &options, const std::string &object,
                 const std::string &scratch, const std::stop_token &stop) const;

  // Links files to a shared library. Symbols may stay undefined.
  Status link(std::vector<std::string> files, const std::string &library,
              const std::string &scratch, const std::stop_token &stop) const;

  // Compiles what a generator computes, with its own schedule, to the function of its name:
  // GENERATOR.o in the scratch folder, without Halide's runtime. `takesContext`: it is called with
  // the caller's context.
  Status writeFunction(const GeneratorRun &run, bool takesContext, const std::string &scratch,
                       const std::stop_token &stop) const;
  // Halide's runtime for these functions: NAME.o in the scratch folder.
  Status writeRuntime(const GeneratorRun &run, const std::string &name, const std::string &scratch,
                      const std::stop_token &stop) const;

  // The names of the generators in a program or library.
  Result<std::vector<std::string>> namesIn(const std::string &file, SourceKind kind,
                                           const std::string &scratch,
                                           const std::stop_token &stop) const;

  // What the system's loader says of all symbols that a library lacks; Halide's are among them.
  // `folders` have the libraries that it is linked with.
  std::string lackingSymbols(const std::string &library, std::vector<std::string> folders,
                             const std::string &scratch, const std::stop_token &stop) const;

private:
  Result<job::ProcessReport> runGenerator(const std::string &file, SourceKind kind,
                                          std::vector<std::string> arguments,
                                          const std::string &plugin, const std::string &scratch,
                                          std::stop_token stop) const;
  Result<job::ProcessReport> runCapturing(const GeneratorRun &run, const std::string &scratch,
                                          const std::stop_token &stop) const;
  Error refused(const GeneratorRun &run, const std::string &scratch,
                const job::ProcessReport &report, const std::stop_token &stop) const;
  Result<CapturedFiles> captureScheduled(const GeneratorRun &run,
                                         std::vector<std::string> arguments,
                                         const std::string &scratch, std::stop_token stop) const;
  Result<job::ProcessReport> runCompiler(std::vector<std::string> arguments,
                                         const BuildOptions &options, const std::string &scratch,
                                         std::stop_token stop) const;
  std::string dependenciesOf(const std::vector<std::string> &sources, const BuildOptions &options,
                             const std::string &scratch, const std::stop_token &stop) const;
  Error askingForHidden(Error error, const std::string &source, const BuildOptions &options,
                        const std::string &scratch, const std::stop_token &stop) const;
  Error askingForHeaders(Error error, const std::string &source, BuildOptions options,
                         const std::string &scratch, const std::stop_token &stop) const;
  Result<std::vector<std::string>> writeStubs(const BuildOptions &options,
                                              const std::string &folder, const std::string &scratch,
                                              const std::stop_token &stop) const;
  // What makes one build differ from another, as text.
  Result<std::string> identityOf(const std::string &source, const BuildOptions &options,
                                 const std::string &scratch, std::stop_token stop) const;

  host::ToolPaths m_tools;
};

} // namespace tessera::open

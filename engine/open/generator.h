// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/job/worker_client.h"
#include "engine/open/source_kind.h"
#include "engine/host/tools.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::open {

struct GeneratorParameter {
  std::string name;
  std::string type;                 // as C++ spells it; "enum" for an enumeration
  std::vector<std::string> choices; // of an enumeration
  std::string defaultValue;         // as it is written on a command line

  friend bool operator==(const GeneratorParameter &, const GeneratorParameter &) = default;
};

struct Generator {
  std::string name;
  std::vector<GeneratorParameter> parameters;

  friend bool operator==(const Generator &, const Generator &) = default;
};

// The parameters in a stub header: the only place where Halide's generator program says which it
// has and what their defaults are.
std::vector<GeneratorParameter> parametersOfStub(std::string_view header);

// The names in the message that a generator program prints when it is given none.
std::vector<std::string> generatorNames(std::string_view message);

// Whether a generator's own schedule is applied before the pipeline is written.
enum class OwnSchedule { Leave, Apply };

struct GeneratorRun {
  std::string file;
  SourceKind kind = SourceKind::GeneratorProgram; // program or library
  std::string generator;
  std::vector<std::pair<std::string, std::string>> parameters;
  OwnSchedule ownSchedule = OwnSchedule::Leave;
};

// Where a run left its pipeline; the estimates lie beside it.
struct CapturedFiles {
  std::string pipeline;
  std::string estimates;
};

// Runs the user's generators, always in the sandbox: no network, nothing writable but one scratch
// folder, limits on memory and time. Who calls has asked the user first.
class GeneratorRunner {
public:
  explicit GeneratorRunner(const host::ToolPaths &tools) : m_tools(tools) {}

  Result<std::vector<Generator>> list(const std::string &file, SourceKind kind,
                                      const std::string &scratch, std::stop_token stop) const;

  Result<CapturedFiles> capture(const GeneratorRun &run, const std::string &scratch,
                                std::stop_token stop) const;

  // Compiles a source into a library in the cache folder, or finds it there: the key is the
  // preprocessed text, so that an edited include is noticed.
  Result<std::string> build(const std::string &source, const std::string &scratch,
                            std::stop_token stop, const job::ProgressCallback &progress) const;

private:
  Result<job::ProcessReport> runGenerator(const std::string &file, SourceKind kind,
                                          std::vector<std::string> arguments,
                                          const std::string &plugin, const std::string &scratch,
                                          std::stop_token stop) const;
  Result<job::ProcessReport> runCompiler(std::vector<std::string> arguments,
                                         const std::string &source, const std::string &scratch,
                                         std::stop_token stop) const;

  host::ToolPaths m_tools;
};

} // namespace tessera::open

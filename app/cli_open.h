// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli_invocation.h"
#include "app/cli_report.h"
#include "engine/bench/input_folder.h"
#include "engine/document/document_file.h"
#include "engine/open/open.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

// The pipeline and its size: options of every command that opens a pipeline.
struct FileOptions {
  std::string file;
  std::string generator;
  std::vector<std::string> parameters;
  std::vector<std::string> estimates;
  std::string size;
  open::BuildOptions build;        // for a generator's source
  std::vector<std::string> inputs; // NAME=FILE or NAME=VALUE; for commands that run the pipeline
  bool fitEstimates = false;
  bool trust = false;
};

void addFileOptions(CLI::App &command, FileOptions &options);
CLI::Option *addInputOption(CLI::App &command, FileOptions &options);

// Opens the file named by the options. If that would run the user's code, asks the user first.
class FileOpener {
public:
  FileOpener(const FileOptions &options, const Invocation &invocation);

  // The request to open the file. If the file is a document, reads it and returns the request that
  // it contains.
  Result<open::OpenRequest> request();
  // Warns of estimates that contradict the pipeline or, if the options say so, opens it with sizes
  // that fit. Says that the file's own schedule was taken off, unless `schedule` asks for it.
  Result<open::OpenedPipeline> open(const open::OpenRequest &request,
                                    std::string_view schedule = {});
  // The user's files for inputs, as arrays of the type and size that the pipeline requires.
  Result<std::vector<bench::GivenInput>> inputs(const open::OpenedPipeline &opened) const;

  // Runs `action`. If that fails because the user has not allowed the code to run, asks the user
  // once, and after a yes runs it again.
  template <typename Action>
  auto trying(const Action &action) -> decltype(action()) {
    if (m_options.trust)
      if (const Status trusted = trustFile(); !trusted) return trusted.error();
    auto result = action();
    if (!result && result.error().code == ErrorCode::NotTrusted && userAllows(result.error())) {
      if (const Status trusted = trustFile(); !trusted) return trusted.error();
      result = action();
    }
    clearProgress();
    return result;
  }

  const host::ToolPaths &tools() const { return m_tools; }
  open::PipelineOpener &opener() { return m_opener; }
  const std::stop_token &stop() const { return m_stop; }

private:
  static bool userAllows(const Error &question);
  Result<open::OpenedPipeline> openAsAsked(const open::OpenRequest &request);
  Result<open::OpenedPipeline> openFitting(open::OpenRequest request,
                                           const open::OpenedPipeline &as);
  Status trustFile(); // and what the options compile or link with it
  Result<open::OpenRequest> requestOfFile() const;
  Status readDocument();

  const FileOptions &m_options;
  std::stop_token m_stop;
  host::ToolPaths m_tools;
  std::shared_ptr<host::TrustStore> m_trust;
  open::PipelineOpener m_opener;
  std::optional<document::ReadDocument> m_document; // set once the document was read
};

} // namespace tessera::app

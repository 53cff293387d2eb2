// SPDX-License-Identifier: MIT
#include "app/cli_open.h"

#include "engine/document/opened_document.h"
#include "engine/document/pipeline_copy.h"
#include "engine/document/schedule_source.h"
#include "engine/measure/inputs.h"
#include "engine/record/file_lines.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace tessera::app {
namespace {

// " input=0:2614,0:1986", with each of the sizes that fit.
std::string fittingText(const open::OpenedPipeline &opened) {
  std::string text;
  for (const open::EstimateOverride &estimate : open::fittingEstimates(*opened.pipeline))
    text += " " + textOf(estimate);
  return text;
}

// What a compile_commands.json says is used without being asked for.
void addBuildOptions(CLI::App &command, open::BuildOptions &options) {
  const auto add = [&](const char *name, std::vector<std::string> &values, const char *type,
                       const char *what) {
    command.add_option(name, values, what)->type_name(type)->allow_extra_args(false);
  };
  add("--include", options.includes, "DIR ...",
      "Look for includes of a generator's source in this folder; repeatable. Folders and "
      "definitions that a compile_commands.json nearby has for the source are used, too");
  add("--define", options.definitions, "NAME[=VALUE] ...",
      "Define a macro for a generator's source; repeatable");
  add("--with-source", options.sources, "FILE ...",
      "Compile this C++ source with the generator's source; repeatable");
  add("--with-library", options.libraries, "FILE ...",
      "Link this library with the generator's source; repeatable");
}

} // namespace

void addFileOptions(CLI::App &command, FileOptions &options) {
  command
      .add_option("FILE", options.file,
                  "A serialized pipeline (.hlpipe), a generator program or shared library, a "
                  "generator's source (.cpp), or a document of the explorer (.tessera)")
      ->required()
      ->type_name("");
  command
      .add_option("--generator", options.generator, "The generator to run, if the file has several")
      ->type_name("NAME");
  command.add_option("--param", options.parameters, "Set a generator's parameter; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--estimate", options.estimates,
                  "Override an estimate: NAME=1536×2560 (also with x or *), "
                  "NAME=MIN:EXTENT,MIN:EXTENT,… or SCALAR=VALUE; repeatable")
      ->type_name("NAME=…")
      ->allow_extra_args(false);
  command
      .add_option("--size", options.size,
                  "Open a sample at another size: target, or a size from its sizes.json, such as "
                  "paper-small or paper-large")
      ->type_name("NAME");
  addBuildOptions(command, options.build);
  command.add_flag(
      "--fit-estimates", options.fitEstimates,
      "Where estimates contradict the pipeline, so that it cannot run, use the nearest "
      "sizes that do not");
  command.add_flag(
      "--trust", options.trust,
      "Allow exactly this file to run (it is code); the permission is remembered for its content");
}

CLI::Option *addInputOption(CLI::App &command, FileOptions &options) {
  const auto problem = [](const std::string &text) {
    const auto input = measure::parseInput(text);
    return input ? std::string() : input.error().message + " " + input.error().hint;
  };
  return command
      .add_option("--input", options.inputs,
                  "Use this file as an input: a NumPy array (.npy, whose first axis is the last "
                  "dimension) or an image (.png, .pgm, .ppm), of the input's type and size; or use "
                  "this value for a scalar; repeatable. The other inputs are random")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false)
      ->check(problem);
}

FileOpener::FileOpener(const FileOptions &options, const Invocation &invocation)
    : m_options(options), m_stop(invocation.stop), m_tools(invocation.tools),
      m_trust(std::make_shared<host::TrustStore>(host::trustFile(m_tools))),
      m_opener(m_tools, m_trust) {}

Result<open::OpenRequest> FileOpener::requestOfFile() const {
  open::OpenRequest request;
  request.path = m_options.file;
  request.generator = m_options.generator;
  request.size = m_options.size;
  request.build = m_options.build;
  for (const std::string &parameter : m_options.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorCode::Usage, "'" + parameter + "' is not a parameter.",
                   "Write --param name=value."};
    request.parameters.emplace_back(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  return request;
}

// Reports damaged sections and continues with the rest.
Status FileOpener::readDocument() {
  if (m_document) return Done{};
  const auto reader = [this](const document::PipelineCopy &source) {
    return document::imported(source, m_tools.cacheDir, m_opener);
  };
  const auto start = std::chrono::steady_clock::now();
  auto read = document::openDocument(m_options.file, reader);
  record::write(m_tools.record,
                {"file opened", "document", m_options.file, record::failureOf(read), start, {}});
  if (!read) return read.error();
  m_document = std::move(*read);
  for (const std::string &lost : m_document->lost)
    std::cerr << "tessera-cli: '" << m_options.file << "' is damaged; this was lost: " << lost
              << "\n";
  return Done{};
}

Result<open::OpenRequest> FileOpener::request() {
  auto made = requestOfFile();
  if (!made) return made.error();
  open::OpenRequest request = std::move(*made);
  if (m_options.file.ends_with(document::kDocumentEnding)) {
    if (const Status read = readDocument(); !read) return read.error();
    if (!m_options.generator.empty() || !m_options.parameters.empty() || !m_options.size.empty() ||
        m_options.build != open::BuildOptions{})
      return Error{
          ErrorCode::Usage,
          "'" + m_options.file +
              "' is a document, which holds one pipeline: --generator, --param, --size and "
              "options that compile it would choose another.",
          "Open the pipeline's own file, or give the size as --estimate."};
    request = m_document->document.source().request;
  }
  for (const std::string &text : m_options.estimates) {
    auto estimate = open::parseEstimate(text);
    if (!estimate) return estimate.error();
    request.estimates.push_back(std::move(*estimate));
  }
  for (const std::string &text : m_options.inputs) {
    const auto input = measure::parseInput(text);
    if (!input) return input.error();
    if (input->isScalar) request.estimates.push_back({input->name, {}, input->text});
  }
  return request;
}

Result<open::OpenedPipeline> FileOpener::open(const open::OpenRequest &request,
                                              std::string_view schedule) {
  auto opened = openAsAsked(request);
  if (opened && opened->isUnscheduled && schedule != document::kManual)
    std::cerr << "tessera-cli: '" << m_options.file
              << "' says itself how it is computed; it was opened without that schedule, which is "
                 "--schedule "
              << document::kManual << "\n";
  if (!opened || opened->pipeline->conflicts().found.empty()) return opened;
  if (m_options.fitEstimates) return openFitting(request, *opened);
  std::cerr << "tessera-cli: the estimates of '" << m_options.file
            << "' contradict the pipeline, so that it cannot run:\n";
  for (const pipeline::Remark &found : opened->pipeline->conflicts().found)
    std::cerr << "  " << found.subject << ": " << found.text << "\n";
  if (const std::string fit = fittingText(*opened); !fit.empty())
    std::cerr << "  --fit-estimates uses" << fit << "\n";
  return opened;
}

Result<open::OpenedPipeline> FileOpener::openFitting(open::OpenRequest request,
                                                     const open::OpenedPipeline &as) {
  std::vector<open::EstimateOverride> fitting = open::fittingEstimates(*as.pipeline);
  if (fitting.empty()) {
    const pipeline::Remark &found = as.pipeline->conflicts().found.front();
    return Error{ErrorCode::InputRefused,
                 "'" + m_options.file + "': no sizes are known that fit. " + found.subject + ": " +
                     found.text + ".",
                 "Give other sizes of the outputs with --estimate.", ErrorRemedy::Estimates};
  }
  std::cerr << "tessera-cli: opened with sizes that fit:" << fittingText(as) << "\n";
  // They come last, so they take precedence; the estimates of a document have to stay in front.
  std::ranges::move(fitting, std::back_inserter(request.estimates));
  return openAsAsked(request);
}

Result<open::OpenedPipeline> FileOpener::openAsAsked(const open::OpenRequest &request) {
  if (!m_document)
    return trying([&] { return m_opener.open(request, m_stop, terminalProgress()); });
  auto opened = document::openedAs(m_document->document, request, m_tools.cacheDir, m_opener,
                                   m_stop, terminalProgress());
  clearProgress();
  if (!opened) return opened.error();
  for (const std::string &lost : opened->lost)
    std::cerr << "tessera-cli: lost at these sizes: " << lost << "\n";
  return std::move(opened->opened);
}

Result<std::vector<bench::GivenInput>>
FileOpener::inputs(const open::OpenedPipeline &opened) const {
  std::vector<measure::GivenValue> values;
  for (const std::string &text : m_options.inputs) {
    auto input = measure::parseInput(text);
    if (!input) return input.error();
    values.push_back(std::move(*input));
  }
  return measure::readGivenInputs(values, opened);
}

// Asks on the terminal. Without a terminal the answer is no.
bool FileOpener::userAllows(const Error &question) {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO)) return false;
  clearProgress();
  std::cerr << question.message << "\nIt runs in a sandbox without network. Run it? [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

Status FileOpener::trustFile() {
  std::vector<std::string> files{m_options.file};
  for (std::string &file : open::codeOf(m_options.build))
    files.push_back(std::move(file));
  for (const std::string &file : files) {
    const auto hash = host::fileHash(file);
    if (!hash) return hash.error();
    // A configuration that cannot be written to is no reason to refuse what the user has allowed.
    if (const Status kept = m_trust->trust(*hash, file); !kept)
      std::cerr << "tessera-cli: the permission holds for this run alone: " << kept.error().message
                << "\n";
  }
  return Done{};
}

} // namespace tessera::app

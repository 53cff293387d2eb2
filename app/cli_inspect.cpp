// SPDX-License-Identifier: MIT
#include "app/cli_inspect.h"

#include "app/cli_report.h"
#include "app/environment.h"
#include "engine/pipeline/dot.h"
#include "engine/pipeline/json.h"
#include "engine/pipeline/text_tree.h"
#include "engine/session/files.h"
#include "engine/session/layout.h"
#include "engine/session/open.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tessera::app {
namespace {

constexpr std::chrono::milliseconds kDrawTimeout{120'000};

struct InspectOptions {
  std::string file;
  std::string generator;
  std::vector<std::string> parameters;
  std::vector<std::string> estimates;
  std::string dot;
  std::string size;
  bool json = false;
  bool ownSchedule = false;
  bool trust = false;
  bool listGenerators = false;
};

Result<session::OpenRequest> requestOf(const InspectOptions &options) {
  session::OpenRequest request;
  request.path = options.file;
  request.generator = options.generator;
  request.size = options.size;
  if (options.ownSchedule) request.ownSchedule = session::OwnSchedule::Apply;
  for (const std::string &parameter : options.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorCode::Usage, "'" + parameter + "' is no parameter.",
                   "Write --param name=value."};
    request.parameters.emplace_back(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  for (const std::string &text : options.estimates) {
    auto estimate = session::parseEstimate(text);
    if (!estimate) return estimate.error();
    request.estimates.push_back(std::move(*estimate));
  }
  return request;
}

// Asks on the terminal; without one the answer is no.
bool userAllows(const Error &question) {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO)) return false;
  clearProgress();
  std::cerr << question.message << "\nIt runs in a sandbox without network. Run it? [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

class Inspection {
public:
  Inspection(const InspectOptions &options, std::stop_token stop)
      : m_options(options), m_stop(std::move(stop)),
        m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_tools(session::findTools(toolSearch())),
        m_trust(std::make_shared<session::TrustStore>(m_tools.configDir + "/trust.json")),
        m_opener(m_tools, m_trust) {}

  int run() {
    if (m_options.trust)
      if (const Status trusted = trustFile(); !trusted) return report(trusted.error(), m_style);
    return m_options.listGenerators ? listGenerators() : inspect();
  }

private:
  int listGenerators() {
    const auto generators =
        trying([&] { return m_opener.generators(m_options.file, m_stop, terminalProgress()); });
    if (!generators) return report(generators.error(), m_style);
    auto list = nlohmann::ordered_json::array();
    for (const session::Generator &generator : *generators) {
      auto parameters = nlohmann::ordered_json::array();
      if (!m_options.json) std::cout << generator.name << "\n";
      for (const session::GeneratorParameter &parameter : generator.parameters) {
        parameters.push_back({{"name", parameter.name},
                              {"type", parameter.type},
                              {"choices", parameter.choices},
                              {"default", parameter.defaultValue}});
        if (m_options.json) continue;
        std::cout << "  " << parameter.name << "=" << parameter.defaultValue << "  ("
                  << parameter.type;
        for (std::size_t i = 0; i < parameter.choices.size(); ++i)
          std::cout << (i == 0 ? ": " : "|") << parameter.choices[i];
        std::cout << ")\n";
      }
      list.push_back({{"name", generator.name}, {"parameters", std::move(parameters)}});
    }
    if (m_options.json)
      std::cout << nlohmann::ordered_json{{"generators", std::move(list)}}.dump(2) << "\n";
    return kOk;
  }

  int inspect() {
    const auto request = requestOf(m_options);
    if (!request) return report(request.error(), m_style);
    const auto opened = trying([&] { return m_opener.open(*request, m_stop, terminalProgress()); });
    if (!opened) return report(opened.error(), m_style);
    const pipeline::Pipeline &pipeline = *opened->pipeline;
    if (!m_options.dot.empty())
      if (const Status drawn = draw(pipeline); !drawn) return report(drawn.error(), m_style);
    if (m_options.json)
      std::cout << pipeline::toJson(pipeline).dump(2, ' ', false,
                                                   nlohmann::ordered_json::error_handler_t::replace)
                << "\n";
    else
      std::cout << pipeline::textTree(pipeline);
    std::cout.flush();
    if (!std::cout)
      return report({ErrorCode::System, "Cannot write to standard output.", ""}, ReportStyle::Text);
    return kOk;
  }

  // Runs `action`; where it needs the user's leave to run code, asks once and runs it again.
  template <typename Action>
  auto trying(const Action &action) -> decltype(action()) {
    auto result = action();
    if (!result && result.error().code == ErrorCode::NotTrusted && userAllows(result.error())) {
      if (const Status trusted = trustFile(); !trusted) return trusted.error();
      result = action();
    }
    clearProgress();
    return result;
  }

  Status trustFile() {
    const auto hash = session::fileHash(m_options.file);
    if (!hash) return hash.error();
    return m_trust->trust(*hash, m_options.file);
  }

  Status draw(const pipeline::Pipeline &pipeline) {
    session::LayoutClient layout(m_tools.layoutWorker);
    const auto svg = layout.svg(pipeline::toDot(pipeline), kDrawTimeout, m_stop);
    if (!svg) return svg.error();
    return session::writeFile(m_options.dot, *svg);
  }

  const InspectOptions &m_options;
  std::stop_token m_stop;
  ReportStyle m_style;
  session::ToolPaths m_tools;
  std::shared_ptr<session::TrustStore> m_trust;
  session::PipelineOpener m_opener;
};

} // namespace

void addInspect(CLI::App &cli, std::function<int(std::stop_token)> &run) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App *inspect = cli.add_subcommand("inspect", "Show what a pipeline computes");
  inspect
      ->add_option("FILE", options->file,
                   "A serialized pipeline (.hlpipe), a generator program or shared library, or "
                   "a generator's source (.cpp)")
      ->required()
      ->type_name("");
  inspect->add_flag("--json", options->json,
                    "Print JSON (schema: share/tessera/schemas/pipeline.schema.json)");
  inspect->add_option("--dot", options->dot, "Draw the DAG into this SVG file")
      ->type_name("OUT.svg");
  inspect->add_option("--generator", options->generator, "Which generator of the file")
      ->type_name("NAME");
  inspect->add_option("--param", options->parameters, "Set a generator's parameter; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  inspect
      ->add_option("--estimate", options->estimates,
                   "Override an estimate: NAME=MIN:EXTENT,MIN:EXTENT,… or SCALAR=VALUE; "
                   "repeatable")
      ->type_name("NAME=…")
      ->allow_extra_args(false);
  inspect
      ->add_option("--size", options->size,
                   "Open a sample at another size: target, or what its sizes.json has, as "
                   "paper-small and paper-large")
      ->type_name("NAME");
  inspect->add_flag("--own-schedule", options->ownSchedule,
                    "Apply the generator's own schedule and show the stages it leaves");
  inspect->add_flag("--list-generators", options->listGenerators,
                    "List the file's generators and their parameters instead");
  inspect->add_flag("--trust", options->trust,
                    "Allow this very file to run (it is code); remembered by its content");
  inspect->callback([options, &run] {
    run = [options](std::stop_token stop) { return Inspection(*options, std::move(stop)).run(); };
  });
}

} // namespace tessera::app

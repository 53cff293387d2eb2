// SPDX-License-Identifier: MIT
#include "app/cli_inspect.h"

#include "app/cli_open.h"
#include "app/cli_report.h"
#include "app/cli_table.h"
#include "engine/document/opened_document.h"
#include "engine/host/files.h"
#include "engine/host/layout.h"
#include "engine/pipeline/dot.h"
#include "engine/pipeline/json.h"
#include "engine/pipeline/text_tree.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

namespace tessera::app {
namespace {

constexpr std::chrono::milliseconds kDrawTimeout{120'000};
struct InspectOptions {
  FileOptions file;
  std::string dot;
  bool json = false;
  bool ownSchedule = false, unscheduled = false;
  bool listGenerators = false;
  bool listCandidates = false;
};

class Inspection {
public:
  Inspection(const InspectOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.file, invocation) {}

  int run() { return m_options.listGenerators ? listGenerators() : inspect(); }

private:
  int listGenerators() {
    const auto generators = m_opener.trying([&] {
      return m_opener.opener().generators(m_options.file.file, m_options.file.build,
                                          m_opener.stop(), terminalProgress());
    });
    if (!generators) return report(generators.error(), m_style);
    auto list = nlohmann::ordered_json::array();
    for (const open::Generator &generator : *generators) {
      auto parameters = nlohmann::ordered_json::array();
      if (!m_options.json) std::cout << generator.name << "\n";
      for (const open::GeneratorParameter &parameter : generator.parameters) {
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
    return outputDone();
  }

  int inspect() {
    auto request = m_opener.request();
    if (!request) return report(request.error(), m_style);
    const bool isDocument = m_options.file.file.ends_with(document::kDocumentEnding);
    if (!isDocument && !m_options.unscheduled)
      request->ownSchedule =
          m_options.ownSchedule ? open::OwnSchedule::Apply : open::OwnSchedule::Leave;
    const auto opened = m_opener.open(*request);
    if (!opened) return report(opened.error(), m_style);
    if (m_options.listCandidates) return listCandidates(*opened);
    const pipeline::Pipeline &pipeline = *opened->pipeline;
    if (!m_options.dot.empty())
      if (const Status drawn = draw(pipeline); !drawn) return report(drawn.error(), m_style);
    if (m_options.json)
      std::cout << pipeline::toJson(pipeline).dump(2, ' ', false,
                                                   nlohmann::ordered_json::error_handler_t::replace)
                << "\n";
    else
      std::cout << pipeline::textTree(pipeline);
    return outputDone();
  }

  int listCandidates(const open::OpenedPipeline &opened) {
    if (!opened.document)
      return report({ErrorCode::Usage, "'" + m_options.file.file + "' is not a document.",
                     "Only documents of the explorer, NAME.tessera, have candidates."},
                    m_style);
    const document::Document &document = *opened.document;
    auto list = nlohmann::ordered_json::array();
    Table table{{{"id", Table::Align::Right},
                 {"name"},
                 {"from"},
                 {"predicted, ms", Table::Align::Right},
                 {"on"}},
                {}};
    for (const document::CandidatePtr &candidate : document.candidates()) {
      if (candidate->label.isRemoved) continue;
      const auto &seconds = candidate->predictedSeconds;
      const bool isCurrent = document.current() == candidate->schedule;
      table.rows.push_back({std::to_string(candidate->id),
                            document::plainName(*candidate) + (isCurrent ? " (current)" : ""),
                            std::string(name(candidate->origin)),
                            seconds ? fixedText(*seconds * kMilli, 4) : "", candidate->machine});
      list.push_back({{"id", candidate->id},
                      {"name", candidate->label.name},
                      {"origin", name(candidate->origin)},
                      {"machine", candidate->machine},
                      {"predicted_seconds", seconds ? nlohmann::ordered_json(*seconds) : nullptr},
                      {"is_current", isCurrent}});
    }
    if (m_options.json)
      std::cout << nlohmann::ordered_json{{"candidates", std::move(list)}}.dump(2) << "\n";
    else
      std::cout << table;
    return outputDone();
  }

  Status draw(const pipeline::Pipeline &pipeline) {
    host::LayoutClient layout(m_opener.tools().layoutWorker, m_opener.tools().record);
    const auto svg = layout.svg(pipeline::toDot(pipeline), kDrawTimeout, m_opener.stop());
    if (!svg) return svg.error();
    return host::writeFile(m_options.dot, *svg);
  }

  const InspectOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
};

} // namespace

void addInspect(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App *inspect = cli.add_subcommand("inspect", "Show what a pipeline computes");
  addFileOptions(*inspect, options->file);
  inspect->add_flag("--json", options->json,
                    "Print JSON (schema: share/tessera/schemas/pipeline.schema.json)");
  inspect->add_option("--dot", options->dot, "Draw the DAG into this SVG file")
      ->type_name("OUT.svg");
  CLI::Option *own =
      inspect->add_flag("--own-schedule", options->ownSchedule,
                        "Apply the generator's own schedule, and show the stages that remain");
  inspect
      ->add_flag("--unscheduled", options->unscheduled,
                 "Show the pipeline without the schedule that its file or generator has, as all "
                 "other commands open it")
      ->excludes(own);
  inspect->add_flag("--list-generators", options->listGenerators,
                    "List the file's generators and their parameters instead");
  inspect->add_flag("--list-candidates", options->listCandidates,
                    "List the candidates of a document instead, with their ids for --schedule");
  inspect->callback([options, &run] {
    run = [options](const Invocation &invocation) {
      return Inspection(*options, invocation).run();
    };
  });
}

} // namespace tessera::app

// SPDX-License-Identifier: MIT
#include "app/cli_learn_data.h"

#include "app/cli_machine.h"
#include "app/cli_open.h"
#include "app/cli_report.h"
#include "engine/bench/program_version.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/learn/learning_data.h"
#include "engine/tune/learning_rows.h"
#include "engine/tune/measured_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

struct DataOptions {
  std::vector<std::string> files;     // lines of measured schedules; "-" is standard input
  std::string machine = "h200";       // on which these were measured
  std::string commit;                 // of the program that measured these
  std::vector<std::string> pipelines; // whose rows of the store are wanted
  std::vector<std::string> folders;   // where files of measured schedules have their pipelines
  std::string store;                  // empty: the store in the cache
  std::string output;
  bool trust = false, json = false;
};

class Data {
public:
  Data(const DataOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_invocation(invocation), m_reader(invocation.tools, options.folders) {
    m_data.program = bench::programVersion();
  }

  int run() {
    if (m_options.files.empty() && m_options.pipelines.empty())
      return report({ErrorCode::Usage, "There is nothing to read.",
                     "Name files of measured schedules, or a pipeline that was tuned: --of FILE."},
                    m_style);
    if (const Status read = addFiles(); !read) return report(read.error(), m_style);
    if (const Status read = addStore(); !read) return report(read.error(), m_style);
    clearProgress();
    if (m_data.rows.empty())
      return report({ErrorCode::InputRefused, "Nothing that was measured was found.", ""}, m_style);
    const Status written = host::writeFile(m_options.output, learn::toText(m_data));
    if (!written) return report(written.error(), m_style);
    print();
    return outputDone();
  }

private:
  Status addFiles() {
    if (m_options.files.empty()) return Done{};
    auto machine = host::machineFor(m_options.machine, m_invocation.tools);
    if (!machine) return machine.error();
    tune::LearningRows rows(std::move(*machine));
    for (const std::string &file : m_options.files) {
      const auto text = textOf(file);
      if (!text) return text.error();
      if (const Status added = addLines(*text, file, rows); !added) return added.error();
    }
    m_refused += rows.refused();
    m_known += rows.known();
    m_data.rows = rows.take();
    return Done{};
  }

  static Result<std::string> textOf(const std::string &file) {
    if (file != "-") return host::readFile(file);
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  }

  Status addLines(std::string_view text, const std::string &file, tune::LearningRows &rows) {
    const auto show = terminalProgress();
    const auto all = static_cast<double>(text.size());
    for (std::size_t number = 1; !text.empty(); ++number) {
      if (m_invocation.stop.stop_requested()) return cancelled();
      if (show) show({"reading " + file, 1 - static_cast<double>(text.size()) / all});
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (line.empty()) continue;
      const auto fields = nlohmann::json::parse(line, nullptr, false);
      auto measured = fields.is_object() ? m_reader.read(fields)
                                         : Result<std::optional<tune::Measured>>(Error{
                                               ErrorCode::InputRefused, "It is no JSON.", ""});
      // A schedule of a sample that has changed since is no reason to stop.
      if (!measured) {
        ++m_unread;
        if (m_whyUnread.empty())
          m_whyUnread = file + ", line " + std::to_string(number) + ": " + measured.error().message;
      } else if (*measured) {
        rows.add((*measured)->schedule, measuredWith(**measured));
      }
    }
    return Done{};
  }

  // Times from events have an overhead that no kernel has.
  tune::MeasuredWith measuredWith(const tune::Measured &measured) const {
    return {.application = measured.pipeline,
            .commit = m_options.commit,
            .milliseconds = measured.milliseconds,
            .kernels = measured.byEvents ? std::map<std::string, double>() : measured.kernels,
            .compiled = measured.compiled};
  }

  Status addStore() {
    if (m_options.pipelines.empty()) return Done{};
    const std::string path =
        m_options.store.empty() ? m_invocation.tools.cacheDir + "/tune.sqlite" : m_options.store;
    // Opening would make an empty one.
    if (std::error_code ignored; !std::filesystem::exists(path, ignored))
      return Error{ErrorCode::InputRefused, "There is no store of tunings at '" + path + "'.",
                   "tessera-cli tune FILE measures schedules and keeps them."};
    const auto store = tune::TuneStore::open(path);
    if (!store) return store.error();
    for (const std::string &pipeline : m_options.pipelines) {
      FileOptions file;
      file.file = pipeline;
      file.trust = m_options.trust;
      FileOpener opener(file, m_invocation);
      auto stored = opener.trying([&]() -> Result<tune::StoredRows> {
        const auto request = opener.request();
        if (!request) return request.error();
        return tune::rowsInStore(**store, *request, opener.opener(), m_invocation.tools,
                                 m_invocation.stop);
      });
      if (!stored) return stored.error();
      m_unread += stored->unread;
      std::ranges::move(stored->rows, std::back_inserter(m_data.rows));
    }
    return Done{};
  }

  static Error cancelled() { return {ErrorCode::Cancelled, "Cancelled.", ""}; }

  void print() const {
    const std::size_t applications = m_data.applications().size();
    if (m_options.json) {
      std::cout << nlohmann::ordered_json{{"rows", m_data.rows.size()},
                                          {"applications", applications},
                                          {"machines", m_data.machines()},
                                          {"known", m_known},
                                          {"refused", m_refused},
                                          {"unread", m_unread},
                                          {"file", m_options.output}}
                       .dump(2)
                << "\n";
      return;
    }
    std::cout << m_data.rows.size() << " schedules of " << applications
              << " applications written to " << m_options.output << "\n";
    if (m_known > 0) std::cerr << m_known << " were there before, and are left out\n";
    if (m_refused > 0)
      std::cerr << m_refused << " break a rule of today or have no time, and are left out\n";
    if (m_unread > 0) std::cerr << m_unread << " cannot be read, and are left out\n";
    if (!m_whyUnread.empty()) std::cerr << "  " << m_whyUnread << "\n";
  }

  const DataOptions &m_options;
  const ReportStyle m_style;
  const Invocation &m_invocation;
  tune::MeasuredReader m_reader;
  learn::LearningData m_data;
  std::size_t m_refused = 0, m_known = 0, m_unread = 0;
  std::string m_whyUnread; // of the first
};

} // namespace

void addLearnData(CLI::App &learn, Command &run) {
  const auto options = std::make_shared<DataOptions>();
  CLI::App *command = learn.add_subcommand(
      "data", "Find the features of schedules that were measured, for training");
  command
      ->add_option("ROWS", options->files,
                   "Files of measured schedules, a line of JSON each, as "
                   "tests/campaigns/times/time_bundles writes them; - is standard input")
      ->type_name("");
  addMachineOption(*command, options->machine);
  command->get_option("--machine")
      ->description(
          "GPU on which these were measured: a name from `machine list`, or a .json file");
  command
      ->add_option("--pipelines", options->folders,
                   "Look here for the pipelines of these before among the samples; may be repeated")
      ->type_name("FOLDER");
  command
      ->add_option("--commit", options->commit,
                   "Commit of the program that measured these, to be kept with each")
      ->type_name("TEXT");
  command
      ->add_option("--of", options->pipelines,
                   "Take what was tuned of this pipeline, from the store; may be repeated")
      ->type_name("FILE");
  command
      ->add_option(
          "--store", options->store,
          "Read the measurements of `tune` from this SQLite file instead of the one in the "
          "cache")
      ->type_name("FILE");
  command->add_flag("--trust", options->trust, "Run the code of a generator without asking");
  command->add_option("-o,--output", options->output, "Write the features to this file")
      ->type_name("FILE.jsonl")
      ->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return Data(*options, invocation).run(); };
  });
}

} // namespace tessera::app

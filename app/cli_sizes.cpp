// SPDX-License-Identifier: MIT
#include "app/cli_sizes.h"

#include "app/cli_algorithm.h"
#include "app/cli_table.h"
#include "app/cli_text.h"
#include "engine/cost/prediction.h"
#include "engine/host/files.h"
#include "engine/open/size_set.h"
#include "engine/tune/specialise.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using nlohmann::ordered_json;
using tune::AcrossSizes;
using tune::SizedProblem;
using tune::Specialised;

std::string millisecondsText(double seconds) {
  std::ostringstream text;
  text.precision(4);
  text << seconds * kMilli;
  return text.str();
}

// A text such as "output 1280×720, count 256".
std::string outputsText(const pipeline::Pipeline &pipeline) {
  std::string text;
  for (const pipeline::Output &output : pipeline.outputs()) {
    text += (text.empty() ? "" : ", ") + pipeline.func(output.func).name;
    for (std::size_t d = 0; d < output.dims.size(); ++d)
      text += (d ? "×" : " ") + std::to_string(output.dims[d].range.extent());
  }
  return text;
}

// The path for one set of sizes: NAME.schedule.h becomes NAME.SET.schedule.h.
std::string pathFor(const std::string &path, const std::string &set) {
  for (const std::string_view ending : {".schedule.h", ".h", ".py", ".json"})
    if (path.ends_with(ending))
      return path.substr(0, path.size() - ending.size()) + "." + set + std::string(ending);
  return path;
}

// The result of a search for several sets of sizes, and its output as text or JSON.
class SizesReport {
public:
  SizesReport(const SearchOptions &options, const machine::Machine &machine,
              const std::vector<SizedProblem> &problems, const Specialised &found)
      : m_options(options), m_machine(machine), m_problems(problems), m_found(found) {}

  // Writes a schedule for each set, and the common schedule, if there is one, under the name that
  // the user gave. Returns the written paths.
  Result<std::vector<std::string>> writeFiles(const std::string &format) const {
    std::vector<std::string> written;
    const auto write = [&](const std::string &path, const AcrossSizes &one,
                           std::optional<double> milliseconds,
                           std::vector<std::string> notes) -> Status {
      const auto text =
          scheduleText(one.schedule, format, m_machine, milliseconds, std::move(notes));
      if (!text) return text.error();
      written.push_back(path);
      return host::writeFile(path, *text);
    };
    for (std::size_t s = 0; s < m_problems.size(); ++s) {
      const AcrossSizes &best = m_found.best[s];
      if (const Status done = write(pathFor(m_options.output, m_problems[s].name), best,
                                    *best.seconds[s] * kMilli, {"for " + sizesText(s)});
          !done)
        return done.error();
    }
    if (!m_found.common) return written;
    std::vector<std::string> notes;
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      notes.push_back("for " + sizesText(s) + ": " + millisecondsText(*m_found.common->seconds[s]) +
                      " ms predicted");
    if (const Status done = write(m_options.output, *m_found.common, {}, std::move(notes)); !done)
      return done.error();
    return written;
  }

  void printText(const std::vector<std::string> &written) const {
    std::size_t evaluations = 0;
    double seconds = 0;
    for (const tune::SearchRun &run : m_found.runs) {
      evaluations += run.evaluations;
      seconds += run.seconds;
    }
    std::cout << m_problems.front().problem.start.base()->name() << " on " << m_machine.title
              << ", for " << m_problems.size() << " sets of sizes; " << evaluations
              << " evaluations in " << fixedText(seconds, 2) << " s"
              << (m_found.cancelled ? ", cancelled" : "") << "\n";
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      std::cout << "  " << sizesText(s) << "\n";
    std::cout << "\n" << table() << "\n";
    printRefusals();
    printWorth();
    for (const std::string &path : written)
      std::cout << "written: " << path << "\n";
  }

  void printJson(const std::vector<std::string> &written) const {
    auto sets = ordered_json::array();
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      sets.push_back(fieldsOf(s));
    ordered_json document{{"algorithm", m_options.algorithm},
                          {"pipeline", m_problems.front().problem.start.base()->name()},
                          {"machine", m_machine.name},
                          {"sizes", std::move(sets)},
                          {"common", nullptr},
                          {"worth", nullptr},
                          {"cancelled", m_found.cancelled},
                          {"written", written}};
    if (m_found.common) {
      document["common"] = fieldsOf(*m_found.common);
      document["worth"] = m_found.worth;
    }
    std::cout << document.dump(2) << "\n";
  }

private:
  const std::string &nameOf(std::size_t set) const { return m_problems[set].name; }

  std::string sizesText(std::size_t set) const {
    return nameOf(set) + " (" + outputsText(*m_problems[set].problem.start.base()) + ")";
  }

  double ratioAt(const AcrossSizes &one, std::size_t set) const {
    return *one.seconds[set] / *m_found.best[set].seconds[set];
  }

  // Two cells for each set: the time, and its ratio to the best time at that set.
  std::vector<std::string> rowOf(const std::string &title, const AcrossSizes &one) const {
    std::vector<std::string> row{title};
    for (std::size_t s = 0; s < m_problems.size(); ++s) {
      const Result<double> &seconds = one.seconds[s];
      row.push_back(seconds ? millisecondsText(*seconds) : "not legal");
      row.push_back(seconds && ratioAt(one, s) > 1 ? "×" + fixedText(ratioAt(one, s), 2) : "");
    }
    return row;
  }

  Table table() const {
    Table table{{{"predicted, ms"}}, {}};
    for (std::size_t s = 0; s < m_problems.size(); ++s) {
      table.columns.push_back({"at " + nameOf(s), Table::Align::Right});
      table.columns.push_back({""});
    }
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      table.rows.push_back(rowOf("best for " + nameOf(s), m_found.best[s]));
    if (m_found.common) table.rows.push_back(rowOf("best for all", *m_found.common));
    return table;
  }

  void printRefusals() const {
    for (std::size_t of = 0; of < m_problems.size(); ++of)
      for (std::size_t at = 0; at < m_problems.size(); ++at)
        if (const Result<double> &seconds = m_found.best[of].seconds[at]; !seconds)
          std::cout << "The schedule for " << nameOf(of) << " cannot be used at " << nameOf(at)
                    << ": " << seconds.error().message << ".\n";
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      if (const std::size_t other = m_found.best[s].foundFor; other != s)
        std::cout << "The schedule for " << nameOf(s) << " was found while searching for "
                  << nameOf(other) << ".\n";
  }

  void printWorth() const {
    if (!m_found.common) {
      std::cout << "No schedule that was found can be used at every size: use one for each size.\n";
      return;
    }
    // A loss of less than half a percent would be shown as 0 %, and is no reason for a second
    // schedule.
    constexpr double kNothing = 1.005;
    std::string losses;
    for (std::size_t s = 0; s < m_problems.size(); ++s)
      if (const double ratio = ratioAt(*m_found.common, s); ratio >= kNothing)
        losses += (losses.empty() ? "" : ", ") + fixedText((ratio - 1) * 100, 0) + " % longer at " +
                  nameOf(s);
    if (losses.empty())
      std::cout << "A schedule for each size gains nothing: one schedule for all is as fast at "
                   "each size.\n";
    else
      std::cout << "A schedule for each size gains " << fixedText((m_found.worth - 1) * 100, 1)
                << " % in the geometric mean: one schedule for all takes " << losses << ".\n";
  }

  ordered_json cellsOf(const AcrossSizes &one) const {
    auto cells = ordered_json::array();
    for (std::size_t s = 0; s < m_problems.size(); ++s) {
      ordered_json cell{{"at", nameOf(s)}};
      if (one.seconds[s]) {
        cell["predicted_ms"] = *one.seconds[s] * kMilli;
        cell["ratio"] = ratioAt(one, s);
      } else {
        cell["refused"] = one.seconds[s].error().message;
      }
      cells.push_back(std::move(cell));
    }
    return cells;
  }

  ordered_json fieldsOf(const AcrossSizes &one) const {
    return {{"found_for", nameOf(one.foundFor)},
            {"register_cap", one.schedule.settings().registerCap},
            {"kernels", cost::predict(one.schedule, m_machine).kernels.size()},
            {"at", cellsOf(one)}};
  }

  ordered_json fieldsOf(std::size_t set) const {
    const pipeline::Pipeline &pipeline = *m_problems[set].problem.start.base();
    const tune::SearchRun &run = m_found.runs[set];
    ordered_json outputs;
    for (const pipeline::Output &output : pipeline.outputs()) {
      ordered_json &extents = outputs[pipeline.func(output.func).name] = ordered_json::array();
      for (const pipeline::Estimate &dim : output.dims)
        extents.push_back(dim.range.extent());
    }
    const double start = cost::predict(m_problems[set].problem.start, m_machine).seconds * kMilli;
    return {{"name", nameOf(set)},
            {"outputs", std::move(outputs)},
            {"predicted_ms", *m_found.best[set].seconds[set] * kMilli},
            {"start_predicted_ms", start},
            {"seconds", run.seconds},
            {"candidates", run.candidates},
            {"evaluations", run.evaluations},
            {"schedule", fieldsOf(m_found.best[set])}};
  }

  const SearchOptions &m_options;
  const machine::Machine &m_machine;
  const std::vector<SizedProblem> &m_problems;
  const Specialised &m_found;
};

// The pipeline at each set of sizes, with the start schedule.
Result<std::vector<SizedProblem>> problemsOf(const SearchOptions &options, FileOpener &opener,
                                             const machine::Machine &machine) {
  const auto sets = open::parseSizeSets(options.sizes);
  if (!sets) return sets.error();
  const auto request = opener.request();
  if (!request) return request.error();
  std::vector<SizedProblem> problems;
  for (const open::SizeSet &set : *sets) {
    auto opened = openSchedule(opener, options.start(), open::withSizes(*request, set));
    if (!opened)
      return withAlgorithmParameters(opened.error(), options.algorithm,
                                     options.schedule.file.parameters);
    problems.push_back(
        {set.name, {std::move(opened->sourced.schedule), machine, options.seed, options.budget}});
    problems.back().problem.parameters = options.parameters;
  }
  return problems;
}

} // namespace

int searchForSizes(const SearchOptions &options, FileOpener &opener,
                   const machine::Machine &machine, const std::optional<std::string> &format) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  const auto problems = problemsOf(options, opener, machine);
  if (!problems) return report(problems.error(), style);
  const auto found =
      tune::specialise(options.algorithm, *problems, opener.stop(), terminalProgress());
  clearProgress();
  if (!found) return report(found.error(), style);
  const SizesReport answer(options, machine, *problems, *found);
  std::vector<std::string> written;
  if (format) {
    auto files = answer.writeFiles(*format);
    if (!files) return report(files.error(), style);
    written = std::move(*files);
  }
  if (options.json)
    answer.printJson(written);
  else
    answer.printText(written);
  const int done = outputDone();
  return done == kOk && found->cancelled ? static_cast<int>(kCancelled) : done;
}

} // namespace tessera::app

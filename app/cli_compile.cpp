// SPDX-License-Identifier: MIT
#include "app/cli_compile.h"

#include "app/cli_source.h"
#include "app/cli_table.h"
#include "engine/host/files.h"
#include "engine/measure/stage_column.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

struct CompileOptions {
  ScheduleOptions schedule;
  std::string output;
  std::string architecture = measure::CompileTarget().architecture;
  std::optional<int> registers;
  int timeout = 120; // seconds
  bool json = false, lowered = false, ptx = false, sass = false, stages = false;

  bool text() const { return lowered || ptx || sass; }
};

std::vector<std::string> rowOf(const report::KernelReport &kernel) {
  std::vector<std::string> row{kernel.name,
                               sizeText(kernel.blocks),
                               sizeText(kernel.threads),
                               "-",
                               "-",
                               "-",
                               std::to_string(kernel.sharedBytes),
                               measure::stagesOf(kernel)};
  if (const auto &assembler = kernel.assembler) {
    row[3] = std::to_string(assembler->registers);
    row[4] = std::to_string(assembler->spillStoreBytes + assembler->spillLoadBytes);
    row[5] = std::to_string(assembler->stackBytes);
  }
  return row;
}

void printTable(const report::CompileReport &compiled) {
  Table table;
  for (const char *title :
       {"kernel", "grid", "block", "registers", "spilled", "stack", "shared", "computes"})
    table.columns.push_back({title});
  for (const report::KernelReport &kernel : compiled.kernels)
    table.rows.push_back(rowOf(kernel));
  std::cout << table;
}

void printSummary(const report::CompileReport &compiled) {
  std::cout << compiled.pipeline << ": " << compiled.kernels.size()
            << (compiled.kernels.size() == 1 ? " kernel" : " kernels") << " for " << compiled.target
            << ", at most " << compiled.registerCap << " registers per thread";
  if (!compiled.architecture.empty()) std::cout << ", assembled for " << compiled.architecture;
  std::cout << "\n";
}

class Compilation {
public:
  Compilation(const CompileOptions &options, const Invocation &invocation)
      : m_options(options), m_style(options.json ? ReportStyle::Json : ReportStyle::Text),
        m_opener(options.schedule.file, invocation) {}

  int run() {
    if (m_options.stages && !m_options.text())
      return report({ErrorCode::Usage, "--stages needs a text to annotate with stages.",
                     "Add --lowered, --ptx or --sass."},
                    m_style);
    const auto opened = openSchedule(m_opener, m_options.schedule.schedule);
    if (!opened) return report(opened.error(), m_style);
    measure::CompileRequest request;
    request.pipeline = scheduledPipeline(*opened);
    request.registerCap =
        m_options.registers.value_or(opened->sourced.schedule.settings().registerCap);
    request.gpu.architecture = m_options.architecture;
    request.wantLowered = m_options.lowered;
    request.wantSass = m_options.sass;
    request.timeout = std::chrono::seconds(m_options.timeout);
    if (!m_options.output.empty()) return compile(request, m_options.output);
    // If no output folder is given, the bundle is made in a scratch folder, only to be read.
    const auto scratch = host::ScratchFolder::create(m_opener.tools().cacheDir);
    if (!scratch) return report(scratch.error(), m_style);
    return compile(request, scratch->path() + "/bundle");
  }

private:
  int compile(measure::CompileRequest &request, const std::string &folder) {
    request.output = folder;
    measure::ScheduleCompiler compiler(m_opener.tools(), 1);
    const auto answer = compiler.compile(request, m_opener.stop(), terminalProgress());
    clearProgress();
    if (answer.outcome != Outcome::Ok)
      return report(errorOf(answer.outcome, answer.error), m_style);
    const report::CompileReport &compiled = answer.report;
    if (m_options.json) {
      std::cout << report::toJson(compiled).dump(2) << "\n";
      return outputDone();
    }
    if (m_options.text()) return printText(request.output, compiled);
    printRemarks(compiled.remarks);
    printSummary(compiled);
    printTable(compiled);
    return outputDone();
  }

  int printText(const std::string &folder, const report::CompileReport &compiled) const {
    const report::BundleFiles &files = compiled.files;
    const std::string &name = m_options.lowered ? files.lowered
                              : m_options.ptx   ? files.device
                                                : files.sass;
    if (name.empty()) return report(measure::missingText(compiled), m_style);
    printRemarks(compiled.remarks);
    const auto text = host::readFile(folder + "/" + name);
    if (!text) return report(text.error(), m_style);
    if (!m_options.stages)
      std::cout << *text;
    else if (m_options.lowered)
      std::cout << measure::loweredWithStages(*text, compiled);
    else
      std::cout << measure::deviceWithStages(*text, compiled,
                                             m_options.sass ? measure::DeviceText::Sass
                                                            : measure::DeviceText::Source);
    return outputDone();
  }

  const CompileOptions &m_options;
  ReportStyle m_style;
  FileOpener m_opener;
};

std::string architectureProblem(const std::string &text) {
  constexpr std::string_view kPrefix = "sm_";
  const bool known =
      text.starts_with(kPrefix) && text.size() > kPrefix.size() && text.size() <= 8 &&
      std::all_of(text.begin() + kPrefix.size(), text.end(),
                  [](unsigned char c) { return std::isdigit(c) || std::islower(c); });
  return known ? "" : "'" + text + "' is not an architecture; write it as sm_75, sm_90 or sm_90a";
}

} // namespace

void addCompile(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<CompileOptions>();
  CLI::App *command =
      cli.add_subcommand("compile", "Compile a schedule for CUDA and show its kernels");
  addScheduleOptions(*command, options->schedule);
  command
      ->add_option("-o,--output", options->output,
                   "Folder of the bundle: library, object, PTX and bundle.json; an existing bundle "
                   "is replaced. Without this option, nothing is kept")
      ->type_name("DIR");
  command->add_option("--arch", options->architecture, "Architecture that ptxas assembles for")
      ->type_name("sm_NN")
      ->check(architectureProblem)
      ->capture_default_str();
  command
      ->add_option("--registers", options->registers,
                   "Register cap, 16 to 255 per thread, instead of the schedule's")
      ->type_name("N")
      ->check(CLI::Range(16, 255).description(""));
  addTimeout(*command, options->timeout);
  const std::array flags{
      command->add_flag("--json", options->json, "Print JSON, as in bundle.json"),
      command->add_flag("--lowered", options->lowered, "Print Halide's loops instead"),
      command->add_flag("--ptx", options->ptx, "Print the PTX instead"),
      command->add_flag("--sass", options->sass, "Print the machine code instead")};
  command->add_flag("--stages", options->stages,
                    "With --lowered, --ptx or --sass: show which stage each line of the loops "
                    "computes, and which stages each kernel computes");
  for (std::size_t a = 0; a < flags.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      flags[a]->excludes(flags[b]);
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) {
      return Compilation(*options, invocation).run();
    };
  });
}

} // namespace tessera::app

// SPDX-License-Identifier: MIT
#include "app/cli_export.h"

#include "app/cli_machine.h"
#include "app/cli_source.h"
#include "app/cli_text.h"
#include "engine/host/files.h"
#include "engine/host/machines.h"
#include "engine/schedule/rules/legality.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace tessera::app {
namespace {

struct ExportOptions {
  ScheduleOptions schedule;
  std::string machine = host::kDefaultMachine;
  std::string format; // empty: determined by the output's name
  std::string kernel; // not empty: the func whose kernel is written, as a pipeline
  std::string output = "-";
  bool force = false;
};

// An error with one line for each violation.
Error notLegal(const std::string &pipeline, const std::vector<schedule::Violation> &violations) {
  std::string message = "The schedule of '" + pipeline + "' is not legal:";
  for (const schedule::Violation &violation : violations) {
    message += "\n  " + std::string(schedule::name(violation.rule)) + ": " + violation.message;
    if (!violation.allowed.empty()) message += " (allowed: " + violation.allowed + ")";
  }
  return {ErrorCode::InputRefused, message, "Use --force to write the schedule anyway."};
}

// The func of that name that owns a kernel.
Result<pipeline::FuncId> kernelNamed(const schedule::Schedule &schedule, const std::string &name) {
  std::string kernels;
  for (const pipeline::FuncId func : schedule.pipeline()->allFuncs()) {
    if (!schedule.plan(func).isRoot()) continue;
    const std::string &here = schedule.pipeline()->func(func).name;
    if (here == name) return func;
    kernels += (kernels.empty() ? "" : ", ") + here;
  }
  return Error{ErrorCode::Usage, "The schedule has no kernel of '" + name + "'.",
               "It has kernels of: " + kernels + "."};
}

int exportKernel(const ExportOptions &options, const FileOpener &opener,
                 const OpenedSchedule &opened) {
  constexpr std::chrono::minutes kTimeout{2};
  const auto refused = [](const Error &error) { return report(error, ReportStyle::Text); };
  if (!options.output.ends_with(".hlpipe"))
    return refused({ErrorCode::Usage, "A kernel is written as a pipeline, to a file of its own.",
                    "Give -o NAME.hlpipe."});
  const auto kernel = kernelNamed(opened.sourced.schedule, options.kernel);
  if (!kernel) return refused(kernel.error());
  const auto alone = measure::kernelAlone(opened.sourced.schedule, *kernel);
  if (!alone) return refused(alone.error());
  measure::ScheduleCompiler compiler(opener.tools(), 1);
  const auto written =
      compiler.excerpt(scheduledPipeline(opened), *alone, options.output, kTimeout, opener.stop());
  return written ? kOk : refused(written.error());
}

int exportSchedule(const ExportOptions &options, const Invocation &invocation) {
  FileOpener opener(options.schedule.file, invocation);
  const auto machine = host::machineFor(options.machine, opener.tools());
  if (!machine) return report(machine.error(), ReportStyle::Text);
  const auto opened = openSchedule(opener, options.schedule.schedule);
  if (!opened) return report(opened.error(), ReportStyle::Text);
  const schedule::Schedule &schedule = opened->sourced.schedule;
  const document::Judgement judgement = document::judged(opened->sourced, *machine);
  if (judgement.isUsable) {
    printRemarks(judgement.remarks);
  } else {
    const int code =
        report(notLegal(schedule.base()->name(), judgement.violations), ReportStyle::Text);
    if (!options.force) return code;
  }
  if (!options.kernel.empty()) return exportKernel(options, opener, *opened);
  const std::string format =
      options.format.empty() ? formatOf(options.output).value_or("h") : options.format;
  const auto text = scheduleText(schedule, format, *machine);
  if (!text) return report(text.error(), ReportStyle::Text);
  if (options.output == "-") {
    std::cout << *text;
    return outputDone();
  }
  if (const Status written = host::writeFile(options.output, *text); !written)
    return report(written.error(), ReportStyle::Text);
  return kOk;
}

} // namespace

void addExport(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App *command = cli.add_subcommand("export", "Write a schedule as Halide code or as JSON");
  addScheduleOptions(*command, options->schedule);
  addMachineOption(*command, options->machine);
  command
      ->add_option("--format", options->format,
                   "h: a C++ header for a generator; py: for Halide's Python bindings; json: for "
                   "Tessera, which also reads the header. Default: by the name of OUT, else h")
      ->type_name("h|py|json")
      ->check(CLI::IsMember({"h", "py", "json"}).description(""));
  command
      ->add_option(
          "-o,--output", options->output,
          "The file to write, preferably NAME.schedule.h, .py or .json; - is standard output")
      ->type_name("OUT")
      ->capture_default_str();
  command
      ->add_option("--kernel", options->kernel,
                   "Write the kernel of this func as a pipeline of its own, NAME.hlpipe, whose "
                   "schedule 'manual' is the kernel's")
      ->type_name("FUNC");
  command->add_flag("--force", options->force,
                    "Write the schedule even if it is not legal, and say what is wrong");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return exportSchedule(*options, invocation); };
  });
}

} // namespace tessera::app

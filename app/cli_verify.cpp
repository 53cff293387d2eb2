// SPDX-License-Identifier: MIT
#include "app/cli_verify.h"

#include "app/cli_source.h"
#include "engine/host/files.h"
#include "engine/measure/inputs.h"
#include "engine/measure/verified_output.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

struct VerifyOptions {
  ScheduleOptions schedule;
  std::string target = "opencl";
  int seed = 1;
  int timeout = 300;   // seconds
  std::string outputs; // folder; empty: outputs are not kept
  report::GivenTolerance tolerance;
  bool small = false;
  bool json = false;
};

measure::GpuApi targetOf(const std::string &word) {
  for (const measure::GpuApi api :
       {measure::GpuApi::Cuda, measure::GpuApi::Host, measure::GpuApi::Lowered})
    if (word == measure::name(api)) return api;
  return measure::GpuApi::OpenCl;
}

std::string errorText(double error) {
  if (!std::isfinite(error)) return "infinite";
  std::ostringstream text;
  text << std::setprecision(3) << error;
  return text.str();
}

// How many elements differ by more than the tolerance, as a text to append to "12 differ".
std::string beyondText(const report::OutputComparison &output) {
  if (output.rule == report::ComparisonRule::Exact && output.allowedBeyond == 0)
    return ", none may differ";
  std::string text =
      ", " + std::to_string(output.beyond) + " by more than " + errorText(output.tolerance);
  if (output.rule == report::ComparisonRule::Relative) text += " of the value";
  if (output.allowedBeyond > 0)
    text += " (" + std::to_string(output.allowedBeyond) + " are allowed)";
  if (output.offByOne > output.allowedOffByOne)
    text += ", " + std::to_string(output.offByOne) + " by one (rounding explains at most " +
            std::to_string(output.allowedOffByOne) + ")";
  return text;
}

std::string verdictText(report::Verdict verdict) {
  switch (verdict) {
  case report::Verdict::Equal:
    return "equal";
  case report::Verdict::Different:
    return "DIFFERENT";
  case report::Verdict::Undecided:
    break;
  }
  return "UNDECIDED";
}

// What is uncertain of the reference, to append to "12 differ".
std::string uncertainText(const report::OutputComparison &output) {
  std::string text;
  if (output.undecided > 0)
    text += ", " + std::to_string(output.undecided) +
            " where rounding decides (the reference differs when it is rounded in another way)";
  if (output.magnified > 0)
    text += ", " + std::to_string(output.magnified) +
            " where the formula magnifies its rounding (those of the reference differ as much)";
  if (output.notNumbers > 0)
    text += ", " + std::to_string(output.notNumbers) + " are NaN and should be";
  return text;
}

// One line for one output: "harris: equal, 3907620 elements, 12 differ, 0 by more than …".
std::string lineOf(const report::OutputComparison &output) {
  std::ostringstream line;
  line << output.name << ": " << verdictText(output.verdict()) << ", " << output.elements
       << " elements, " << output.different << " differ" << uncertainText(output);
  if (!output.worstAt.empty()) {
    line << beyondText(output) << "; worst error " << errorText(output.worstError) << " at (";
    for (std::size_t d = 0; d < output.worstAt.size(); ++d)
      line << (d ? ", " : "") << output.worstAt[d];
    line << "): expected " << output.expected << ", found " << output.found;
  }
  if (const std::string why = output.whyUndecided(); !why.empty()) line << "; " << why;
  return line.str();
}

int exitCodeOf(report::Verdict verdict) {
  return verdict == report::Verdict::Equal       ? kOk
         : verdict == report::Verdict::Different ? kWrongOutput
                                                 : kUndecided;
}

Status drawOutputs(const std::string &folder, const report::VerifyReport &report) {
  if (folder.empty()) return Done{};
  for (const report::OutputComparison &comparison : report.outputs) {
    const auto output = measure::readVerifiedOutput(folder, comparison);
    if (!output) return output.error();
    if (Status drawn = measure::writePictures(folder, *output); !drawn) return drawn;
  }
  return Done{};
}

int verify(const VerifyOptions &options, const Invocation &invocation) {
  const ReportStyle style = options.json ? ReportStyle::Json : ReportStyle::Text;
  FileOpener opener(options.schedule.file, invocation);
  const auto opened = openSchedule(opener, options.schedule.schedule);
  if (!opened) return report(opened.error(), style);
  measure::VerifyRequest request;
  request.pipeline = scheduledPipeline(*opened);
  request.target = targetOf(options.target);
  request.seed = options.seed;
  request.small = options.small;
  const auto given = opener.inputs(opened->opened);
  if (!given) return report(given.error(), style);
  const auto scratch = host::ScratchFolder::create(opener.tools().cacheDir);
  if (!scratch) return report(scratch.error(), style);
  auto files = measure::placedInputs(*given, scratch->path());
  if (!files) return report(files.error(), style);
  request.inputs = std::move(*files);
  request.timeout = std::chrono::seconds(options.timeout);
  if (!options.outputs.empty())
    if (const Status made = host::makeFolder(options.outputs); !made)
      return report(made.error(), style);
  request.outputs = options.outputs;
  request.tolerance = options.tolerance;
  measure::ScheduleCompiler compiler(opener.tools(), 1);
  const measure::VerifyAnswer answer = compiler.verify(request, opener.stop(), terminalProgress());
  clearProgress();
  const bool compared = answer.outcome == Outcome::Ok || answer.outcome == Outcome::WrongOutput;
  if (!compared) return report(errorOf(answer.outcome, answer.error), style);
  if (const Status drawn = drawOutputs(options.outputs, answer.report); !drawn)
    return report(drawn.error(), style);
  if (options.json) {
    std::cout << report::toJson(answer.report).dump(2) << "\n";
  } else {
    for (const report::OutputComparison &output : answer.report.outputs)
      std::cout << lineOf(output) << "\n";
    if (const std::string allowed = givenText(answer.report.given); !allowed.empty())
      std::cout << allowed << "\n";
    printRemarks(answer.report.remarks);
  }
  const int done = outputDone();
  return done == kOk ? exitCodeOf(answer.report.verdict()) : done;
}

} // namespace

void addVerify(CLI::App &cli, Command &run) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App *command =
      cli.add_subcommand("verify", "Run a schedule on random inputs or files, and compare its "
                                   "outputs with those of the unscheduled pipeline");
  addScheduleOptions(*command, options->schedule);
  command
      ->add_option("--target", options->target,
                   "Where the schedule runs; opencl works without a GPU where PoCL is installed. "
                   "lowered interprets the code for CUDA thread by thread, with every type, and "
                   "also finds races, stray accesses and memory that nothing has written")
      ->type_name("opencl|host|cuda|lowered")
      ->check(CLI::IsMember({"opencl", "host", "cuda", "lowered"}).description(""))
      ->capture_default_str();
  CLI::Option *small = command->add_flag(
      "--small", options->small,
      "Shrink the pipeline, but keep several tiles and partial tiles at the edges");
  addInputOption(*command, options->schedule.file)->excludes(small);
  command->add_option("--seed", options->seed, "Seed of the random inputs")
      ->type_name("N")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
      ->capture_default_str();
  command
      ->add_option("--outputs", options->outputs,
                   "Write each output to this folder, as arrays (NAME.npy, NAME.expected.npy) and "
                   "as pictures (NAME.png, NAME.expected.png, NAME.difference.png: black where "
                   "nothing differs, blue within the tolerance, orange to white beyond it)")
      ->type_name("DIR");
  addToleranceOption(*command, options->tolerance);
  addTimeout(*command, options->timeout);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return verify(*options, invocation); };
  });
}

} // namespace tessera::app

// SPDX-License-Identifier: MIT
#include "app/cli_learn.h"

#include "app/cli_correction.h"
#include "app/cli_learn_data.h"
#include "app/cli_report.h"
#include "app/cli_table.h"
#include "app/cli_weights.h"
#include "engine/bench/program_version.h"
#include "engine/host/files.h"
#include "engine/learn/correction.h"
#include "engine/learn/correction_file.h"
#include "engine/learn/held_out.h"
#include "engine/learn/learning_data.h"
#include "engine/learn/training.h"
#include "engine/learn/weights_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {
namespace {

using learn::LearningData;
using learn::Ranking;

// What `train` and `test` have in common.
struct LearnOptions {
  std::vector<std::string> files; // of learning data
  learn::TrainingOptions training;
  std::string weights;    // train: to begin with; test: to use instead of trained ones; empty: none
  std::string correction; // test: to rank by; empty: none
  bool corrected = false; // test: learn corrections instead of weights
  std::string output;
  bool json = false;
};

ReportStyle styleOf(const LearnOptions &options) {
  return options.json ? ReportStyle::Json : ReportStyle::Text;
}

Error cancelledError() { return {ErrorCode::Cancelled, "Cancelled: nothing was written.", ""}; }

Result<LearningData> dataIn(const std::vector<std::string> &files) {
  LearningData all;
  for (const std::string &file : files) {
    const auto text = host::readFile(file);
    if (!text) return text.error();
    auto data = learn::learningDataFrom(*text, file);
    if (!data) return data.error();
    all.program = data->program;
    std::ranges::move(data->rows, std::back_inserter(all.rows));
  }
  return all;
}

// Nothing without a file.
Result<std::optional<learn::TrainedWeights>> givenWeights(const std::string &file) {
  if (file.empty()) return std::optional<learn::TrainedWeights>();
  auto weights = trainedWeightsIn(file);
  if (!weights) return weights.error();
  return std::optional(std::move(*weights));
}

// The least number of samples of an application with which an epoch takes a step.
std::optional<Error> tooFew(const LearningData &data, const learn::TrainingOptions &training) {
  for (const learn::Application &application : data.applications())
    if (application.samples.size() >= training.leastBatch) return std::nullopt;
  return Error{ErrorCode::InputRefused,
               "No application has " + std::to_string(training.leastBatch) +
                   " schedules, the fewest that can be trained with.",
               "Measure more of one: tessera-cli tune FILE."};
}

int trainWeights(const LearnOptions &options, const Invocation &invocation) {
  const auto data = dataIn(options.files);
  if (!data) return report(data.error(), styleOf(options));
  const auto start = givenWeights(options.weights);
  if (!start) return report(start.error(), styleOf(options));
  if (const auto problem = tooFew(*data, options.training))
    return report(*problem, styleOf(options));
  const std::vector<learn::Application> applications = data->applications();
  learn::TrainedWeights trained{.weights = {},
                                .program = bench::programVersion(),
                                .machines = data->machines(),
                                .samples = data->rows.size(),
                                .seed = options.training.seed,
                                .epochs = options.training.epochs};
  for (const learn::Application &application : applications)
    trained.applications.push_back(application.name);
  const auto show = terminalProgress();
  bool goesOn = true;
  trained.weights =
      learn::train(applications, options.training, *start ? &(*start)->weights : nullptr,
                   [&](int epoch, double loss) {
                     trained.loss = loss;
                     if (show) show({"training", (epoch + 1.0) / options.training.epochs});
                     goesOn = !invocation.stop.stop_requested();
                     return goesOn;
                   });
  clearProgress();
  if (!goesOn) return report(cancelledError(), styleOf(options));
  const Status written = host::writeFile(options.output, learn::toText(trained));
  if (!written) return report(written.error(), styleOf(options));
  if (options.json)
    std::cout << nlohmann::ordered_json{{"file", options.output},
                                        {"samples", trained.samples},
                                        {"applications", trained.applications.size()},
                                        {"epochs", trained.epochs},
                                        {"seed", trained.seed},
                                        {"loss", trained.loss}}
                     .dump(2)
              << "\n";
  else
    std::cout << "trained with " << trained.samples << " schedules of "
              << trained.applications.size() << " applications, " << trained.epochs
              << " epochs, loss " << fixedText(trained.loss, 4) << " a schedule; written to "
              << options.output << "\n";
  return outputDone();
}

int learnCorrection(const LearnOptions &options, const Invocation &invocation) {
  auto data = dataIn(options.files);
  if (!data) return report(data.error(), styleOf(options));
  data->program = bench::programVersion();
  if (learn::measuredKernels(*data) == 0)
    return report({ErrorCode::InputRefused, "The data have no kernel whose time is known.",
                   "Measure some: tessera-cli tune FILE."},
                  styleOf(options));
  const auto show = terminalProgress();
  learn::CorrectionOptions how;
  how.trees.seed = options.training.seed;
  const learn::Correction correction = learn::learnCorrection(*data, how, [&](double done) {
    if (show) show({"learning", done});
    return !invocation.stop.stop_requested();
  });
  clearProgress();
  if (invocation.stop.stop_requested()) return report(cancelledError(), styleOf(options));
  const Status written = host::writeFile(options.output, learn::toText(correction));
  if (!written) return report(written.error(), styleOf(options));
  if (options.json)
    std::cout << nlohmann::ordered_json{{"file", options.output},
                                        {"kernels", correction.kernels},
                                        {"applications", correction.applications.size()},
                                        {"seed", correction.seed}}
                     .dump(2)
              << "\n";
  else
    std::cout << "learned from " << correction.kernels << " kernels of "
              << correction.applications.size() << " applications; written to " << options.output
              << "\n";
  return outputDone();
}

double medianOf(const std::vector<Ranking> &rankings, const Ranking::Quality Ranking::*model) {
  std::vector<double> values;
  for (const Ranking &ranking : rankings)
    values.push_back((ranking.*model).correlation);
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

nlohmann::ordered_json fieldsOf(const Ranking::Quality &quality) {
  return {{"rank_correlation", quality.correlation}, {"best_of_24", quality.bestOf24}};
}

nlohmann::ordered_json toJson(const std::vector<Ranking> &rankings) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Ranking &one : rankings)
    rows.push_back({{"application", one.application},
                    {"machine", one.machine},
                    {"schedules", one.rows},
                    {"learned", fieldsOf(one.learned)},
                    {"analytic", fieldsOf(one.analytic)}});
  return {{"median_learned", medianOf(rankings, &Ranking::learned)},
          {"median_analytic", medianOf(rankings, &Ranking::analytic)},
          {"applications", std::move(rows)}};
}

void printTable(const std::vector<Ranking> &rankings) {
  const double learned = medianOf(rankings, &Ranking::learned);
  const double analytic = medianOf(rankings, &Ranking::analytic);
  constexpr auto kRight = Table::Align::Right;
  Table table{{{"application"},
               {"schedules", kRight},
               {"learned", kRight},
               {"analytic", kRight},
               {"best of 24, learned", kRight},
               {"analytic", kRight}},
              {}};
  for (const Ranking &one : rankings)
    table.rows.push_back({one.application, std::to_string(one.rows),
                          fixedText(one.learned.correlation, 3),
                          fixedText(one.analytic.correlation, 3),
                          fixedText(one.learned.bestOf24, 2), fixedText(one.analytic.bestOf24, 2)});
  table.rows.push_back({"median", "", fixedText(learned, 3), fixedText(analytic, 3), "", ""});
  std::cout << table;
}

void print(const learn::HeldOutCorrections &rankings, bool json) {
  if (json) {
    std::cout << nlohmann::ordered_json{{"predicted", toJson(rankings.predicted)},
                                        {"compiled", toJson(rankings.compiled)}}
                     .dump(2)
              << "\n";
    return;
  }
  std::cout << "As a search predicts them:\n";
  printTable(rankings.predicted);
  if (rankings.compiled.empty()) return;
  std::cout << "\nWith the registers and spills that ptxas reported:\n";
  printTable(rankings.compiled);
}

int testCorrections(const LearnOptions &options, const LearningData &data,
                    const Invocation &invocation) {
  learn::HeldOutCorrections rankings;
  if (!options.correction.empty()) {
    const auto correction = correctionIn(options.correction);
    if (!correction) return report(correction.error(), styleOf(options));
    rankings = {learn::rankedBy(*correction, data, false),
                learn::rankedBy(*correction, data, true)};
  } else {
    learn::CorrectionOptions how;
    how.trees.seed = options.training.seed;
    const auto show = terminalProgress();
    rankings = learn::heldOut(data, how, [&](double done) {
      if (show) show({"learning without one application at a time", done});
      return !invocation.stop.stop_requested();
    });
    clearProgress();
    if (invocation.stop.stop_requested()) return report(cancelledError(), styleOf(options));
  }
  print(rankings, options.json);
  return outputDone();
}

int testWeights(const LearnOptions &options, const Invocation &invocation) {
  const auto data = dataIn(options.files);
  if (!data) return report(data.error(), styleOf(options));
  const auto given = givenWeights(options.weights);
  if (!given) return report(given.error(), styleOf(options));
  if (data->rows.empty())
    return report({ErrorCode::InputRefused, "There are no schedules in the data.", ""},
                  styleOf(options));
  if (options.corrected || !options.correction.empty())
    return testCorrections(options, *data, invocation);
  std::vector<Ranking> rankings;
  if (*given) {
    rankings = learn::rankedBy((*given)->weights, *data);
  } else {
    if (const auto problem = tooFew(*data, options.training))
      return report(*problem, styleOf(options));
    const auto show = terminalProgress();
    rankings = learn::heldOut(*data, options.training, [&](double done) {
      if (show) show({"training without one application at a time", done});
      return !invocation.stop.stop_requested();
    });
    clearProgress();
    if (invocation.stop.stop_requested()) return report(cancelledError(), styleOf(options));
  }
  if (options.json)
    std::cout << toJson(rankings).dump(2) << "\n";
  else
    printTable(rankings);
  return outputDone();
}

void addDataOptions(CLI::App &command, LearnOptions &options, const std::string &seedOf) {
  command.add_option("DATA", options.files, "Files that `learn data` wrote")
      ->type_name("")
      ->required();
  command.add_option("--seed", options.training.seed, "Seed of " + seedOf)
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print JSON");
}

void addTrainingOptions(CLI::App &command, LearnOptions &options) {
  constexpr int kMostEpochs = 1'000'000;
  addDataOptions(command, options, "the first weights and of the order");
  command
      .add_option("--epochs", options.training.epochs, "How often all schedules are gone through")
      ->type_name("N")
      ->check(CLI::Range(1, kMostEpochs).description(""))
      ->capture_default_str();
  command.add_option("--rate", options.training.rate, "How far a step of ADAM goes")
      ->type_name("R")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str();
}

void addCorrect(CLI::App &learn, Command &run) {
  const auto options = std::make_shared<LearnOptions>();
  CLI::App *command = learn.add_subcommand(
      "correct", "Learn how far the model's times of kernels are off; for `explain --correction`");
  addDataOptions(*command, *options, "the rows and features that each tree is grown from");
  command->add_option("-o,--output", options->output, "Write the correction to this file")
      ->type_name("FILE.correction")
      ->required();
  command->callback([options, &run] {
    run = [options](const Invocation &invocation) { return learnCorrection(*options, invocation); };
  });
}

} // namespace

void addLearn(CLI::App &cli, Command &run) {
  CLI::App *command = cli.add_subcommand(
      "learn", "Learn from measurements how long schedules take (Anderson et al. 2021)");
  command->require_subcommand(1);
  addLearnData(*command, run);

  const auto training = std::make_shared<LearnOptions>();
  CLI::App *train = command->add_subcommand(
      "train", "Train the weights of the cost model; the same data and seed give the same weights");
  addTrainingOptions(*train, *training);
  train
      ->add_option("--start", training->weights,
                   "Go on with these weights, of `learn train` or Halide's, instead of random ones")
      ->type_name("FILE");
  train->add_option("-o,--output", training->output, "Write the weights to this file")
      ->type_name("FILE.weights")
      ->required();
  train->callback([training, &run] {
    run = [training](const Invocation &invocation) { return trainWeights(*training, invocation); };
  });

  addCorrect(*command, run);

  const auto testing = std::make_shared<LearnOptions>();
  CLI::App *test = command->add_subcommand(
      "test",
      "Say how well each application is ranked by weights that were trained with all others");
  addTrainingOptions(*test, *testing);
  test->add_option("--weights", testing->weights,
                   "Rank by these weights, of `learn train` or Halide's, and train none")
      ->type_name("FILE");
  test->add_flag("--corrected", testing->corrected,
                 "Rank by the model and a correction that was learned from all others")
      ->excludes("--weights");
  test->add_option("--correction", testing->correction,
                   "Rank by the model and this correction, of `learn correct`, and learn none")
      ->type_name("FILE")
      ->excludes("--weights", "--corrected");
  test->callback([testing, &run] {
    run = [testing](const Invocation &invocation) { return testWeights(*testing, invocation); };
  });
}

} // namespace tessera::app

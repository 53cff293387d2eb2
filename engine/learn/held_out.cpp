// SPDX-License-Identifier: MIT
#include "engine/learn/held_out.h"

#include "engine/learn/network.h"
#include "engine/learn/ranking.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace tessera::learn {

namespace {

using Rows = std::vector<const DataRow *>;

// Rows of one application on one machine, which can be compared with each other.
std::map<std::pair<std::string, std::string>, Rows> groupsOf(const LearningData &data) {
  std::map<std::pair<std::string, std::string>, Rows> groups;
  for (const DataRow &row : data.rows)
    groups[{row.application, row.machine}].push_back(&row);
  return groups;
}

double costOf(const Network &network, const Sample &sample,
              std::map<const void *, std::vector<StageEmbedding>> &known) {
  const auto [at, isNew] = known.try_emplace(sample.algorithm.get());
  if (isNew) at->second = network.embed(*sample.algorithm);
  const std::vector<double> costs = network.costs(at->second, sample.stages, sample.cores);
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

// `learnedOf` is the learned time or cost of a row, in any unit.
Ranking rankingOf(const Rows &rows, Predicted DataRow::*analyticOf,
                  const std::function<double(const DataRow &)> &learnedOf) {
  constexpr std::size_t kMeasured = 24; // as many as a search measures at its end
  std::vector<double> learned, analytic, measured;
  for (const DataRow *const row : rows) {
    learned.push_back(learnedOf(*row));
    analytic.push_back((row->*analyticOf).milliseconds);
    measured.push_back(row->sample.milliseconds);
  }
  const auto qualityOf = [&](const std::vector<double> &predicted) {
    return Ranking::Quality{rankCorrelation(predicted, measured),
                            bestOf(kMeasured, predicted, measured)};
  };
  return {rows.front()->application, rows.front()->machine, rows.size(), qualityOf(learned),
          qualityOf(analytic)};
}

Ranking rankingOf(const Rows &rows, const Network &network) {
  std::map<const void *, std::vector<StageEmbedding>> embeddings;
  return rankingOf(rows, &DataRow::predicted,
                   [&](const DataRow &row) { return costOf(network, row.sample, embeddings); });
}

// Nothing if no row has the prediction.
std::optional<Ranking> rankingOf(const Rows &rows, const Correction &correction, bool compiled) {
  const auto which = compiled ? &DataRow::compiled : &DataRow::predicted;
  Rows known;
  std::ranges::copy_if(rows, std::back_inserter(known),
                       [&](const DataRow *row) { return !(row->*which).kernels.empty(); });
  if (known.empty()) return std::nullopt;
  return rankingOf(known, which, [&](const DataRow &row) {
    return correctedMilliseconds(correction, row.*which);
  });
}

LearningData without(const std::string &application, const LearningData &data) {
  LearningData others{.program = data.program, .rows = {}};
  std::ranges::copy_if(data.rows, std::back_inserter(others.rows),
                       [&](const DataRow &row) { return row.application != application; });
  return others;
}

} // namespace

std::vector<Ranking> rankedBy(const Correction &correction, const LearningData &data,
                              bool compiled) {
  std::vector<Ranking> rankings;
  for (const auto &[name, rows] : groupsOf(data))
    if (const auto ranking = rankingOf(rows, correction, compiled)) rankings.push_back(*ranking);
  return rankings;
}

HeldOutCorrections heldOut(const LearningData &data, const CorrectionOptions &options,
                           const std::function<bool(double)> &progress) {
  const auto groups = groupsOf(data);
  std::set<std::string> names;
  for (const auto &[key, rows] : groups)
    if (rows.size() >= kLeastRanked) names.insert(key.first);
  HeldOutCorrections all;
  double done = 0;
  for (const std::string &name : names) {
    bool goesOn = true;
    const Correction correction = learnCorrection(without(name, data), options, [&](double part) {
      goesOn = !progress || progress((done + part) / static_cast<double>(names.size()));
      return goesOn;
    });
    if (!goesOn) break;
    ++done;
    for (const auto &[key, rows] : groups) {
      if (key.first != name || rows.size() < kLeastRanked) continue;
      if (const auto one = rankingOf(rows, correction, false)) all.predicted.push_back(*one);
      if (const auto one = rankingOf(rows, correction, true)) all.compiled.push_back(*one);
    }
  }
  return all;
}

std::vector<Ranking> rankedBy(const Weights &weights, const LearningData &data) {
  const Network network(weights);
  std::vector<Ranking> rankings;
  for (const auto &[name, rows] : groupsOf(data))
    rankings.push_back(rankingOf(rows, network));
  return rankings;
}

std::vector<Ranking> heldOut(const LearningData &data, const TrainingOptions &options,
                             const std::function<bool(double)> &progress) {
  const std::set<std::string> names = data.applicationNames();
  const std::vector<Application> all = data.applications();
  const auto groups = groupsOf(data);
  std::vector<Ranking> rankings;
  double done = 0;
  for (const std::string &name : names) {
    std::vector<Application> others;
    for (const Application &application : all)
      if (application.name != name) others.push_back(application);
    bool goesOn = true;
    const Weights weights = train(others, options, nullptr, [&](int epoch, double) {
      const double part = (epoch + 1.0) / std::max(1, options.epochs);
      goesOn = !progress || progress((done + part) / static_cast<double>(names.size()));
      return goesOn;
    });
    if (!goesOn) break;
    ++done;
    const Network network(weights);
    for (const auto &[key, rows] : groups)
      if (key.first == name) rankings.push_back(rankingOf(rows, network));
  }
  return rankings;
}

} // namespace tessera::learn

// SPDX-License-Identifier: MIT
#include "engine/learn/learning_data.h"

#include "engine/learn/json_members.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace tessera::learn {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kDataFormat = "tessera-learning-data";
constexpr int kDataVersion = 2;

// Most features are whole numbers, which are shorter without a fraction.
json numberOf(double value) {
  constexpr double kExact = 9007199254740992; // 2^53
  if (value == std::floor(value) && std::abs(value) < kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

// A feature of a kernel to five digits, as trees ask for no more.
double shortened(float value) {
  constexpr double kDigits = 1e5;
  const auto exact = static_cast<double>(value);
  if (exact == 0 || !std::isfinite(exact)) return 0;
  const double scale = std::pow(10.0, std::floor(std::log10(std::abs(exact))));
  return std::round(exact / scale * kDigits) / kDigits * scale;
}

// Most features of an algorithm are zero: pairs of a place and a value.
json toJson(const AlgorithmFeatures &features) {
  json pairs = json::array();
  for (std::size_t f = 0; f < kAlgorithmFeatures; ++f)
    if (features.values[f] != 0)
      pairs.push_back({f, numberOf(static_cast<double>(features.values[f]))});
  return pairs;
}

json toJson(const ScheduleFeatures &features) {
  json values = json::array();
  for (const double value : features.values)
    values.push_back(numberOf(value));
  return values;
}

template <typename Stage>
json listOf(const std::vector<Stage> &stages) {
  json list = json::array();
  for (const Stage &stage : stages)
    list.push_back(toJson(stage));
  return list;
}

// A kernel is a list: the predicted and the measured time, then its features.
json toJson(const Predicted &predicted) {
  json kernels = json::array();
  for (const KernelRow &kernel : predicted.kernels) {
    json values{kernel.predicted, kernel.measured};
    for (const float value : kernel.features)
      values.push_back(numberOf(shortened(value)));
    kernels.push_back(std::move(values));
  }
  return {{"ms", predicted.milliseconds}, {"kernels", std::move(kernels)}};
}

ordered_json toJson(const DataRow &row, std::size_t algorithm) {
  return {{"application", row.application},
          {"hash", row.hash},
          {"machine", row.machine},
          {"commit", row.commit},
          {"cores", row.sample.cores},
          {"ms", row.sample.milliseconds},
          {"predicted", toJson(row.predicted)},
          {"compiled", toJson(row.compiled)},
          {"algorithm", algorithm},
          {"stages", listOf(row.sample.stages)}};
}

double finite(const json &value, const char *key) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw Damaged{"'" + std::string(key) + "' is not a number"};
  return value.get<double>();
}

double positive(const json &document, const char *key) {
  const double value = finite(member(document, key), key);
  if (value <= 0) throw Damaged{"'" + std::string(key) + "' is not above 0"};
  return value;
}

std::size_t placeIn(const json &value, std::size_t size, const char *key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= size)
    throw Damaged{"'" + std::string(key) + "' is out of range"};
  return value.get<std::size_t>();
}

AlgorithmFeatures algorithmIn(const json &pairs) {
  AlgorithmFeatures features;
  if (!pairs.is_array()) throw Damaged{"the features of an algorithm are not a list"};
  for (const json &pair : pairs) {
    if (!pair.is_array() || pair.size() != 2) throw Damaged{"a feature is not a pair"};
    const std::size_t place = placeIn(pair[0], kAlgorithmFeatures, "feature");
    features.values[place] = static_cast<float>(finite(pair[1], "feature"));
  }
  return features;
}

ScheduleFeatures stageIn(const json &values) {
  if (!values.is_array() || values.size() != kScheduleFeatures)
    throw Damaged{"a stage does not have " + std::to_string(kScheduleFeatures) + " features"};
  ScheduleFeatures features;
  for (std::size_t f = 0; f < kScheduleFeatures; ++f)
    features.values[f] = finite(values[f], "feature");
  return features;
}

KernelRow kernelIn(const json &values) {
  if (!values.is_array() || values.size() != kKernelFeatures + 2)
    throw Damaged{"a kernel does not have " + std::to_string(kKernelFeatures) + " features"};
  KernelRow row{.features = {},
                .predicted = finite(values[0], "predicted"),
                .measured = finite(values[1], "measured")};
  if (row.predicted < 0 || row.measured < 0) throw Damaged{"a kernel has a time below 0"};
  for (std::size_t f = 0; f < kKernelFeatures; ++f)
    row.features[f] = static_cast<float>(finite(values[f + 2], "feature"));
  return row;
}

Predicted predictedIn(const json &document) {
  Predicted predicted{.milliseconds = finite(member(document, "ms"), "ms"), .kernels = {}};
  for (const json &kernel : listMember(document, "kernels"))
    predicted.kernels.push_back(kernelIn(kernel));
  return predicted;
}

class Reader {
public:
  void readLine(const json &line) {
    if (line.contains("algorithm_features")) {
      std::vector<AlgorithmFeatures> stages;
      for (const json &stage : listMember(line, "algorithm_features"))
        stages.push_back(algorithmIn(stage));
      m_algorithms.push_back(std::make_shared<const std::vector<AlgorithmFeatures>>(stages));
    } else if (line.contains("rows")) {
      const json &count = line["rows"];
      if (!count.is_number_unsigned() || count.get<std::uint64_t>() != data.rows.size())
        throw Damaged{"rows are missing"};
      m_isWhole = true;
    } else {
      readRow(line);
    }
  }
  bool isWhole() const { return m_isWhole; }

  LearningData data;

private:
  void readRow(const json &line) {
    DataRow row{.application = textMember(line, "application"),
                .hash = textMember(line, "hash"),
                .machine = textMember(line, "machine"),
                .commit = textMember(line, "commit"),
                .predicted = predictedIn(member(line, "predicted")),
                .compiled = predictedIn(member(line, "compiled")),
                .sample = {}};
    if (row.predicted.milliseconds <= 0) throw Damaged{"'predicted' is not above 0"};
    row.sample.algorithm =
        m_algorithms[placeIn(member(line, "algorithm"), m_algorithms.size(), "algorithm")];
    row.sample.milliseconds = positive(line, "ms");
    constexpr std::size_t kMostCores = 1'000'000;
    row.sample.cores =
        static_cast<std::int64_t>(placeIn(member(line, "cores"), kMostCores, "cores"));
    if (row.sample.cores < 1) throw Damaged{"'cores' is not above 0"};
    for (const json &stage : listMember(line, "stages"))
      row.sample.stages.push_back(stageIn(stage));
    if (row.sample.stages.size() != row.sample.algorithm->size())
      throw Damaged{"a row has other stages than its algorithm"};
    data.rows.push_back(std::move(row));
  }

  std::vector<AlgorithmPtr> m_algorithms;
  bool m_isWhole = false;
};

Error refusedData(const std::string &name, const std::string &why) {
  return {ErrorCode::InputRefused, "'" + name + "' " + why + ".",
          "Make it anew: tessera-cli learn data."};
}

std::optional<Error> problemOfHead(const json &head, const std::string &name) {
  if (!head.is_object() || head.value("format", json()) != kDataFormat)
    return refusedData(name, "is not a file of learning data");
  if (head.value("version", json()) != kDataVersion ||
      head.value("features", json()) != kFeaturesVersion ||
      head.value("kernel_features", json()) != kKernelFeaturesVersion)
    return refusedData(name, "has features of another version of this program");
  return std::nullopt;
}

} // namespace

std::vector<std::string> LearningData::machines() const {
  std::vector<std::string> names;
  for (const DataRow &row : rows)
    if (std::ranges::find(names, row.machine) == names.end()) names.push_back(row.machine);
  return names;
}

std::set<std::string> LearningData::applicationNames() const {
  std::set<std::string> names;
  for (const DataRow &row : rows)
    names.insert(row.application);
  return names;
}

std::vector<Application> LearningData::applications() const {
  std::map<std::pair<std::string, std::string>, Application> byName;
  for (const DataRow &row : rows) {
    Application &application = byName[{row.application, row.machine}];
    application.name = row.application;
    application.samples.push_back(row.sample);
  }
  std::vector<Application> all;
  for (auto &[name, application] : byName)
    all.push_back(std::move(application));
  return all;
}

std::string toText(const LearningData &data) {
  std::string text = ordered_json{{"format", kDataFormat},
                                  {"version", kDataVersion},
                                  {"features", kFeaturesVersion},
                                  {"kernel_features", kKernelFeaturesVersion},
                                  {"program", data.program}}
                         .dump() +
                     "\n";
  std::map<const std::vector<AlgorithmFeatures> *, std::size_t> known;
  for (const DataRow &row : data.rows) {
    const auto [at, isNew] = known.try_emplace(row.sample.algorithm.get(), known.size());
    if (isNew) text += json{{"algorithm_features", listOf(*row.sample.algorithm)}}.dump() + "\n";
    text += toJson(row, at->second).dump() + "\n";
  }
  return text + json{{"rows", data.rows.size()}}.dump() + "\n";
}

Result<LearningData> learningDataFrom(std::string_view text, const std::string &name) {
  Reader reader;
  std::size_t number = 0;
  try {
    while (!text.empty() && !reader.isWhole()) {
      const std::size_t end = text.find('\n');
      const json line = json::parse(text.substr(0, end), nullptr, false);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (number++ == 0) {
        if (const auto problem = problemOfHead(line, name)) return *problem;
        reader.data.program = textMember(line, "program");
      } else if (line.is_discarded()) {
        throw Damaged{"it is no JSON"};
      } else {
        reader.readLine(line);
      }
    }
  } catch (const Damaged &problem) {
    return refusedData(name, "is damaged in line " + std::to_string(number) + ": " + problem.why);
  }
  if (number == 0) return refusedData(name, "is not a file of learning data");
  if (!reader.isWhole() || !text.empty()) return refusedData(name, "is damaged: it is not whole");
  return std::move(reader.data);
}

} // namespace tessera::learn

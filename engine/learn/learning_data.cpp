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
constexpr int kDataVersion = 1;

// Most features are whole numbers, which are shorter without a fraction.
json numberOf(double value) {
  constexpr double kExact = 9007199254740992; // 2^53
  if (value == std::floor(value) && std::abs(value) < kExact)
    return static_cast<std::int64_t>(value);
  return value;
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

ordered_json toJson(const DataRow &row, std::size_t algorithm) {
  return {{"application", row.application},
          {"hash", row.hash},
          {"machine", row.machine},
          {"commit", row.commit},
          {"cores", row.sample.cores},
          {"ms", row.sample.milliseconds},
          {"predicted_ms", row.predictedMilliseconds},
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

const json &listMember(const json &document, const char *key) {
  const json &list = member(document, key);
  if (!list.is_array()) throw Damaged{"'" + std::string(key) + "' is not a list"};
  return list;
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
                .predictedMilliseconds = positive(line, "predicted_ms"),
                .sample = {}};
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
      head.value("features", json()) != kFeaturesVersion)
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

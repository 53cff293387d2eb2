// SPDX-License-Identifier: MIT
#include "engine/learn/weights_file.h"

#include "engine/learn/json_members.h"
#include "engine/base/sha256.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <span>
#include <type_traits>

namespace tessera::learn {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kWeightsFormat = "tessera-weights";
constexpr int kWeightsVersion = 1;

// Where the hints send the user.
constexpr const char *kTrainAnew = "Train new ones: tessera-cli learn train.";

// Of the numbers themselves, so that a digit that was changed is noticed and a space is not.
std::string hashOf(const Weights &weights) {
  Sha256 hash;
  for (const double value : weights.values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    hash.append(std::as_bytes(std::span(&bits, 1)));
  }
  return hash.hex();
}

Error refused(const std::string &name, const std::string &why, const std::string &hint) {
  return {ErrorCode::InputRefused, "'" + name + "' " + why + ".", hint};
}

template <typename T>
T numberMember(const json &document, const char *key) {
  const json &value = member(document, key);
  const bool fits = std::is_floating_point_v<T> ? value.is_number() : value.is_number_unsigned();
  if (!fits) throw Damaged{"'" + std::string(key) + "' is not a number"};
  return value.get<T>();
}

Weights valuesIn(const json &document) {
  const json &list = member(document, "weights");
  if (!list.is_array() || list.size() != kWeights)
    throw Damaged{"it does not have " + std::to_string(kWeights) + " weights"};
  Weights weights;
  for (std::size_t w = 0; w < kWeights; ++w) {
    if (!list[w].is_number() || !std::isfinite(list[w].get<double>()))
      throw Damaged{"a weight is not a number"};
    weights.values[w] = list[w].get<double>();
  }
  if (textMember(document, "sha256") != hashOf(weights))
    throw Damaged{"its weights are not those that were written"};
  return weights;
}

TrainedWeights trainedIn(const json &document) {
  TrainedWeights trained{.weights = valuesIn(document),
                         .program = textMember(document, "program"),
                         .machines = textsMember(document, "machines"),
                         .applications = textsMember(document, "applications"),
                         .samples = numberMember<std::size_t>(document, "samples"),
                         .seed = numberMember<std::uint64_t>(document, "seed")};
  const auto epochs = numberMember<std::uint64_t>(document, "epochs");
  constexpr std::uint64_t kMost = 1'000'000'000;
  if (epochs > kMost) throw Damaged{"'epochs' is too large"};
  trained.epochs = static_cast<int>(epochs);
  trained.loss = numberMember<double>(document, "loss");
  return trained;
}

// Why a document is not one of this version.
Error foreign(const json &document, const std::string &name) {
  const auto text = [&](const char *key) {
    const auto found = document.find(key);
    return found == document.end() ? std::string("none") : found->dump();
  };
  if (!document.is_object() || document.value("format", json()) != kWeightsFormat)
    return refused(name, "is not a file of weights", kTrainAnew);
  if (document.value("version", json()) != kWeightsVersion)
    return refused(name,
                   "has version " + text("version") + " of the format, and this program reads " +
                       std::to_string(kWeightsVersion),
                   kTrainAnew);
  return refused(name,
                 "has weights for version " + text("features") +
                     " of the features, and this program finds version " +
                     std::to_string(kFeaturesVersion),
                 kTrainAnew);
}

bool isHalides(std::string_view bytes) { return bytes.starts_with("1fwh"); }

} // namespace

std::string toText(const TrainedWeights &trained) {
  ordered_json document{{"format", kWeightsFormat},         {"version", kWeightsVersion},
                        {"features", kFeaturesVersion},     {"program", trained.program},
                        {"machines", trained.machines},     {"applications", trained.applications},
                        {"samples", trained.samples},       {"seed", trained.seed},
                        {"epochs", trained.epochs},         {"loss", trained.loss},
                        {"sha256", hashOf(trained.weights)}};
  document["weights"] = trained.weights.values;
  return document.dump() + "\n";
}

Result<TrainedWeights> weightsFrom(std::string_view bytes, const std::string &name) {
  if (isHalides(bytes)) {
    auto weights = weightsFromHalide(bytes, name);
    if (!weights) return weights.error();
    return TrainedWeights{.weights = *weights};
  }
  const json document = json::parse(bytes, nullptr, false);
  if (document.is_discarded()) {
    const bool began = bytes.substr(0, 64).find(kWeightsFormat) != std::string_view::npos;
    return refused(name, began ? "is damaged: it is not whole" : "is not a file of weights",
                   kTrainAnew);
  }
  if (!document.is_object() || document.value("format", json()) != kWeightsFormat ||
      document.value("version", json()) != kWeightsVersion ||
      document.value("features", json()) != kFeaturesVersion)
    return foreign(document, name);
  try {
    return trainedIn(document);
  } catch (const Damaged &problem) {
    return refused(name, "is damaged: " + problem.why, kTrainAnew);
  }
}

} // namespace tessera::learn

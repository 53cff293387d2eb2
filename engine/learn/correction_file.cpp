// SPDX-License-Identifier: MIT
#include "engine/learn/correction_file.h"

#include "engine/learn/json_members.h"
#include "engine/base/sha256.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>

namespace tessera::learn {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kFormat = "tessera-correction";
constexpr int kVersion = 1;
constexpr const char *kLearnAnew = "Learn a new one: tessera-cli learn correct.";

Error refused(const std::string &name, const std::string &why) {
  return {ErrorCode::InputRefused, "'" + name + "' " + why + ".", kLearnAnew};
}

json toJson(const BoostedTrees &judge) {
  json trees = json::array();
  for (const BoostedTrees::Tree &tree : judge.trees()) {
    json nodes = json::array();
    for (const BoostedTrees::Node &node : tree) {
      if (node.feature == BoostedTrees::Node::kLeaf)
        nodes.push_back(json::array({node.number}));
      else
        nodes.push_back({node.feature, node.below, node.above, node.number});
    }
    trees.push_back(std::move(nodes));
  }
  return {{"start", judge.start()}, {"trees", std::move(trees)}};
}

// Of the trees as they are written, so that a digit that was changed is noticed.
std::string hashOf(const json &judges) {
  const std::string text = judges.dump();
  Sha256 hash;
  hash.append(std::as_bytes(std::span(text)));
  return hash.hex();
}

float numberIn(const json &value) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw Damaged{"a number of a tree is none"};
  return value.get<float>();
}

std::uint16_t placeIn(const json &value) {
  constexpr std::uint64_t kMost = BoostedTrees::Node::kLeaf;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= kMost)
    throw Damaged{"a place in a tree is out of range"};
  return value.get<std::uint16_t>();
}

BoostedTrees::Node nodeIn(const json &values) {
  if (!values.is_array() || (values.size() != 1 && values.size() != 4))
    throw Damaged{"a node of a tree has another length"};
  BoostedTrees::Node node;
  node.number = numberIn(values.back());
  if (values.size() == 1) return node;
  node.feature = placeIn(values[0]);
  node.below = placeIn(values[1]);
  node.above = placeIn(values[2]);
  return node;
}

BoostedTrees judgeIn(const json &document) {
  std::vector<BoostedTrees::Tree> trees;
  for (const json &nodes : listMember(document, "trees")) {
    if (!nodes.is_array()) throw Damaged{"a tree is no list"};
    BoostedTrees::Tree &tree = trees.emplace_back();
    for (const json &node : nodes)
      tree.push_back(nodeIn(node));
  }
  BoostedTrees judge(numberIn(member(document, "start")), std::move(trees));
  if (!judge.isSound(kKernelFeatures)) throw Damaged{"a tree leads nowhere"};
  return judge;
}

std::uint64_t countIn(const json &document, const char *key) {
  const json &value = member(document, key);
  if (!value.is_number_unsigned()) throw Damaged{"'" + std::string(key) + "' is not a count"};
  return value.get<std::uint64_t>();
}

Correction correctionIn(const json &document) {
  const json &judges = listMember(document, "judges");
  if (textMember(document, "sha256") != hashOf(judges))
    throw Damaged{"its trees are not those that were written"};
  Correction correction{.judges = {},
                        .program = textMember(document, "program"),
                        .machines = textsMember(document, "machines"),
                        .applications = textsMember(document, "applications"),
                        .kernels = countIn(document, "kernels"),
                        .seed = countIn(document, "seed")};
  for (const json &judge : judges)
    correction.judges.push_back(judgeIn(judge));
  return correction;
}

} // namespace

std::string toText(const Correction &correction) {
  json judges = json::array();
  for (const BoostedTrees &judge : correction.judges)
    judges.push_back(toJson(judge));
  ordered_json document{{"format", kFormat},
                        {"version", kVersion},
                        {"features", kKernelFeaturesVersion},
                        {"program", correction.program},
                        {"machines", correction.machines},
                        {"applications", correction.applications},
                        {"kernels", correction.kernels},
                        {"seed", correction.seed},
                        {"sha256", hashOf(judges)}};
  document["judges"] = std::move(judges);
  return document.dump() + "\n";
}

Result<Correction> correctionFrom(std::string_view text, const std::string &name) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    const bool began = text.substr(0, 64).find(kFormat) != std::string_view::npos;
    return refused(name, began ? "is damaged: it is not whole" : "is not a file of a correction");
  }
  if (!document.is_object() || document.value("format", json()) != kFormat)
    return refused(name, "is not a file of a correction");
  if (document.value("version", json()) != kVersion ||
      document.value("features", json()) != kKernelFeaturesVersion)
    return refused(name, "asks for features of another version of this program");
  try {
    return correctionIn(document);
  } catch (const Damaged &problem) {
    return refused(name, "is damaged: " + problem.why);
  }
}

} // namespace tessera::learn

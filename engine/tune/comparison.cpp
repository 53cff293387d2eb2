// SPDX-License-Identifier: MIT
#include "engine/tune/comparison.h"

#include "engine/bench/json_reader.h"
#include "engine/host/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>

namespace tessera::tune {

namespace {

using bench::Malformed;
using bench::ObjectReader;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char *kFormat = "tessera-comparison";
constexpr int kComparisonVersion = 1;
constexpr std::array<std::string_view, 6> kStates{"no schedule", "not compiled", "ready",
                                                  "measured",    "wrong output", "not measured"};

std::string indexOf(const std::string &folder) { return folder + "/comparison.json"; }

ContenderState stateFrom(const std::string &word) {
  const auto at = std::ranges::find(kStates, word);
  if (at == kStates.end()) throw Malformed("'" + word + "' is not a state of a contender");
  return static_cast<ContenderState>(at - kStates.begin());
}

std::string hexText(std::uint64_t hash) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << hash;
  return text.str();
}

// Names become folders, so they must not lead out of the comparison's folder.
bool isPlainName(const std::string &name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos;
}

template <typename Value>
ordered_json orNull(const std::optional<Value> &value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json toJson(const Contender &contender) {
  return {{"name", contender.name},
          {"word", contender.word},
          {"state", name(contender.state)},
          {"why", contender.why},
          {"opaque", contender.isOpaque},
          {"seconds", orNull(contender.seconds())},
          {"schedule_seconds", orNull(contender.scheduleSeconds)},
          {"predicted_seconds", orNull(contender.predictedSeconds)},
          {"schedule_hash", contender.hash == 0 ? "" : hexText(contender.hash)},
          {"kernels", contender.kernels},
          {"register_cap", contender.registerCap},
          {"measurement",
           contender.measurement ? bench::toJson(*contender.measurement) : ordered_json(nullptr)}};
}

Contender contenderFrom(const json &value) {
  ObjectReader reader(value, "a contender");
  Contender contender;
  contender.name = reader.word("name");
  if (!isPlainName(contender.name))
    throw Malformed("'" + contender.name + "' is not a valid name of a contender");
  contender.word = reader.word("word");
  contender.state = stateFrom(reader.word("state"));
  contender.why = reader.word("why");
  contender.isOpaque = reader.number<bool>("opaque");
  // These members are not read, because they are computed from the measurement.
  for (const char *follows : {"seconds", "times_floor"})
    (void)reader.has(follows);
  if (reader.has("schedule_seconds"))
    contender.scheduleSeconds = reader.number<double>("schedule_seconds");
  if (reader.has("predicted_seconds"))
    contender.predictedSeconds = reader.number<double>("predicted_seconds");
  if (const std::string hash = reader.word("schedule_hash"); !hash.empty())
    contender.hash = std::stoull(hash, nullptr, 16);
  contender.kernels = reader.number<std::size_t>("kernels");
  contender.registerCap = reader.number<int>("register_cap");
  if (reader.has("measurement")) {
    auto measurement = bench::measurementFromJson(reader.at("measurement"));
    if (!measurement) throw Malformed(measurement.error().message);
    contender.measurement = std::move(*measurement);
  }
  if (contender.state == ContenderState::Measured && !contender.measurement)
    throw Malformed("'" + contender.name + "' is marked as measured but has no measurement");
  reader.refuseOthers();
  return contender;
}

ordered_json toJson(const cost::Floor &floor) {
  return {{"bytes", floor.bytes},          {"from_dram", floor.fromDram},
          {"fp64", floor.operations.fp64}, {"fp32", floor.operations.fp32},
          {"fp16", floor.operations.fp16}, {"integer", floor.operations.integer}};
}

cost::Floor floorFrom(const json &value) {
  ObjectReader reader(value, "the floor");
  cost::Floor floor;
  floor.bytes = reader.number<double>("bytes");
  floor.fromDram = reader.number<double>("from_dram");
  floor.operations = {reader.number<double>("fp64"), reader.number<double>("fp32"),
                      reader.number<double>("fp16"), reader.number<double>("integer")};
  // These members are not read, because they are computed from the ceilings of the GPU.
  for (const char *follows : {"seconds", "binding", "ceilings"})
    (void)reader.has(follows);
  reader.refuseOthers();
  return floor;
}

Comparison comparisonFrom(const json &document) {
  ObjectReader reader(document, "the comparison");
  reader.expectFormat(kFormat, kComparisonVersion, "it is not a comparison", "it has");
  Comparison comparison;
  comparison.pipeline = reader.word("pipeline");
  comparison.machine = reader.word("machine");
  comparison.seed = reader.number<std::uint64_t>("seed");
  (void)reader.has("best_seconds");
  if (reader.has("floor")) comparison.floor = floorFrom(reader.at("floor"));
  comparison.contenders = reader.list<Contender>("contenders", contenderFrom);
  comparison.remarks = reader.words("remarks");
  reader.refuseOthers();
  return comparison;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    result += c == '\n' ? ' ' : c;
    if (c == '"') result += '"';
  }
  return result + "\"";
}

std::string numberText(const std::optional<double> &value) {
  if (!value) return {};
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10) << *value;
  return text.str();
}

} // namespace

std::string_view name(ContenderState state) { return kStates[static_cast<std::size_t>(state)]; }

std::optional<double> Contender::seconds() const {
  const bool isSure = state == ContenderState::Measured && measurement && measurement->verified() &&
                      measurement->backToBack.measured();
  return isSure ? std::optional(measurement->backToBack.median) : std::nullopt;
}

std::optional<double> Comparison::bestSeconds() const {
  std::optional<double> best;
  for (const Contender &contender : contenders)
    if (const auto seconds = contender.seconds(); seconds && (!best || *seconds < *best))
      best = seconds;
  return best;
}

std::string Comparison::gpu() const {
  for (const Contender &contender : contenders)
    if (contender.measurement) return contender.measurement->machine;
  return {};
}

ordered_json toJson(const Comparison &comparison) {
  ordered_json out{{"format", kFormat},
                   {"version", kComparisonVersion},
                   {"pipeline", comparison.pipeline},
                   {"machine", comparison.machine},
                   {"seed", comparison.seed},
                   {"best_seconds", orNull(comparison.bestSeconds())}};
  if (comparison.floor) out["floor"] = toJson(*comparison.floor);
  out["contenders"] = ordered_json::array();
  for (const Contender &contender : comparison.contenders)
    out["contenders"].push_back(toJson(contender));
  out["remarks"] = comparison.remarks;
  return out;
}

Result<Comparison> comparisonFromJson(const json &document) {
  return bench::readOr(ErrorCode::InputRefused,
                       "comparison: ", [&] { return comparisonFrom(document); });
}

bool isComparison(const std::string &folder) {
  std::error_code ignored;
  return std::filesystem::exists(indexOf(folder), ignored);
}

Result<Comparison> readComparison(const std::string &folder) {
  const auto text = host::readFile(indexOf(folder));
  if (!text) return text.error();
  return comparisonFromJson(json::parse(*text, nullptr, false));
}

Status writeComparison(const Comparison &comparison, const std::string &folder) {
  return host::writeFile(indexOf(folder),
                         toJson(comparison).dump(1, ' ', false, json::error_handler_t::replace) +
                             "\n");
}

std::string csvText(const Comparison &comparison, const std::optional<cost::PlacedFloor> &floor) {
  const auto best = comparison.bestSeconds();
  std::string text =
      "candidate,state,seconds,lower_quartile,upper_quartile,ratio,"
      "times_floor,predicted_seconds,schedule_seconds,checked,kernels,register_cap,opaque,why\n";
  for (const Contender &contender : comparison.contenders) {
    const auto seconds = contender.seconds();
    const auto ofMeasured = [&](double value) {
      return seconds ? std::optional(value) : std::optional<double>();
    };
    const bench::Spread spread =
        contender.measurement ? contender.measurement->backToBack : bench::Spread{};
    const bool isChecked = contender.measurement && contender.measurement->verified();
    text += quoted(contender.name) + "," + std::string(name(contender.state)) + "," +
            numberText(seconds) + "," + numberText(ofMeasured(spread.lower)) + "," +
            numberText(ofMeasured(spread.upper)) + "," +
            numberText(seconds ? std::optional(*seconds / *best) : std::nullopt) + "," +
            numberText(seconds && floor ? floor->times(*seconds) : std::nullopt) + "," +
            numberText(contender.predictedSeconds) + "," + numberText(contender.scheduleSeconds) +
            "," + (isChecked ? "yes" : "no") + "," + std::to_string(contender.kernels) + "," +
            std::to_string(contender.registerCap) + "," + (contender.isOpaque ? "yes" : "no") +
            "," + quoted(contender.why) + "\n";
  }
  return text;
}

} // namespace tessera::tune

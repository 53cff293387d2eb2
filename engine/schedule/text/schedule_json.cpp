// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_json.h"

#include "engine/schedule/text/text_header.h"
#include "engine/base/escape.h"
#include "engine/base/json_text.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace tessera::schedule {

using nlohmann::json;
using nlohmann::ordered_json;
using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::PipelinePtr;

namespace {

constexpr int kFormat = 1;

Error refused(std::string message, std::string hint = {}) {
  return {ErrorCode::InputRefused, std::move(message), std::move(hint)};
}

ordered_json toJson(const report::Promise &promise) {
  ordered_json out{{"buffer", promise.buffer}, {"dim", promise.dim}};
  if (promise.min) out["min"] = *promise.min;
  if (promise.extent) out["extent"] = *promise.extent;
  if (promise.stride) out["stride"] = *promise.stride;
  if (promise.hostAlignment) out["host_alignment"] = promise.hostAlignment;
  return out;
}

ordered_json toJson(const DecisionKey &key, const Mark &mark, const Pipeline &pipeline) {
  ordered_json out;
  if (key.kind < DecisionKind::RegisterCap) {
    out["func"] = pipeline.func(key.func).name;
    if (key.stage) out["stage"] = key.stage;
  }
  out["decision"] = name(key.kind);
  if (key.axis) out["axis"] = key.axis;
  out["origin"] = name(mark.origin);
  if (mark.frozen) out["frozen"] = true;
  return out;
}

// Reads the members of one object and checks each. Remembers the first that is wrong. `path` leads
// to the object, and is empty for the whole document.
class Members {
public:
  Members(const json &object, std::string path) : m_object(object), m_path(std::move(path)) {
    if (!object.is_object()) m_problem = at({}) + expectedText("an object", object);
  }

  std::string text(const char *key) {
    const json *value = find(key, true);
    if (value && !value->is_string()) return expect(key, "a word in quotes"), std::string();
    return value ? value->get<std::string>() : std::string();
  }

  std::optional<std::int64_t> number(const char *key, bool wanted, std::int64_t low,
                                     std::int64_t high) {
    const json *value = find(key, wanted);
    if (!value) return std::nullopt;
    const bool fits = value->is_number_integer() &&
                      (!value->is_number_unsigned() ||
                       value->get<std::uint64_t>() <= static_cast<std::uint64_t>(high)) &&
                      value->get<std::int64_t>() >= low && value->get<std::int64_t>() <= high;
    if (fits) return value->get<std::int64_t>();
    const std::string lowest = std::to_string(low);
    expect(key,
           low == high ? lowest : "a whole number from " + lowest + " to " + std::to_string(high));
    return std::nullopt;
  }

  bool flag(const char *key) {
    const json *value = find(key, false);
    if (value && !value->is_boolean()) expect(key, "true or false");
    return value && value->is_boolean() && value->get<bool>();
  }

  const std::string &problem() const { return m_problem; }
  // Says that a member, if it is there, should be something else.
  void expect(const char *key, const std::string &expected) {
    if (const json *value = find(key, false); value && m_problem.empty())
      m_problem = at(key) + expectedText(expected, *value);
  }

private:
  std::string at(const std::string &key) const {
    const std::string path = m_path + (m_path.empty() || key.empty() ? "" : ".") + key;
    return path.empty() ? path : path + ": ";
  }
  const json *find(const char *key, bool wanted) {
    if (!m_object.is_object()) return nullptr;
    const auto found = m_object.find(key);
    if (found != m_object.end()) return &*found;
    if (wanted && m_problem.empty()) m_problem = at({}) + "'" + std::string(key) + "' is missing";
    return nullptr;
  }

  const json &m_object;
  std::string m_path, m_problem;
};

// "promises[2]"
std::string itemPath(const char *list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

Result<report::Promise> promiseFrom(const json &value, const std::string &path) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  Members members(value, path);
  report::Promise promise;
  promise.buffer = members.text("buffer");
  promise.dim = static_cast<std::uint16_t>(members.number("dim", true, 0, 15).value_or(0));
  promise.min = members.number("min", false, kLow, kHigh);
  promise.extent = members.number("extent", false, 1, kHigh);
  promise.stride = members.number("stride", false, kLow, kHigh);
  promise.hostAlignment = members.number("host_alignment", false, 1, 4096).value_or(0);
  if (!members.problem().empty()) return refused(members.problem());
  return promise;
}

Result<std::pair<DecisionKey, Mark>> markFrom(const json &value, const Pipeline &pipeline,
                                              const std::string &path) {
  Members members(value, path);
  const auto kind = decisionKindFromName(members.text("decision"));
  const auto origin = originFromName(members.text("origin"));
  if (!kind) members.expect("decision", "a known kind of decision");
  if (!origin) members.expect("origin", "a known origin");
  DecisionKey key;
  if (kind && *kind < DecisionKind::RegisterCap) {
    const std::string name = members.text("func");
    const auto func = std::ranges::find(pipeline.funcs(), name, &Func::name);
    if (func == pipeline.funcs().end())
      members.expect("func", "a func of the pipeline");
    else
      key.func = static_cast<FuncId>(func - pipeline.funcs().begin());
    const std::int64_t last =
        func == pipeline.funcs().end() ? 0 : std::int64_t{func->stageCount} - 1;
    key.stage = static_cast<std::uint32_t>(members.number("stage", false, 0, last).value_or(0));
  }
  key.axis = static_cast<std::uint16_t>(members.number("axis", false, 0, 4096).value_or(0));
  const Mark mark{origin.value_or(Origin::User), members.flag("frozen")};
  if (!members.problem().empty()) return refused(members.problem());
  key.kind = *kind;
  return std::pair(key, mark);
}

// A member that is a list. A missing member counts as an empty list.
Result<const json *> listMember(const json &document, const char *key) {
  static const json kNothing = json::array();
  const auto at = document.find(key);
  if (at == document.end()) return &kNothing;
  if (!at->is_array()) return refused(key + (": " + expectedText("a list", *at)));
  return &*at;
}

Status readSettings(Schedule &schedule, const json &document) {
  Members members(document, "");
  Settings settings;
  settings.registerCap =
      static_cast<int>(members.number("register_cap", true, 1, 255).value_or(64));
  if (!members.problem().empty()) return refused(members.problem());
  const auto promises = listMember(document, "promises");
  if (!promises) return promises.error();
  for (const json &one : **promises) {
    auto promise = promiseFrom(one, itemPath("promises", settings.promises.size()));
    if (!promise) return promise.error();
    settings.promises.push_back(std::move(*promise));
  }
  schedule.set(std::move(settings));
  return Done{};
}

Status readMarks(Schedule &schedule, const json &document) {
  const auto list = listMember(document, "marks");
  if (!list) return list.error();
  Marks marks;
  std::size_t index = 0;
  for (const json &one : **list) {
    auto mark = markFrom(one, *schedule.pipeline(), itemPath("marks", index++));
    if (!mark) return mark.error();
    marks.insert(std::move(*mark));
  }
  schedule.setMarks(std::move(marks));
  return Done{};
}

// raise() counts directives from 1. "directive 3, f.unroll: …" becomes "directives[2]: f.unroll:
// …".
std::string withPath(const std::string &message) {
  constexpr std::string_view kCounted = "directive ", kBehind = ", ";
  std::size_t number = 0;
  if (!message.starts_with(kCounted)) return message;
  const char *const first = message.data() + kCounted.size();
  const auto read = std::from_chars(first, message.data() + message.size(), number);
  const std::string rest(read.ptr, message.data() + message.size());
  if (number == 0 || !rest.starts_with(kBehind)) return message;
  return itemPath("directives", number - 1) + ": " + rest.substr(kBehind.size());
}

} // namespace

ordered_json toJson(const Schedule &schedule) {
  ordered_json out{{"tessera_schedule", kFormat},
                   {"pipeline", schedule.base()->name()},
                   {"register_cap", schedule.settings().registerCap}};
  ordered_json promises = ordered_json::array();
  for (const report::Promise &promise : schedule.settings().promises)
    promises.push_back(toJson(promise));
  if (!promises.empty()) out["promises"] = std::move(promises);
  out["directives"] = toJson(lower(schedule));
  ordered_json marks = ordered_json::array();
  for (const auto &[key, mark] : schedule.marks())
    marks.push_back(toJson(key, mark, *schedule.pipeline()));
  if (!marks.empty()) out["marks"] = std::move(marks);
  return out;
}

Result<Schedule> scheduleFromJsonText(PipelinePtr pipeline, std::string_view text) {
  const auto document = parsedJson(text);
  if (!document) return document.error();
  auto schedule = scheduleFromJson(std::move(pipeline), *document);
  return schedule ? std::move(schedule) : withPlaceIn(text, schedule.error());
}

Result<Schedule> scheduleFromJson(PipelinePtr pipeline, const json &document) {
  if (document.is_object() && !document.contains("tessera_schedule"))
    return refused("it is not a Tessera schedule: 'tessera_schedule' is missing",
                   "Use a schedule that Tessera wrote to a file that ends in .json.");
  Members members(document, "");
  const auto format = members.number("tessera_schedule", true, 1, kFormat);
  if (!format)
    return refused(members.problem(), "This version reads format " + std::to_string(kFormat) + ".");
  const auto list = document.find("directives");
  if (list == document.end()) return refused("'directives' is missing");
  const auto directives = directivesFromJson(*list);
  if (!directives) return directives.error();
  auto schedule = raise(std::move(pipeline), *directives);
  if (!schedule) {
    const Error error = schedule.error(); // may quote unprintable names of the document
    return Error{error.code, printable(withPath(error.message)), printable(error.hint)};
  }
  if (const Status done = readSettings(*schedule, document); !done) return done.error();
  if (const Status done = readMarks(*schedule, document); !done) return done.error();
  return schedule;
}

} // namespace tessera::schedule

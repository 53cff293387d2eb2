// SPDX-License-Identifier: MIT
#include "engine/schedule/text/schedule_json.h"

#include "engine/schedule/text/text_header.h"
#include "engine/base/escape.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/directives/raise.h"
#include "engine/schedule/words/directive_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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
  return {ErrorCode::InputRefused, "schedule: " + std::move(message), std::move(hint)};
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

// Reads the members of one object and checks each. Remembers the first that is wrong.
class Members {
public:
  Members(const json &object, std::string where) : m_object(object), m_where(std::move(where)) {
    if (!object.is_object()) m_problem = m_where + " is not an object";
  }

  std::string text(const char *key) {
    const json *value = find(key, true);
    if (value && !value->is_string()) return complain(key, "not a string"), std::string();
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
    if (!fits) return complain(key, "not a number in range"), std::nullopt;
    return value->get<std::int64_t>();
  }

  bool flag(const char *key) {
    const json *value = find(key, false);
    if (value && !value->is_boolean()) complain(key, "neither true nor false");
    return value && value->is_boolean() && value->get<bool>();
  }

  const std::string &problem() const { return m_problem; }
  void complain(const char *key, const std::string &what) {
    if (m_problem.empty()) m_problem = m_where + ": '" + key + "' is " + what;
  }

private:
  const json *find(const char *key, bool wanted) {
    if (!m_object.is_object()) return nullptr;
    const auto at = m_object.find(key);
    if (at != m_object.end()) return &*at;
    if (wanted) complain(key, "missing");
    return nullptr;
  }

  const json &m_object;
  std::string m_where, m_problem;
};

Result<report::Promise> promiseFrom(const json &value) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
  Members members(value, "a promise");
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

Result<std::pair<DecisionKey, Mark>> markFrom(const json &value, const Pipeline &pipeline) {
  Members members(value, "a mark");
  const auto kind = decisionKindFromName(members.text("decision"));
  const auto origin = originFromName(members.text("origin"));
  if (!kind) members.complain("decision", "not a known kind of decision");
  if (!origin) members.complain("origin", "not a known origin");
  DecisionKey key;
  if (kind && *kind < DecisionKind::RegisterCap) {
    const std::string name = members.text("func");
    const auto func = std::ranges::find(pipeline.funcs(), name, &Func::name);
    if (func == pipeline.funcs().end())
      members.complain("func", "'" + name + "', which the pipeline does not have");
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
  if (!at->is_array()) return refused(std::string("'") + key + "' is not a list");
  return &*at;
}

Status readSettings(Schedule &schedule, const json &document) {
  Members members(document, "the document");
  Settings settings;
  settings.registerCap =
      static_cast<int>(members.number("register_cap", true, 1, 255).value_or(64));
  if (!members.problem().empty()) return refused(members.problem());
  const auto promises = listMember(document, "promises");
  if (!promises) return promises.error();
  for (const json &one : **promises) {
    auto promise = promiseFrom(one);
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
  for (const json &one : **list) {
    auto mark = markFrom(one, *schedule.pipeline());
    if (!mark) return mark.error();
    marks.insert(std::move(*mark));
  }
  schedule.setMarks(std::move(marks));
  return Done{};
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

Result<Schedule> scheduleFromJson(PipelinePtr pipeline, const json &document) {
  if (document.is_object() && !document.contains("tessera_schedule"))
    return refused("it is not a Tessera schedule: 'tessera_schedule' is missing",
                   "Use a schedule that Tessera wrote to a file that ends in .json.");
  Members members(document, "the document");
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
    return Error{error.code, printable(error.message), printable(error.hint)};
  }
  if (const Status done = readSettings(*schedule, document); !done) return done.error();
  if (const Status done = readMarks(*schedule, document); !done) return done.error();
  return schedule;
}

} // namespace tessera::schedule

// SPDX-License-Identifier: MIT
#include "engine/session/schedule_export.h"

#include "engine/schedule/cpp_text.h"
#include "engine/schedule/lower.h"
#include "engine/schedule/python_text.h"
#include "engine/schedule/schedule_json.h"
#include "engine/schedule/schedule_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tessera::session {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 ExportFacts facts) {
  if (format == "json") return schedule::toJson(schedule).dump(2) + "\n";
  schedule::TextHeader header = schedule::headerOf(schedule);
  header.machine = std::move(facts.machine);
  header.version = std::move(facts.version);
  header.predictedMilliseconds = facts.predictedMilliseconds;
  header.notes = std::move(facts.notes);
  const auto directives = schedule::lower(schedule);
  return format == "py" ? schedule::pythonText(header, directives)
                        : schedule::cppText(header, directives);
}

} // namespace tessera::session

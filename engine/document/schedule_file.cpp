// SPDX-License-Identifier: MIT
#include "engine/document/schedule_file.h"

#include "engine/schedule/directives/lower.h"
#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/python_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"

#include <nlohmann/json.hpp>

namespace tessera::document {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const ScheduleFacts &facts) {
  if (format == "json") return schedule::toJson(schedule).dump(2) + "\n";
  schedule::TextHeader header = schedule::headerOf(schedule);
  header.machine = facts.machine;
  header.version = facts.version;
  header.predictedMilliseconds = facts.predictedMilliseconds;
  header.notes = facts.notes;
  const auto directives = schedule::lower(schedule);
  return format == "py" ? schedule::pythonText(header, directives)
                        : schedule::cppText(header, directives);
}

std::optional<std::string> formatOf(const std::string &path) {
  for (const char *format : {"h", "py", "json"})
    if (path.ends_with(std::string(".") + format)) return format;
  return std::nullopt;
}

} // namespace tessera::document

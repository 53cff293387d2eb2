// SPDX-License-Identifier: MIT
#include "engine/document/schedule_file.h"

#include "engine/schedule/text/cpp_text.h"
#include "engine/schedule/text/python_text.h"
#include "engine/schedule/text/schedule_json.h"
#include "engine/schedule/text/schedule_text.h"

#include <nlohmann/json.hpp>

namespace tessera::document {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const ScheduleFacts &facts) {
  if (format == "json") return schedule::toJson(schedule).dump(2) + "\n";
  schedule::WrittenSchedule written = schedule::writtenForm(schedule);
  written.header.machine = facts.machine;
  written.header.version = facts.version;
  written.header.predictedMilliseconds = facts.predictedMilliseconds;
  written.header.notes = facts.notes;
  return format == "py" ? schedule::pythonText(written) : schedule::cppText(written);
}

std::optional<std::string> formatOf(const std::string &path) {
  for (const char *format : {"h", "py", "json"})
    if (path.ends_with(std::string(".") + format)) return format;
  return std::nullopt;
}

} // namespace tessera::document

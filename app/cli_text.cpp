// SPDX-License-Identifier: MIT
#include "app/cli_text.h"

#include "engine/schedule/cpp_text.h"
#include "engine/schedule/lower.h"
#include "engine/schedule/python_text.h"
#include "engine/schedule/schedule_json.h"
#include "engine/schedule/schedule_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tessera::app {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const machine::Machine &machine,
                                 std::optional<double> predictedMilliseconds,
                                 std::vector<std::string> notes) {
  if (format == "json") return schedule::toJson(schedule).dump(2) + "\n";
  schedule::TextHeader header = schedule::headerOf(schedule);
  header.machine = machine.name;
  header.version = TESSERA_VERSION;
  header.predictedMilliseconds = predictedMilliseconds;
  header.notes = std::move(notes);
  const auto directives = schedule::lower(schedule);
  return format == "py" ? schedule::pythonText(header, directives)
                        : schedule::cppText(header, directives);
}

std::optional<std::string> formatOf(const std::string &path) {
  for (const char *format : {"h", "py", "json"})
    if (path.ends_with(std::string(".") + format)) return format;
  return std::nullopt;
}

} // namespace tessera::app

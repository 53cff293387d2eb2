// SPDX-License-Identifier: MIT
#include "app/cli_text.h"

#include "engine/session/schedule_export.h"

#include <utility>

namespace tessera::app {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const machine::Machine &machine,
                                 std::optional<double> predictedMilliseconds,
                                 std::vector<std::string> notes) {
  return session::scheduleText(
      schedule, format, {machine.name, TESSERA_VERSION, predictedMilliseconds, std::move(notes)});
}

std::optional<std::string> formatOf(const std::string &path) {
  for (const char *format : {"h", "py", "json"})
    if (path.ends_with(std::string(".") + format)) return format;
  return std::nullopt;
}

} // namespace tessera::app

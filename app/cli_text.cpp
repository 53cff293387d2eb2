// SPDX-License-Identifier: MIT
#include "app/cli_text.h"

#include <utility>

namespace tessera::app {

Result<std::string> scheduleText(const schedule::Schedule &schedule, const std::string &format,
                                 const machine::Machine &machine,
                                 std::optional<double> predictedMilliseconds,
                                 std::vector<std::string> notes) {
  return document::scheduleText(
      schedule, format, {machine.name, TESSERA_VERSION, predictedMilliseconds, std::move(notes)});
}

} // namespace tessera::app

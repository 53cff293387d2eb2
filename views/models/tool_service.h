// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session/tool_check.h"
#include "engine/session/tool_survey.h"

#include <functional>
#include <stop_token>
#include <string>

class QSettings;

namespace tessera::views {

// What the user says about where tools are; empty: they are looked for.
struct ToolChoices {
  std::string compiler;   // a path, or a name in the search path
  std::string cudaFolder; // whose bin has ptxas

  friend bool operator==(const ToolChoices &, const ToolChoices &) = default;
};
ToolChoices toolChoices(const QSettings &settings);
void saveToolChoices(const ToolChoices &choices, QSettings &settings);

// As functions, so that a test needs no tools. They block; any thread.
struct ToolService {
  std::function<session::ToolPaths(const ToolChoices &)> find;
  std::function<Result<std::string>(session::Tool, const session::ToolPaths &, std::stop_token)>
      check;
  std::function<session::ToolSurvey(const ToolChoices &)> survey; // starts nothing
};

// The search that main() made, with the user's choices before all else.
session::ToolSearch withChoices(session::ToolSearch search, const ToolChoices &choices);
ToolService toolService(const session::ToolSearch &search);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/tool_survey.h"
#include "engine/open/tool_check.h"

#include <functional>
#include <stop_token>
#include <string>

class QSettings;

namespace tessera::views {

// The user's settings for the paths of tools. Empty ones are searched for.
struct ToolChoices {
  std::string compiler;   // a path, or a name in the search path
  std::string cudaFolder; // its bin folder has ptxas

  friend bool operator==(const ToolChoices &, const ToolChoices &) = default;
};
ToolChoices toolChoices(const QSettings &settings);
void saveToolChoices(const ToolChoices &choices, QSettings &settings);

// The search for tools as functions, so that a test needs no tools. They block and may be called on
// any thread.
struct ToolService {
  std::function<host::ToolPaths(const ToolChoices &)> find;
  std::function<Result<std::string>(open::Tool, const host::ToolPaths &, std::stop_token)> check;
  std::function<host::ToolSurvey(const ToolChoices &)> survey; // starts no tool
};

// The search that main() made, changed so that the user's choices are tried first.
host::ToolSearch withChoices(host::ToolSearch search, const ToolChoices &choices);
ToolService toolService(const host::ToolSearch &search);

} // namespace tessera::views

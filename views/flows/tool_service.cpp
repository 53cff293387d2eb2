// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/tool_service.h"

#include <QSettings>
#include <QString>

#include <utility>

namespace tessera::views {

namespace {
const QString kCompiler = QStringLiteral("tools/compiler"), kCuda = QStringLiteral("tools/cuda");
} // namespace

ToolChoices toolChoices(const QSettings &settings) {
  return {settings.value(kCompiler).toString().toStdString(),
          settings.value(kCuda).toString().toStdString()};
}

void saveToolChoices(const ToolChoices &choices, QSettings &settings) {
  settings.setValue(kCompiler, QString::fromStdString(choices.compiler));
  settings.setValue(kCuda, QString::fromStdString(choices.cudaFolder));
}

host::ToolSearch withChoices(host::ToolSearch search, const ToolChoices &choices) {
  if (!choices.compiler.empty()) search.compiler = choices.compiler;
  search.cudaFolder = choices.cudaFolder;
  return search;
}

ToolService toolService(const host::ToolSearch &search) {
  ToolService service;
  service.find = [search](const ToolChoices &choices) {
    return host::findTools(withChoices(search, choices));
  };
  service.survey = [search](const ToolChoices &choices) {
    return host::surveyTools(host::findTools(withChoices(search, choices)));
  };
  service.check = [](open::Tool tool, const host::ToolPaths &tools, std::stop_token stop) {
    return open::checkTool(tool, tools, std::move(stop));
  };
  return service;
}

} // namespace tessera::views

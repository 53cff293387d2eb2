// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/tool_service.h"

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

session::ToolSearch withChoices(session::ToolSearch search, const ToolChoices &choices) {
  if (!choices.compiler.empty()) search.compiler = choices.compiler;
  search.cudaFolder = choices.cudaFolder;
  return search;
}

ToolService toolService(const session::ToolSearch &search) {
  ToolService service;
  service.find = [search](const ToolChoices &choices) {
    return session::findTools(withChoices(search, choices));
  };
  service.survey = [search](const ToolChoices &choices) {
    return session::surveyTools(session::findTools(withChoices(search, choices)));
  };
  service.check = [](session::Tool tool, const session::ToolPaths &tools, std::stop_token stop) {
    return session::checkTool(tool, tools, std::move(stop));
  };
  return service;
}

} // namespace tessera::views

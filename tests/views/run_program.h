// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/child_process.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <chrono>
#include <string>

namespace tessera::views::test {

struct RanProgram {
  int exitCode = -1; // -1: it was not started, was killed, or did not end in time
  QByteArray output, errors;
};

// Runs another program to its end, without what the user of this machine keeps: what was measured
// of a GPU changes numbers. Not by QProcess: ThreadSanitizer does not survive the clone() by which
// Qt starts programs.
inline RanProgram runProgram(const QString &program, const QStringList &arguments,
                             const QString &home = {}) {
  static const QTemporaryDir empty;
  const std::string folder = (home.isEmpty() ? empty.path() : home).toStdString();
  job::ProcessOptions options;
  options.program = program.toStdString();
  for (const QString &argument : arguments)
    options.arguments.push_back(argument.toStdString());
  for (const char *name : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    options.environment.emplace_back(name, folder);
  const auto report = job::runProcess(options, std::chrono::minutes(2));
  if (!report) return {-1, {}, QByteArray::fromStdString(report.error().message)};
  return {report->end.signalled || report->timedOut ? -1 : report->end.value,
          QByteArray::fromStdString(report->output), QByteArray::fromStdString(report->errors)};
}

} // namespace tessera::views::test

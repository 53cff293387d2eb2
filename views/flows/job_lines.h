// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/record/record.h"

#include <QString>

#include <chrono>
#include <optional>

namespace tessera::views {

// Writes the jobs of a Bridge into the log on disk: when a job began, how long it took and how it
// ended. Jobs that the status bar does not show, such as the prediction after each edit, are logged
// only if they fail. May be used on any thread.
class JobLines {
public:
  explicit JobLines(record::Record record = {}) : m_record(std::move(record)) {}

  void began(const QString &tag, bool isShown) const;
  void ended(const QString &tag, bool isShown, std::chrono::milliseconds took,
             std::optional<ErrorCode> failed) const;

private:
  record::Record m_record;
};

// A fixed word for the job. The tag itself may contain a name given by the user, as in "gpu of
// HOST".
record::Word jobWord(const QString &tag);

} // namespace tessera::views

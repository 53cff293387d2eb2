// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/record/record.h"

#include <QString>

#include <chrono>
#include <optional>

namespace tessera::views {

// What the log on disk says of the jobs of a Bridge: that one began, how long it took and how it
// ended. Jobs that the status bar does not show, as the prediction after each edit, stand in it
// only where they fail. Any thread.
class JobLines {
public:
  explicit JobLines(record::Record record = {}) : m_record(std::move(record)) {}

  void began(const QString &tag, bool isShown) const;
  void ended(const QString &tag, bool isShown, std::chrono::milliseconds took,
             std::optional<ErrorCode> failed) const;

private:
  record::Record m_record;
};

// The job by a word of ours: a tag may have a name of the user's behind it, as "gpu of HOST" has.
record::Word jobWord(const QString &tag);

} // namespace tessera::views

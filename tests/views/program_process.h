// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/job/sanitized.h"

#include <QProcess>

namespace tessera::views::test {

// Another program. Under a sanitizer it is forked in the plain way, for which Qt needs a reason:
// ThreadSanitizer does not survive the clone() that Qt prefers.
class ProgramProcess : public QProcess {
public:
  ProgramProcess() {
    if constexpr (job::kSanitized) setChildProcessModifier([] {});
  }
};

} // namespace tessera::views::test

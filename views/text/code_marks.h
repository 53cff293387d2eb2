// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/report/compile_report.h"
#include "views/text/code_tokens.h"
#include "views/text/subject.h"

#include <QString>

#include <vector>

namespace tessera::views {

// Lines of a text, from 0, that say how stages are computed, or compute them.
struct LineMark {
  int first = 0, last = 0;
  std::vector<Subject> subjects; // of the pipeline that is open; empty: derived stages only

  friend bool operator==(const LineMark &, const LineMark &) = default;
};

// Of an exported schedule: the statement, or the object, of each directive. In order.
std::vector<LineMark> marksOfSchedule(CodeKind kind, const QString &text,
                                      const pipeline::Pipeline &pipeline);
// Of compiled code: each line of the loops has a stage, each kernel of the device code has some.
std::vector<LineMark> marksOfCompiled(CodeKind kind, const report::CompileReport &report,
                                      const pipeline::Pipeline &pipeline);

// The mark that a line is in; null: none.
const LineMark *markAt(const std::vector<LineMark> &marks, int line);

} // namespace tessera::views

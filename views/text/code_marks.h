// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/code_tokens.h"
#include "views/text/subject.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/compile_report.h"

#include <QString>

#include <vector>

namespace tessera::views {

// Lines of a text, counted from 0, that schedule or compute certain stages.
struct LineMark {
  int first = 0, last = 0;
  std::vector<Subject> subjects; // in the open pipeline; empty: only stages that the schedule adds

  friend bool operator==(const LineMark &, const LineMark &) = default;
};

// The marks of an exported schedule, in order: each statement or object of a directive is one mark.
std::vector<LineMark> marksOfSchedule(CodeKind kind, const QString &text,
                                      const pipeline::Pipeline &pipeline);
// The marks of compiled code: in the loops each line belongs to one stage; in device code each
// kernel has one or more stages.
std::vector<LineMark> marksOfCompiled(CodeKind kind, const report::CompileReport &report,
                                      const pipeline::Pipeline &pipeline);

// The mark that contains a line; null: none.
const LineMark *markAt(const std::vector<LineMark> &marks, int line);

} // namespace tessera::views

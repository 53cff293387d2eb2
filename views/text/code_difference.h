// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/text/code_marks.h"
#include "views/text/text_difference.h"
#include "engine/report/compile_report.h"

namespace tessera::views {

// Prepares a compiled text for comparison. After a change, compilers renumber all later registers,
// labels, temporaries and kernels, and addresses move as well; the comparison ignores all of these.
// Each kernel is compared with the kernel of the same name, which is its stage's name.
ComparedText comparedText(CodeKind kind, const QString &text, const report::CompileReport &report);

// Moves marks from lines of the current text to lines of the difference.
std::vector<LineMark> marksIn(const TextDifference &difference, std::vector<LineMark> marks);

} // namespace tessera::views

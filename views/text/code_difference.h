// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/compile_report.h"
#include "views/text/code_marks.h"
#include "views/text/text_difference.h"

namespace tessera::views {

// A compiled text ready to be compared. Compilers number registers, labels, temporaries and kernels
// anew with each change before them, and say where each instruction is: none of that counts, and a
// kernel is compared with that of the same name, which is its stage's.
ComparedText comparedText(CodeKind kind, const QString &text, const report::CompileReport &report);

// Where lines of the text now are in a difference.
std::vector<LineMark> marksIn(const TextDifference &difference, std::vector<LineMark> marks);

} // namespace tessera::views

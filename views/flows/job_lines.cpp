// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/flows/job_lines.h"

#include "engine/record/words.h"

namespace tessera::views {

using record::Level;
using record::Word;

namespace {

constexpr Word kTags[] = {"candidatePredictions",
                          "carry",
                          "choices",
                          "code text",
                          "compile",
                          "compile compared",
                          "default",
                          "document",
                          "document files",
                          "draw output",
                          "export",
                          "export roofline",
                          "hulls",
                          "import",
                          "input",
                          "journal",
                          "layout.graphviz",
                          "layout.plain",
                          "log",
                          "machine facts",
                          "machine file",
                          "machines",
                          "measure",
                          "moves",
                          "open",
                          "others",
                          "pinnedSchedules",
                          "predict",
                          "read output",
                          "recoverable",
                          "save",
                          "save output",
                          "schedule",
                          "survey",
                          "tools",
                          "verify",
                          "warmUp",
                          "what if"};

} // namespace

Word jobWord(const QString &tag) {
  if (tag.startsWith(QLatin1String("gpu of "))) return "gpu of";
  if (tag.startsWith(QLatin1String("test "))) return "test";
  return record::oneOf(tag.toStdString(), kTags);
}

void JobLines::began(const QString &tag, bool isShown) const {
  if (m_record && isShown) m_record.write(Level::Info, "job began", {{"job", jobWord(tag)}});
}

void JobLines::ended(const QString &tag, bool isShown, std::chrono::milliseconds took,
                     std::optional<ErrorCode> failed) const {
  const bool isFine = !failed || *failed == ErrorCode::Cancelled;
  if (!m_record || (isFine && !isShown)) return;
  m_record.write(isFine ? Level::Info : Level::Warning, "job ended",
                 {{"job", jobWord(tag)},
                  {"outcome", failed ? record::wordOf(*failed) : Word("ok")},
                  {"ms", took.count()}});
}

} // namespace tessera::views

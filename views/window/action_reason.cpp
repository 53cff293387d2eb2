// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/action_reason.h"

#include "views/flows/schedule_flow.h"

#include <QAction>
#include <QCoreApplication>
#include <QVariant>

namespace tessera::views {

namespace {
const char *const kWhyNot = "whyNot";

struct ReasonWords {
  Q_DECLARE_TR_FUNCTIONS(ActionReason)
};
} // namespace

void enable(QAction &action, const QString &whyNot) {
  action.setEnabled(whyNot.isEmpty());
  action.setProperty(kWhyNot, whyNot);
}

QString whyNot(const QAction &action) {
  if (action.isEnabled()) return {};
  const QString said = action.property(kWhyNot).toString();
  if (said.isEmpty() && !action.statusTip().isEmpty()) return action.statusTip();
  return said.isEmpty() ? ReasonWords::tr("Not now") : said;
}

void explain(QAction &action, const QString &whyNot, const QString &meaning) {
  enable(action, whyNot);
  const QString keys = action.shortcut().toString(QKeySequence::NativeText);
  action.setToolTip(whyNot.isEmpty() && !keys.isEmpty()
                        ? QStringLiteral("%1 (%2)").arg(meaning, keys)
                    : whyNot.isEmpty() ? meaning
                                       : whyNot);
  action.setStatusTip(whyNot.isEmpty() ? meaning : whyNot);
}

QString whyNoSchedule(const ScheduleFlow &schedule) {
  if (schedule.isRunning()) return ReasonWords::tr("A search is running");
  return schedule.shown() ? QString() : ReasonWords::tr("There is no schedule yet");
}

QString plainText(const QAction &action) {
  return action.text().section('\t', 0, 0).remove('&').remove(QChar(0x2026));
}

} // namespace tessera::views

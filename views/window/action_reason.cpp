// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/action_reason.h"

#include <QAction>
#include <QCoreApplication>
#include <QVariant>

namespace tessera::views {

namespace {
const char *const kWhyNot = "whyNot";
} // namespace

void enable(QAction &action, const QString &whyNot) {
  action.setEnabled(whyNot.isEmpty());
  action.setProperty(kWhyNot, whyNot);
}

QString whyNot(const QAction &action) {
  if (action.isEnabled()) return {};
  const QString said = action.property(kWhyNot).toString();
  if (said.isEmpty() && !action.statusTip().isEmpty()) return action.statusTip();
  return said.isEmpty() ? QCoreApplication::translate("ActionReason", "Not now") : said;
}

QString plainText(const QAction &action) {
  return action.text().section('\t', 0, 0).remove('&').remove(QChar(0x2026));
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;

namespace tessera::views {

class ScheduleFlow;

// Enables the action if `whyNot` is empty. Otherwise disables it; the palette shows `whyNot`.
void enable(QAction &action, const QString &whyNot = {});
// The reason why the action is disabled; empty: it is enabled.
QString whyNot(const QAction &action);

// Enables or disables the action. Its tooltip and the status bar say what it does or why it is
// disabled.
void explain(QAction &action, const QString &whyNot, const QString &meaning);
// Why no command can use the shown schedule; empty: commands can use it.
QString whyNoSchedule(const ScheduleFlow &schedule);

// The action's text without its mnemonic, shortcut and dots.
QString plainText(const QAction &action);

} // namespace tessera::views

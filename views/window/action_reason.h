// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;

namespace tessera::views {

class ScheduleFlow;

// An action is enabled where nothing speaks against it; else the palette says what does.
void enable(QAction &action, const QString &whyNot = {});
// Empty: it is enabled.
QString whyNot(const QAction &action);

// Enabled or not, it says what it does or why it cannot, to whoever points at it and in the status
// bar.
void explain(QAction &action, const QString &whyNot, const QString &meaning);
// Why nothing can be done with the schedule that is shown; empty: it can.
QString whyNoSchedule(const ScheduleFlow &schedule);

// Its text without mnemonic, keys and dots.
QString plainText(const QAction &action);

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;

namespace tessera::views {

// An action is enabled where nothing speaks against it; else the palette says what does.
void enable(QAction &action, const QString &whyNot = {});
// Empty: it is enabled.
QString whyNot(const QAction &action);

// Its text without mnemonic, keys and dots.
QString plainText(const QAction &action);

} // namespace tessera::views

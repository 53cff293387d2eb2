// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>

namespace tessera::views {

// Labels and buttons of a page, each with an object name for tests and an accessible name.
inline QLabel *pageLabel(QWidget *page, const QString &name, const QString &meaning) {
  auto *made = new QLabel(page);
  made->setObjectName(name);
  made->setAccessibleName(meaning);
  made->setWordWrap(true);
  return made;
}

inline QPushButton *pageButton(QWidget *page, const QString &text, const QString &name,
                               const QString &toolTip = {}) {
  auto *made = new QPushButton(text, page);
  made->setObjectName(name);
  made->setAccessibleName(QString(text).remove('&').remove(QChar(0x2026)));
  made->setToolTip(toolTip);
  return made;
}

} // namespace tessera::views

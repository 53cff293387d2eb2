// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace tessera::views {

// Text of a page, by the name that tests find it by and the one that is read aloud.
inline QLabel *pageLabel(QWidget *page, const QString &name, const QString &meaning) {
  auto *made = new QLabel(page);
  made->setObjectName(name);
  made->setAccessibleName(meaning);
  made->setWordWrap(true);
  return made;
}

} // namespace tessera::views

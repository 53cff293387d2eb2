// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/recent_menu.h"

#include "views/settings/recent_files.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

namespace tessera::views {

RecentMenu::RecentMenu(RecentFiles &files, QWidget *parent)
    : QMenu(tr("Open &Recent"), parent), m_files(files) {
  setObjectName(QStringLiteral("recentMenu"));
  setToolTipsVisible(true);
  connect(&m_files, &RecentFiles::changed, this, &RecentMenu::fill);
  fill();
}

void RecentMenu::fill() {
  clear();
  for (const QString &path : m_files.paths()) {
    QAction *action = addAction(QFileInfo(path).fileName());
    action->setToolTip(QDir::toNativeSeparators(path));
    connect(action, &QAction::triggered, this, [this, path] { emit fileWanted(path); });
  }
  setEnabled(!m_files.paths().isEmpty());
  if (m_files.paths().isEmpty()) return;
  addSeparator();
  connect(addAction(tr("&Clear")), &QAction::triggered, &m_files, &RecentFiles::clear);
}

} // namespace tessera::views

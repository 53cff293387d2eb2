// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace tessera::views {

class RecentFiles;

// File › Open Recent.
class RecentMenu : public QMenu {
  Q_OBJECT
public:
  RecentMenu(RecentFiles &files, QWidget *parent);

signals:
  void fileWanted(const QString &path);

private:
  void fill();

  RecentFiles &m_files;
};

} // namespace tessera::views

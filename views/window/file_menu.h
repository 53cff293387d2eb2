// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace tessera::views {

class FileDialogs;
class WindowActions;
class Workspace;

// The File menu.
class FileMenu : public QObject {
  Q_OBJECT
public:
  FileMenu(QMenu &menu, WindowActions &actions, Workspace &workspace, FileDialogs &files);

signals:
  void quitWanted();

private:
  void addOpening(QMenu &menu);
  void addDocument(QMenu &menu);
  void addPipeline(QMenu &menu);
  void addPictures(QMenu &menu);
  void update();

  WindowActions &m_actions;
  Workspace &m_workspace;
  FileDialogs &m_files;
  QAction *m_exportSchedule = nullptr;
  QAction *m_build = nullptr;
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

class QFileDialog;
class QMainWindow;

namespace tessera::open {
struct OpenRequest;
}

namespace tessera::views {

class DagPanel;
class Workspace;

// What the window asks about files: which one to open, where to save and to export, and what is to
// become of unsaved work. Each question is a dialog that leaves the window alive.
class FileDialogs : public QObject {
  Q_OBJECT
public:
  FileDialogs(QMainWindow &window, Workspace &workspace, DagPanel &dag);

  // These ask about unsaved work first, where it would be lost.
  void open(const QString &path);
  void open(const open::OpenRequest &request);
  void close();
  void whenSaved(std::function<void()> then);

  void askForFile();
  // `then` is called once the document is saved, and not where it cannot be.
  void save(std::function<void()> then = {});
  void askWhereToSave(std::function<void()> then = {});
  void askWhereToExport(); // the schedule
  void exportDag(const QString &suffix);

signals:
  void exported(const QString &path); // a picture of the DAG
  void failed(const QString &why);

private:
  QFileDialog *dialog(const QString &title);
  // Proposes the name of the pipeline with that suffix.
  QFileDialog *saveDialog(const QString &title, const QString &suffix, const QStringList &filters);

  QMainWindow &m_window;
  Workspace &m_workspace;
  DagPanel &m_dag;
  QString m_lastDirectory;
};

} // namespace tessera::views

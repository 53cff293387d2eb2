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

// The window's dialogs about files: which one to open, where to save and to export, and what to do
// with unsaved work. None of them blocks the window.
class FileDialogs : public QObject {
  Q_OBJECT
public:
  // `sampleFolder` is where the program's own samples are.
  FileDialogs(QMainWindow &window, Workspace &workspace, DagPanel &dag,
              const QString &sampleFolder);

  // These functions ask about unsaved work first if it would be lost.
  void open(const QString &path);
  void open(const open::OpenRequest &request);
  void close();
  void whenSaved(std::function<void()> then);

  void askForFile();
  // `then` is called after the document was saved. It is not called if saving fails or is
  // cancelled.
  void save(std::function<void()> then = {});
  void askWhereToSave(std::function<void()> then = {});
  void askWhereToExport(); // exports the schedule
  void exportDag(const QString &suffix);

signals:
  void exported(const QString &path); // a picture of the DAG was written
  void failed(const QString &why);

private:
  void chooseFolder(); // chooses where the dialogs that save begin
  void rememberFolder(const QString &path);
  // A dialog that proposes the pipeline's name with `suffix` as the file name.
  QFileDialog *saveDialog(const QString &title, const QString &suffix, const QStringList &filters);

  QMainWindow &m_window;
  Workspace &m_workspace;
  DagPanel &m_dag;
  QString m_sampleFolder;
  QString m_folderOf; // the file beside which the dialogs begin
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/file_dialogs.h"

#include "views/window/window_settings.h"
#include "views/dag/dag_exporter.h"
#include "views/dag/dag_panel.h"
#include "views/text/error_text.h"
#include "views/workspace/workspace.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>

#include <utility>

namespace tessera::views {

FileDialogs::FileDialogs(QMainWindow &window, Workspace &workspace, DagPanel &dag)
    : QObject(&window), m_window(window), m_workspace(workspace), m_dag(dag) {}

void FileDialogs::open(const QString &path) {
  if (path.endsWith(QLatin1String(document::kDocumentEnding.data())))
    return whenSaved([this, path] {
      m_lastDirectory = QFileInfo(path).path();
      m_workspace.open(path);
    });
  open::OpenRequest request;
  request.path = QFileInfo(path).absoluteFilePath().toStdString();
  open(request);
}

void FileDialogs::open(const open::OpenRequest &request) {
  const auto open = [this, request] {
    m_lastDirectory = QFileInfo(QString::fromStdString(request.path)).path();
    m_workspace.opening().open(request);
  };
  m_workspace.documents().isCarriedTo(request) ? open() : whenSaved(open);
}

void FileDialogs::close() {
  whenSaved([this] { m_workspace.opening().close(); });
}

void FileDialogs::whenSaved(std::function<void()> then) {
  if (!m_workspace.documents().hasWork()) return then();
  auto *box =
      new QMessageBox(QMessageBox::Question, tr("Unsaved Work"),
                      tr("Save the changes to %1?")
                          .arg(m_window.windowTitle().section(QStringLiteral("[*]"), 0, 0)),
                      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
  box->setObjectName(QStringLiteral("unsaved"));
  box->setInformativeText(tr("Otherwise your decisions and notes are lost."));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then](int answer) {
    if (answer == QMessageBox::Save) save(then);
    if (answer == QMessageBox::Discard) then();
  });
  box->open();
}

QFileDialog *FileDialogs::dialog(const QString &title) {
  auto *made = new QFileDialog(&m_window, title, m_lastDirectory);
  made->setAttribute(Qt::WA_DeleteOnClose);
  return made;
}

QFileDialog *FileDialogs::saveDialog(const QString &title, const QString &suffix,
                                     const QStringList &filters) {
  QFileDialog *made = dialog(title);
  made->setAcceptMode(QFileDialog::AcceptSave);
  made->setDefaultSuffix(suffix);
  made->setNameFilters(filters);
  const pipeline::Pipeline &pipeline = *m_workspace.opening().document()->opened.pipeline;
  made->selectFile(QString::fromStdString(pipeline.name()) + '.' + suffix);
  return made;
}

void FileDialogs::askForFile() {
  QFileDialog *made = dialog(tr("Open a Pipeline"));
  made->setFileMode(QFileDialog::ExistingFile);
  // Generator programs have no suffix, so the first filter cannot be exclusive.
  made->setNameFilters({tr("Pipelines, generators and documents (*)"), tr("Documents (*.tessera)"),
                        tr("Serialized pipelines (*.hlpipe)"), tr("Generator libraries (*.so)"),
                        tr("Generator sources (*.cpp *.cc *.cxx)")});
  connect(made, &QFileDialog::fileSelected, this, qOverload<const QString &>(&FileDialogs::open));
  made->open();
}

void FileDialogs::save(std::function<void()> then) {
  DocumentFlow &documents = m_workspace.documents();
  if (documents.path().isEmpty()) return askWhereToSave(std::move(then));
  documents.save(documents.path(), layoutOf(m_window), std::move(then));
}

void FileDialogs::askWhereToSave(std::function<void()> then) {
  QFileDialog *made =
      saveDialog(tr("Save the Document"), QStringLiteral("tessera"), {tr("Documents (*.tessera)")});
  made->setObjectName(QStringLiteral("saveDialog"));
  connect(made, &QFileDialog::fileSelected, this, [this, then](const QString &path) {
    m_workspace.documents().save(path, layoutOf(m_window), then);
  });
  made->open();
}

void FileDialogs::askWhereToExport() {
  QFileDialog *made = saveDialog(
      tr("Export the Schedule"), QStringLiteral("schedule.h"),
      {tr("C++ headers (*.schedule.h)"), tr("Python (*.py)"), tr("JSON for Tessera (*.json)")});
  made->setObjectName(QStringLiteral("exportDialog"));
  connect(made, &QFileDialog::fileSelected, &m_workspace.documents(),
          &DocumentFlow::exportSchedule);
  made->open();
}

void FileDialogs::exportDag(const QString &suffix) {
  QFileDialog *made = saveDialog(tr("Export the DAG"), suffix,
                                 {tr("%1 pictures (*.%2)").arg(suffix.toUpper(), suffix)});
  connect(made, &QFileDialog::fileSelected, this, [this](const QString &path) {
    const Status done = views::exportDag(m_dag.scene(), path);
    if (done) return emit exported(path);
    emit failed(errorText(done.error()));
  });
  made->open();
}

} // namespace tessera::views

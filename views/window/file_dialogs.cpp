// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/file_dialogs.h"

#include "views/window/window_settings.h"
#include "views/dag/dag_exporter.h"
#include "views/dag/dag_panel.h"
#include "views/text/error_text.h"
#include "views/theme/file_folder.h"
#include "views/workspace/workspace.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QSettings>

#include <utility>

namespace tessera::views {

namespace {
const QString kOpenedIn = QStringLiteral("files/openedIn");
} // namespace

FileDialogs::FileDialogs(QMainWindow &window, Workspace &workspace, DagPanel &dag,
                         const QString &sampleFolder)
    : QObject(&window), m_window(window), m_workspace(workspace), m_dag(dag),
      m_sampleFolder(sampleFolder) {
  connect(&workspace.documents(), &DocumentFlow::changed, this, &FileDialogs::chooseFolder);
  setFileFolder(m_window, QDir::homePath());
}

// Files are saved beside the document or beside the pipeline. A sample is part of the program, so
// nothing is saved beside it.
void FileDialogs::chooseFolder() {
  const auto &opened = m_workspace.opening().document();
  const QString path = !m_workspace.documents().path().isEmpty() ? m_workspace.documents().path()
                       : opened ? QString::fromStdString(opened->request.path)
                                : QString();
  if (std::exchange(m_folderOf, path) == path) return; // the user may have chosen another folder
  const QFileInfo folder(QFileInfo(path).path());
  const bool isGood = !path.isEmpty() && folder.isDir() && folder.isWritable() &&
                      folder.canonicalFilePath() != QFileInfo(m_sampleFolder).canonicalFilePath();
  setFileFolder(m_window, isGood ? folder.filePath() : QDir::homePath());
}

void FileDialogs::open(const QString &path) {
  if (path.endsWith(QLatin1String(document::kDocumentEnding.data())))
    return whenSaved([this, path] {
      rememberFolder(path);
      m_workspace.open(path);
    });
  open::OpenRequest request;
  request.path = QFileInfo(path).absoluteFilePath().toStdString();
  open(request);
}

void FileDialogs::open(const open::OpenRequest &request) {
  const auto open = [this, request] {
    rememberFolder(QString::fromStdString(request.path));
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
  box->setInformativeText(tr("Otherwise the schedule, your decisions and your notes are lost."));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then](int answer) {
    if (answer == QMessageBox::Save) save(then);
    if (answer == QMessageBox::Discard) then();
  });
  box->open();
}

void FileDialogs::rememberFolder(const QString &path) {
  m_workspace.settings().setValue(kOpenedIn, QFileInfo(path).absolutePath());
}

QFileDialog *FileDialogs::saveDialog(const QString &title, const QString &suffix,
                                     const QStringList &filters) {
  const pipeline::Pipeline &pipeline = *m_workspace.opening().document()->opened.pipeline;
  QFileDialog *made =
      views::saveDialog(m_window, title, QString::fromStdString(pipeline.name()) + '.' + suffix);
  made->setDefaultSuffix(suffix);
  made->setNameFilters(filters);
  return made;
}

void FileDialogs::askForFile() {
  const QString folder = m_workspace.settings().value(kOpenedIn).toString();
  QFileDialog *made = openDialog(m_window, tr("Open a Pipeline"),
                                 QFileInfo(folder).isDir() ? folder : QDir::homePath());
  made->setObjectName(QStringLiteral("openDialog"));
  made->setNameFilters({tr("Pipelines, generators and documents (%1)")
                            .arg(QStringLiteral("*.hlpipe *.tessera *.so *.cpp *.cc *.cxx")),
                        tr("Documents (*.tessera)"), tr("Serialized pipelines (*.hlpipe)"),
                        tr("Generator libraries (*.so)"),
                        tr("Generator sources (*.cpp *.cc *.cxx)"),
                        // Programs have no common suffix, so this filter accepts all files.
                        tr("Generator programs and all other files (*)")});
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The document in MainWindow: its file, undo and redo, what is unsaved, what can be recovered.
#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_editor.h"
#include "views/decisions/decision_panel.h"
#include "views/window/action_reason.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"
#include "views/window/window_settings.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include <chrono>

namespace tessera::views {

namespace {

const QString kSuffix = QStringLiteral("tessera");

void setCurrent(QComboBox &box, const std::string &text) {
  if (const int index = box.findText(QString::fromStdString(text)); index >= 0)
    box.setCurrentIndex(index);
}

} // namespace

void MainWindow::addDocumentActions(QMenu &menu) {
  m_save = addAction(menu, tr("&Save"), QStringLiteral("save"), {QKeySequence::Save},
                     [this] { save(); });
  m_documentActions << m_save
                    << addAction(menu, tr("Save &As…"), {},
                                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                                 [this] { askWhereToSave(); });
  m_exportSchedule =
      addAction(menu, tr("Export Sc&hedule…"), QStringLiteral("export"),
                {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] { askWhereToExport(); });
  m_exportSchedule->setObjectName(QStringLiteral("exportSchedule")); // charts have such too
}

void MainWindow::buildEditMenu() {
  QMenu &menu = *menuBar()->addMenu(tr("&Edit"));
  m_undo = addAction(menu, tr("&Undo"), QStringLiteral("undo"), {QKeySequence::Undo},
                     [this] { m_documents.undo(); });
  m_redo = addAction(
      menu, tr("&Redo"), QStringLiteral("redo"),
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
      [this] { m_documents.redo(); });
  menu.addSeparator();
  m_change = addAction(menu, tr("&Change the Stage…"), {}, {QKeySequence(Qt::CTRL | Qt::Key_D)},
                       [this] { m_dag->askForChoices(); });
  m_freeze =
      addAction(menu, tr("&Freeze or Unfreeze the Stage"), {}, {QKeySequence(Qt::CTRL | Qt::Key_L)},
                [this] { m_decisions->freezeStage(m_selection.active()); });
}

void MainWindow::connectDocument() {
  connect(&m_documents, &DocumentFlow::changed, this, &MainWindow::updateDocumentActions);
  connect(&m_documents, &DocumentFlow::currentChanged, this, &MainWindow::updateSearchActions);
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &MainWindow::updateDocumentActions);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &MainWindow::updateDocumentActions);
  connect(&m_documents, &DocumentFlow::told, this, [this](const QString &note) {
    if (m_flow.document())
      m_note->tell(note);
    else
      m_recovery->tell(note); // over the start page
  });
  connect(&m_documents, &DocumentFlow::importFailed, this,
          [this](const QString &word, const QString &why) {
            m_note->offerRetry(why, [this, word] { m_documents.importSchedule(word); });
          });
  connect(&m_documents, &DocumentFlow::foundNothingElse, this, [this] {
    statusBar()->showMessage(tr("The search found nothing faster than what is shown"), 8000);
  });
  connect(&m_documents, &DocumentFlow::saved, this, [this](const QString &path) {
    m_recent.add(path);
    statusBar()->showMessage(tr("Saved %1").arg(QFileInfo(path).fileName()), 4000);
  });
  connect(&m_documents, &DocumentFlow::exported, this, [this](const QString &path) {
    statusBar()->showMessage(tr("Exported to %1").arg(QDir::toNativeSeparators(path)), 6000);
  });
  connect(&m_documents, &DocumentFlow::layoutRead, this, [this](const QByteArray &layout) {
    const document::Document::Parts &parts = m_documents.document().parts();
    setCurrent(*m_machine, parts.machine);
    setCurrent(*m_algorithm, parts.algorithm);
    // Once the docks of the start page are back.
    QTimer::singleShot(0, this, [this, layout] {
      restoreLayout(*this, layout);
      if (m_documents.lost().isEmpty()) return;
      m_note->tell(tr("The document is damaged, and these parts of it are lost: %1. The file stays "
                      "as it is; save what is left under another name.")
                       .arg(m_documents.lost().join(QStringLiteral(", "))));
    });
  });
  connect(&m_documents, &DocumentFlow::recoverableFound, this, &MainWindow::offerRecovery);
  connect(m_recovery, &NoteBar::accepted, this, [this] {
    if (!m_documents.recoverable().empty())
      whenSaved([this] { m_documents.recover(m_documents.recoverable().front()); });
  });
  connect(m_recovery, &NoteBar::acceptedForGood, this, [this] {
    if (!m_documents.recoverable().empty()) m_documents.forget(m_documents.recoverable().front());
    m_documents.lookForRecoverable(); // there may be more
  });
  connect(m_decisions, &DecisionPanel::told, m_note, &NoteBar::tell);
  connect(m_candidates, &CandidatePanel::comparisonWanted, this, [this](std::uint64_t candidate) {
    m_decisions->compareWith(candidate);
    auto *dock = qobject_cast<QDockWidget *>(m_decisions->parentWidget());
    dock->show();
    dock->raise();
  });
  connect(m_decisions, &DecisionPanel::searchWanted, m_startSearch, &QAction::trigger);
  const auto choose = [this](Subject subject, QRect where) {
    if (m_schedule.shown()) m_decisions->chooseFor(subject, where);
  };
  connect(m_dag, &DagPanel::choicesWanted, this, choose);
  connect(m_dagEditor, &DagEditor::choicesWanted, this, choose);
  connect(m_dagEditor, &DagEditor::freezeWanted, m_decisions, &DecisionPanel::freezeStage);
  connect(m_dagEditor, &DagEditor::told, this,
          [this](const QString &note) { statusBar()->showMessage(note, 8000); });
  updateDocumentActions();
}

void MainWindow::updateDocumentActions() {
  const QString undo = m_documents.undoName(), redo = m_documents.redoName();
  enable(*m_undo, undo.isEmpty() ? tr("Nothing was done yet") : QString());
  enable(*m_redo, redo.isEmpty() ? tr("Nothing was undone") : QString());
  m_undo->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(undo));
  m_redo->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(redo));
  const QString noSchedule = m_schedule.isRunning() ? tr("A search is running")
                             : !m_schedule.shown()  ? tr("There is no schedule yet")
                                                    : QString();
  for (QAction *action : {m_change, m_freeze, m_exportSchedule})
    enable(*action, noSchedule);
  updateTitle();
}

void MainWindow::updateTitle() {
  const auto &document = m_flow.document();
  QString title = QStringLiteral("Tessera");
  if (document && !m_documents.path().isEmpty()) {
    title = tr("%1[*] — Tessera").arg(QFileInfo(m_documents.path()).fileName());
  } else if (document) {
    const QString name = QString::fromStdString(document->opened.pipeline->name());
    const std::string &size = document->request.size;
    title = size.empty() || size == open::kOwnSize
                ? tr("%1[*] — Tessera").arg(name)
                : tr("%1, %2[*] — Tessera").arg(name, QString::fromStdString(size));
  }
  setWindowTitle(title);
  setWindowModified(document && m_documents.isModified());
}

// Another document, or none, is to be open. Asks what is to become of work that would be lost.
void MainWindow::whenSaved(std::function<void()> then) {
  if (!m_documents.hasWork()) return then();
  auto *box = new QMessageBox(
      QMessageBox::Question, tr("Unsaved Work"),
      tr("Save the changes to %1?").arg(windowTitle().section(QStringLiteral("[*]"), 0, 0)),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("unsaved"));
  box->setInformativeText(tr("Your decisions and notes are lost otherwise."));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then](int answer) {
    if (answer == QMessageBox::Save) save(then);
    if (answer == QMessageBox::Discard) then();
  });
  box->open();
}

void MainWindow::save(std::function<void()> then) {
  if (m_documents.path().isEmpty()) return askWhereToSave(std::move(then));
  m_documents.save(m_documents.path(), layoutOf(*this), std::move(then));
}

void MainWindow::askWhereToSave(std::function<void()> then) {
  auto *dialog = new QFileDialog(this, tr("Save the Document"), m_lastDirectory);
  dialog->setObjectName(QStringLiteral("saveDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(kSuffix);
  dialog->setNameFilter(tr("Documents (*.tessera)"));
  dialog->selectFile(QString::fromStdString(m_flow.document()->opened.pipeline->name()) + "." +
                     kSuffix);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, then](const QString &path) { m_documents.save(path, layoutOf(*this), then); });
  dialog->open();
}

void MainWindow::askWhereToExport() {
  auto *dialog = new QFileDialog(this, tr("Export the Schedule"), m_lastDirectory);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("schedule.h"));
  dialog->setNameFilters({tr("C++ headers (*.schedule.h)"), tr("Python (*.py)"),
                          tr("JSON, to be read back (*.json)")});
  dialog->selectFile(QString::fromStdString(m_flow.document()->opened.pipeline->name()) +
                     QStringLiteral(".schedule.h"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString &path) { m_documents.exportSchedule(path); });
  dialog->open();
}

void MainWindow::offerRecovery() {
  const document::Recoverable &found = m_documents.recoverable().front();
  const QString name = found.path.empty()
                           ? QString::fromStdString(found.pipeline)
                           : QFileInfo(QString::fromStdString(found.path)).fileName();
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(found.changed.time_since_epoch()).count();
  const QString when =
      QLocale().toString(QDateTime::fromSecsSinceEpoch(seconds), QLocale::ShortFormat);
  m_recovery->offer(
      tr("Tessera ended unexpectedly. %1 of %2 can be opened as it was.").arg(name, when),
      tr("&Recover"), tr("&Discard"));
}

} // namespace tessera::views

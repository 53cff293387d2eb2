// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems/log_panel.h"

#include "views/problems/severity_delegate.h"
#include "engine/host/files.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/file_folder.h"
#include "views/theme/table_look.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace tessera::views {

namespace {
constexpr int kAllKinds = -1, kTrouble = -2;

QString native(const std::string &path) {
  return QDir::toNativeSeparators(QString::fromStdString(path));
}
} // namespace

LogPanel::LogPanel(LogModel &log, Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_log(log), m_bridge(bridge), m_filter(log) {
  setObjectName(QStringLiteral("log"));
  setAccessibleName(tr("Log"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 4);
  row->setSpacing(8);
  buildTools(*row);
  column->addLayout(row);
  buildLines();
  column->addWidget(m_lines, 1);
  setFocusProxy(m_lines);
  for (const auto change : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&m_filter, change, this, &LogPanel::updateSummary);
  connect(&m_filter, &QAbstractItemModel::modelReset, this, &LogPanel::updateSummary);
  updateSummary();
  setRecord({});
}

LogPanel::~LogPanel() { m_record.forgetTrouble(); }

void LogPanel::setRecord(const record::Record &record) {
  m_record.forgetTrouble();
  m_record = record;
  m_openFolder->setEnabled(bool(m_record));
  m_openFolder->setStatusTip(m_record ? QString() : tr("No log is written to disk"));
  m_openFolder->setToolTip(
      m_record ? tr("Open the folder of the log on disk: %1").arg(native(m_record.folder()))
               : tr("No log is written to disk"));
  m_record.onTrouble([this](const Error &error) { // called by the thread that writes the log
    {
      const std::scoped_lock lock(m_troubleMutex);
      m_trouble.push_back(error);
    }
    QMetaObject::invokeMethod(this, &LogPanel::addTrouble, Qt::QueuedConnection);
  });
}

void LogPanel::addTrouble() {
  std::vector<Error> trouble;
  {
    const std::scoped_lock lock(m_troubleMutex);
    trouble.swap(m_trouble);
  }
  for (const Error &error : trouble)
    m_log.add({LogLine::Kind::File,
               Problem::Severity::Warning,
               QString::fromStdString(error.message),
               {{QString::fromStdString(error.hint), {}}},
               {},
               {}});
}

void LogPanel::buildTools(QHBoxLayout &row) {
  m_kind = new QComboBox(this);
  m_kind->setObjectName(QStringLiteral("logKind"));
  m_kind->setAccessibleName(tr("Kind of lines to show"));
  m_kind->addItem(tr("All"), kAllKinds);
  m_kind->addItem(tr("Errors and warnings"), kTrouble);
  for (int kind = 0; kind < LogLine::kKinds; ++kind)
    m_kind->addItem(kindText(LogLine::Kind(kind)), kind);
  connect(m_kind, &QComboBox::currentIndexChanged, this, &LogPanel::chooseKind);
  m_words = new QLineEdit(this);
  m_words->setObjectName(QStringLiteral("logWords"));
  m_words->setAccessibleName(tr("Show only lines that contain these words"));
  m_words->setPlaceholderText(tr("Filter"));
  m_words->setClearButtonEnabled(true);
  m_words->setMaximumWidth(260);
  connect(m_words, &QLineEdit::textChanged, &m_filter, &LogFilter::setWords);
  m_summary = new QLabel(this);
  m_summary->setObjectName(QStringLiteral("logSummary"));
  m_summary->setAccessibleName(tr("About the log"));
  m_summary->setForegroundRole(QPalette::PlaceholderText);
  row.addWidget(m_kind);
  row.addWidget(m_words, 1);
  row.addWidget(m_summary, 2);
  connect(addTool(row, QStringLiteral("logCopy"), tr("Copy"),
                  tr("Copy the selected lines, or all lines shown (Ctrl+C)")),
          &QToolButton::clicked, this, &LogPanel::copy);
  connect(addTool(row, QStringLiteral("logSave"), tr("Save…"), tr("Save the lines shown as text")),
          &QToolButton::clicked, this, &LogPanel::askWhereToSave);
  connect(
      addTool(row, QStringLiteral("logClear"), tr("Clear"), tr("Remove all lines from this list")),
      &QToolButton::clicked, &m_log, &LogModel::clear);
  m_openFolder = new QAction(tr("Open &Log Folder"), this);
  m_openFolder->setObjectName(QStringLiteral("openLogFolder"));
  connect(m_openFolder, &QAction::triggered, this, &LogPanel::openFolder);
  addTool(row, QStringLiteral("logFolder"), {}, tr("Open the folder of the log on disk"))
      ->setDefaultAction(m_openFolder);
}

// Shows the folder's path in any case, because the program that should open the folder may be
// missing.
void LogPanel::openFolder() {
  const QString folder = native(m_record.folder());
  const std::string file = m_record.file();
  if (file.empty() && !QFileInfo::exists(folder))
    return emit placeTold(tr("Nothing has been written into the log folder %1").arg(folder));
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
    return emit placeTold(
        tr("No program was found to open the folder. The log is in %1").arg(folder));
  emit placeTold(tr("The log is in %1").arg(file.empty() ? folder : native(file)));
}

QToolButton *LogPanel::addTool(QHBoxLayout &row, const QString &name, const QString &text,
                               const QString &toolTip) {
  auto *tool = new QToolButton(this);
  tool->setObjectName(name);
  tool->setText(text);
  tool->setAccessibleName(toolTip);
  tool->setToolTip(toolTip);
  tool->setAutoRaise(true);
  tool->setFocusPolicy(Qt::TabFocus);
  row.addWidget(tool);
  return tool;
}

void LogPanel::buildLines() {
  m_lines = new QTreeView(this);
  m_lines->setObjectName(QStringLiteral("logLines"));
  m_lines->setAccessibleName(tr("Log"));
  m_lines->setModel(&m_filter);
  m_lines->setItemDelegate(new SeverityDelegate(LogModel::Text, LogModel::SeverityRole, m_lines));
  m_lines->setTreePosition(LogModel::Text); // the column that the details are in
  m_lines->setUniformRowHeights(true);      // so that invisible lines need not be measured
  m_lines->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_lines->setAlternatingRowColors(true);
  m_lines->setFrameShape(QFrame::NoFrame);
  m_lines->setTextElideMode(Qt::ElideRight);
  m_lines->setTabKeyNavigation(false);
  setFlatHeader(*m_lines);
  m_lines->setColumnWidth(LogModel::When, m_lines->fontMetrics().averageCharWidth() * 14);
  m_lines->setColumnWidth(LogModel::Kind, m_lines->fontMetrics().averageCharWidth() * 14);
  m_lines->installEventFilter(this);
  connect(m_lines->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (m_lines->hasFocus()) emit targetChosen(targetAt(index));
          });
  // A click on the line that is current already changes no selection, so it is handled here.
  connect(m_lines, &QTreeView::clicked, this,
          [this](const QModelIndex &index) { emit targetChosen(targetAt(index)); });
  connect(m_lines, &QTreeView::activated, this,
          [this](const QModelIndex &index) { emit targetActivated(targetAt(index)); });
  connect(&m_filter, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
    const QScrollBar &bar = *m_lines->verticalScrollBar();
    m_atEnd = bar.value() == bar.maximum();
  });
  connect(&m_filter, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &parent) {
    if (m_atEnd && !parent.isValid()) m_lines->scrollToBottom();
  });
}

LogTarget LogPanel::targetAt(const QModelIndex &seen) const {
  return m_log.targetAt(m_filter.mapToSource(seen));
}

bool LogPanel::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_lines && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy)) {
    copy();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void LogPanel::chooseKind(int entry) {
  const int kind = m_kind->itemData(entry).toInt();
  m_filter.setTroubleOnly(kind == kTrouble);
  m_filter.setKind(kind >= 0 ? std::optional(LogLine::Kind(kind)) : std::nullopt);
}

// Copies whole lines in the order of the log, even if only a detail of a line is selected.
void LogPanel::copy() {
  std::set<int> rows;
  for (const QModelIndex &index : m_lines->selectionModel()->selectedRows())
    rows.insert((index.parent().isValid() ? index.parent() : index).row());
  QString text;
  for (const int row : rows)
    text += m_filter.index(row, 0).data(LogModel::TextRole).toString() + '\n';
  QGuiApplication::clipboard()->setText(rows.empty() ? m_filter.text() : text);
}

void LogPanel::askWhereToSave() {
  QFileDialog *dialog = saveDialog(*this, tr("Save the Log"), QStringLiteral("tessera-log.txt"));
  dialog->setObjectName(QStringLiteral("logDialog"));
  dialog->setDefaultSuffix(QStringLiteral("txt"));
  connect(dialog, &QFileDialog::fileSelected, this, &LogPanel::save);
  dialog->open();
}

void LogPanel::save(const QString &path) {
  m_bridge.run<Done>(
      QStringLiteral("log"), tr("Saving %1").arg(QFileInfo(path).fileName()),
      [path = path.toStdString(), text = m_filter.text().toStdString()](
          const job::JobContext &) -> Status { return host::writeFile(path, text); },
      this,
      [this](const Status &done) {
        if (!done) emit told(QString::fromStdString(done.error().message));
      });
}

void LogPanel::updateSummary() {
  const int all = m_log.rowCount(), seen = m_filter.rowCount();
  QString text = seen != all
                     ? tr("%1 of %2 lines", nullptr, all).arg(countText(seen), countText(all))
                 : all == 1 ? tr("1 line")
                            : tr("%1 lines", nullptr, all).arg(countText(all));
  if (const auto gone = m_log.gone(); gone > 0)
    text +=
        gone == 1
            ? tr("; 1 earlier line was dropped")
            : tr("; %1 earlier lines were dropped", nullptr, numerus(gone)).arg(countText(gone));
  m_summary->setText(text);
  m_summary->setToolTip(
      tr("Only the latest %1 lines are kept.").arg(countText(LogModel::kMostLines)));
}

} // namespace tessera::views

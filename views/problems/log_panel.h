// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/record/record.h"
#include "views/flows/bridge.h"
#include "views/tables/log_filter.h"

#include <QWidget>

#include <mutex>
#include <vector>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace tessera::views {

// The log of the program, to be searched, copied and saved. A click or Enter goes to what a line
// refers to. If the view is scrolled to the end, it follows new lines.
class LogPanel : public QWidget {
  Q_OBJECT
public:
  LogPanel(LogModel &log, Bridge &bridge, QWidget *parent = nullptr);
  ~LogPanel() override;

  // The log on disk, which covers several runs. It contains neither names of the user's files nor
  // names from them, such as those of funcs. If it cannot be written, a line in the panel says so.
  void setRecord(const record::Record &record);
  QAction &openFolderAction() { return *m_openFolder; } // the Help menu offers this action as well

  QTreeView &lines() { return *m_lines; }
  void save(const QString &path); // saves the visible lines, on a thread

signals:
  // A line was made current by a click or the keyboard.
  void targetChosen(const tessera::views::LogTarget &target);
  // A line was activated by Enter or a double click.
  void targetActivated(const tessera::views::LogTarget &target);
  void told(const QString &note);      // the log could not be saved
  void placeTold(const QString &text); // where the log on disk is

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void addTrouble();
  void buildTools(QHBoxLayout &row);
  void buildLines();
  QToolButton *addTool(QHBoxLayout &row, const QString &name, const QString &text,
                       const QString &toolTip);
  LogTarget targetAt(const QModelIndex &seen) const;
  void copy();
  void askWhereToSave();
  void openFolder();
  void chooseKind(int entry);
  void updateSummary();

  LogModel &m_log;
  Bridge &m_bridge;
  LogFilter m_filter;
  record::Record m_record;
  std::mutex m_troubleMutex;
  std::vector<Error> m_trouble; // of the log on disk, told by its thread and not shown yet
  QAction *m_openFolder = nullptr;
  QComboBox *m_kind = nullptr;
  QLineEdit *m_words = nullptr;
  QLabel *m_summary = nullptr;
  QTreeView *m_lines = nullptr;
  bool m_atEnd = true; // the view was at its end before lines were added
};

} // namespace tessera::views

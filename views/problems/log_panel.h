// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/record.h"
#include "views/flows/bridge.h"
#include "views/tables/log_filter.h"

#include <QWidget>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace tessera::views {

// What the program did, to be looked through, copied and saved. A click, or Enter, goes to what a
// line speaks of; the latest line stays in view while the end is.
class LogPanel : public QWidget {
  Q_OBJECT
public:
  LogPanel(LogModel &log, Bridge &bridge, QWidget *parent = nullptr);
  ~LogPanel() override;

  // The log on disk, which tells of more runs than this one and names nothing of the user's. That
  // it cannot be written becomes a line here.
  void setRecord(const record::Record &record);
  QAction &openFolderAction() { return *m_openFolder; } // also for a menu

  QTreeView &lines() { return *m_lines; }
  void save(const QString &path); // what is seen, on a thread

signals:
  void targetChosen(const tessera::views::LogTarget &target);    // by a click or the keyboard
  void targetActivated(const tessera::views::LogTarget &target); // by Enter or a double click
  void told(const QString &note);                                // it could not be saved
  void placeTold(const QString &text);                           // where the log on disk is

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
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
  QAction *m_openFolder = nullptr;
  QComboBox *m_kind = nullptr;
  QLineEdit *m_words = nullptr;
  QLabel *m_summary = nullptr;
  QTreeView *m_lines = nullptr;
  bool m_atEnd = true; // before lines came
};

} // namespace tessera::views

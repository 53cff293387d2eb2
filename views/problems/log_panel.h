// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"
#include "views/tables/log_filter.h"

#include <QWidget>

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

  QTreeView &lines() { return *m_lines; }
  void save(const QString &path); // what is seen, on a thread

signals:
  void targetChosen(const tessera::views::LogTarget &target);    // by a click or the keyboard
  void targetActivated(const tessera::views::LogTarget &target); // by Enter or a double click
  void told(const QString &note);                                // it could not be saved

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
  void chooseKind(int entry);
  void updateSummary();

  LogModel &m_log;
  Bridge &m_bridge;
  LogFilter m_filter;
  QComboBox *m_kind = nullptr;
  QLineEdit *m_words = nullptr;
  QLabel *m_summary = nullptr;
  QTreeView *m_lines = nullptr;
  bool m_atEnd = true; // before lines came
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QLabel;
class QStatusBar;
class QWidget;

namespace tessera::views {

class AbilityButton;
class Workspace;

// The status bar: the open file, its predicted and measured times, the running job, and what does
// not work on this computer.
class StatusLine : public QObject {
  Q_OBJECT
public:
  StatusLine(QStatusBar &bar, Workspace &workspace, QWidget *window);

  AbilityButton &abilities() { return *m_abilities; }
  void showFacts();

private:
  void showPredicted();
  void showMeasured();

  Workspace &m_workspace;
  QLabel *m_facts = nullptr, *m_predicted = nullptr, *m_measured = nullptr;
  AbilityButton *m_abilities = nullptr;
};

} // namespace tessera::views

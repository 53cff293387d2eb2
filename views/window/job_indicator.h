// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/bridge.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace tessera::views {

// Shows which job runs in the background and its progress, with a button to stop it. Very short
// jobs are not shown.
class JobIndicator : public QWidget {
  Q_OBJECT
public:
  explicit JobIndicator(Bridge &bridge, QWidget *parent = nullptr);

private:
  void refresh();

  Bridge &m_bridge;
  QLabel *m_text = nullptr;
  QProgressBar *m_bar = nullptr;
  QToolButton *m_cancel = nullptr;
  QTimer m_later;
};

} // namespace tessera::views

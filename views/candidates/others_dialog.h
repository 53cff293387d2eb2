// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/other_flow.h"

#include <QDialog>

class QPushButton;

namespace tessera::views {

// Which schedules of others are to become candidates, and what came of each. It stops nobody: it
// may stay open, and what it has started goes on when it is closed.
class OthersDialog : public QDialog {
  Q_OBJECT
public:
  explicit OthersDialog(OtherFlow &others, QWidget *parent = nullptr);

private:
  void refresh();

  OtherFlow &m_others;
  QPushButton *m_add = nullptr, *m_stop = nullptr;
};

} // namespace tessera::views

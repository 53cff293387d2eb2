// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/other_flow.h"

#include <QDialog>

class QPushButton;

namespace tessera::views {

// Chooses which schedules of other schedulers become candidates, and shows the result of each. The
// dialog does not block; it may stay open, and closing it does not stop what it has started.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/palette_model.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace tessera::views {

// An input line over a list, above all other widgets of the window: the user finds a command by a
// few letters of its name. It handles arrow keys, Enter and Escape, and closes when it loses the
// focus.
class CommandPalette : public QWidget {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget *window);

  void open(std::vector<PaletteEntry> entries);
  void dismiss(); // gives the focus back

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void paintEvent(QPaintEvent *event) override;

private:
  void filter(const QString &typed);
  void place();
  void step(int rows);
  void runCurrent();

  PaletteModel m_model;
  QLineEdit *m_line = nullptr;
  QListView *m_list = nullptr;
  QLabel *m_nothing = nullptr;
  QPointer<QWidget> m_focus; // the widget that had the focus before
};

} // namespace tessera::views

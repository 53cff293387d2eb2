// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/palette_model.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;

namespace tessera::views {

// A line over a list, above everything else: what can be done is found by a few letters of its
// name. Arrows, Enter and Escape; it goes when the focus goes.
class CommandPalette : public QWidget {
  Q_OBJECT
public:
  explicit CommandPalette(QWidget *window);

  void open(std::vector<PaletteEntry> entries);
  void dismiss(); // the focus goes back to where it was

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
  QPointer<QWidget> m_focus; // that had the focus before
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/roofline_table_model.h"
#include "views/roofline/roofline_view.h"

#include <QStackedWidget>

class QAction;
class QLabel;
class QToolBar;

namespace tessera::views {

class KernelTable;

// What holds the schedule back: its kernels under the roofs of the machine, as a drawing and as a
// table, with arrows from the schedule before.
class RooflinePanel : public QStackedWidget {
  Q_OBJECT
public:
  RooflinePanel(ShownKernels &kernels, Bridge &bridge, QWidget *parent = nullptr);

  RooflineView &view() { return *m_view; }
  KernelTable &table() { return *m_table; }

  void exportTo(const QString &path); // by its suffix; told() says how it went

signals:
  void told(const QString &message, bool isError);

protected:
  void showEvent(QShowEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  QToolBar *buildBar();
  QAction *addAction(QToolBar &bar, const QString &icon, const QString &text, const QString &keys);
  void refreshIcons();
  void refreshIfSeen(); // charts that nobody sees cost nothing while a search runs
  void refresh();
  void updateActions();
  void askForFile();

  ShownKernels &m_kernels;
  Bridge &m_bridge;
  RooflineTableModel m_model;
  std::vector<DrawnRoofline> m_drawn; // the first is what is shown, with what was measured
  QLabel *m_empty = nullptr;
  QWidget *m_page = nullptr;
  RooflineView *m_view = nullptr;
  KernelTable *m_table = nullptr;
  QLabel *m_summary = nullptr;
  QAction *m_back = nullptr, *m_forward = nullptr, *m_all = nullptr, *m_keep = nullptr,
          *m_export = nullptr;
  bool m_isStale = true;
};

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/roofline/roofline_view.h"
#include "views/tables/roofline_table_model.h"
#include "views/theme/seen_refresh.h"

#include <QStackedWidget>

class QAction;
class QLabel;
class QToolBar;

namespace tessera::views {

class KernelTable;

// Shows what limits the schedule: its kernels under the roofs of the machine, as a drawing and as a
// table, with arrows from the schedule that it is compared with.
class RooflinePanel : public QStackedWidget {
  Q_OBJECT
public:
  RooflinePanel(ShownKernels &kernels, Bridge &bridge, QWidget *parent = nullptr);

  RooflineView &view() { return *m_view; }
  KernelTable &table() { return *m_table; }

  // Exports what is drawn. The suffix chooses the format; told() reports the result.
  void exportTo(const QString &path) { write(m_content, path); }

signals:
  void told(const QString &message, bool isError);

protected:
private:
  QToolBar *buildBar();
  QAction *addAction(QToolBar &bar, const QString &icon, const QString &text, const QString &keys);
  void refresh();
  void updateActions();
  void askForFile();
  void write(const ExportedRoofline &exported, const QString &path);

  ShownKernels &m_kernels;
  Bridge &m_bridge;
  RooflineTableModel m_model;
  // What is drawn: the shown schedule first, with its measured points. Empty: there is no schedule.
  ExportedRoofline m_content;
  QLabel *m_empty = nullptr;
  QWidget *m_page = nullptr;
  RooflineView *m_view = nullptr;
  KernelTable *m_table = nullptr;
  QLabel *m_summary = nullptr;
  QAction *m_back = nullptr, *m_forward = nullptr, *m_all = nullptr, *m_keep = nullptr,
          *m_export = nullptr;
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
  bool m_compares = false; // the table also has the values of the compared schedule
};

} // namespace tessera::views

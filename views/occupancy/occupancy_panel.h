// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/occupancy/curve_chart.h"
#include "views/tables/occupancy_table_model.h"
#include "views/theme/seen_refresh.h"

#include <QStackedWidget>

#include <array>

class QLabel;
class QPushButton;

namespace tessera::views {

class KernelTable;

// How many warps of each kernel fit on a multiprocessor, which resource limits them, and what
// blocks with other sizes or resources would change: a table of the kernels, and the curves of the
// current kernel.
class OccupancyPanel : public QStackedWidget {
  Q_OBJECT
public:
  explicit OccupancyPanel(ShownKernels &kernels, QWidget *parent = nullptr);

  KernelTable &table() { return *m_table; }
  CurveChart &chart(BlockNumber number) { return *m_charts[static_cast<std::size_t>(number)]; }
  const machine::BlockUse &asked() const { return m_asked; }

  void ask(BlockNumber number, std::int64_t value);
  void reset(); // goes back to the schedule's own block

signals:
  void assemblerWanted(); // the user wants the register counts of ptxas
  void told(const QString &message, bool isError);

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  QWidget *buildCharts();
  void refresh();
  void kernelChanged();
  void showAnswer();
  QString achievedText() const;

  ShownKernels &m_kernels;
  OccupancyTableModel m_model;
  QLabel *m_empty = nullptr;
  QWidget *m_page = nullptr;
  KernelTable *m_table = nullptr;
  QLabel *m_answer = nullptr, *m_whatIf = nullptr;
  QPushButton *m_reset = nullptr, *m_assemble = nullptr;
  std::array<CurveChart *, kBlockNumbers> m_charts{};
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
  int m_kernel = -1;
  machine::BlockUse m_actual, m_asked;
};

} // namespace tessera::views

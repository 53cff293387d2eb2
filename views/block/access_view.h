// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/block/stage_block.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// The addresses of a warp's request in memory. Each touched line of 128 bytes is a row of four
// sectors, and each word shows the number of a lane that accesses it. For shared memory, the words
// of each bank are piled up, and the height of the highest pile is the number of passes.
struct AccessCell {
  int row = 0, column = 0; // column: word within the line, or bank
  std::vector<int> lanes;
};
struct AccessRows {
  bool isBanks = false;
  int rows = 0;
  std::vector<std::int64_t> lines; // number of the line of each row; empty for banks
  std::vector<AccessCell> cells;
  std::vector<std::pair<int, int>> sectors; // touched sectors: row, sector in its line
};
AccessRows accessRowsOf(const block::WarpPattern &pattern);

class AccessView : public QWidget {
  Q_OBJECT
public:
  explicit AccessView(QWidget *parent = nullptr);

  void show(std::shared_ptr<const block::StageBlock> block, std::size_t access);
  const AccessRows &rows() const { return m_rows; }
  QString summary() const; // describes the pattern in a sentence or two

  QSize sizeHint() const override { return {420, 220}; }
  QSize minimumSizeHint() const override { return {260, 110}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  bool event(QEvent *event) override;

private:
  const block::WarpPattern *pattern() const;
  QRectF cellOf(int row, int column) const;
  double rowHeight() const;
  QString elementText(const block::LaneAccess &lane) const;
  QString labelOf(int row) const;
  QString textAt(QPointF place) const;
  void paintArray(QPainter &painter, const block::WarpPattern &pattern) const;

  std::shared_ptr<const block::StageBlock> m_block;
  std::size_t m_access = 0;
  AccessRows m_rows;
};

} // namespace tessera::views

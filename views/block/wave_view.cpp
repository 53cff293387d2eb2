// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/wave_view.h"

#include "views/tables/occupancy_table_model.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/chart_tool_tip.h"
#include "views/theme/theme.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::views {

using block::GridWaves;

namespace {

constexpr double kWaveMargin = 8, kBars = 54;
constexpr std::int64_t kMostBars = 40;
// Limit for a side of the image. If a side of the grid has more blocks, some are left out.
constexpr int kMostPixels = 512;

} // namespace

WaveView::WaveView(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Blocks and waves of the grid"));
}

void WaveView::setGrid(std::optional<GridWaves> grid) {
  m_grid = std::move(grid);
  setAccessibleDescription(summary());
  update();
}

QString WaveView::wavesText(const GridWaves &grid) {
  const bool isOne = grid.waves() == 1;
  if (grid.tail() == 0)
    return isOne ? tr("1 wave, which is full.")
                 : tr("%1 waves, all of them full.", nullptr, numerus(grid.waves()))
                       .arg(countText(grid.waves()));
  const QString filled = percentText(grid.filled());
  return isOne ? tr("1 wave, which fills %1 of the block slots.").arg(filled)
               : tr("%1 waves; the last one, the tail, has %2. Over all waves, %3 of the block "
                    "slots are filled.",
                    nullptr, numerus(grid.waves()))
                     .arg(countText(grid.waves()), blocksText(grid.tail()), filled);
}

QString WaveView::summary() const {
  if (!m_grid) return {};
  const GridWaves &grid = *m_grid;
  QString text =
      tr("Grid: %1 × %2 × %3 = %4. Each of the %5 multiprocessors holds up to %6 at a time "
         "(limited by %7), so a full wave has %8.")
          .arg(countText(grid.blocks[0]), countText(grid.blocks[1]), countText(grid.blocks[2]),
               blocksText(grid.all()), countText(grid.multiprocessors), blocksText(grid.resident()),
               resourceText(grid.occupancy.limiting), blocksText(grid.perWave()));
  text += QLatin1Char(' ') + wavesText(grid);
  for (const GridWaves::Side &side : grid.sides)
    if (side.covers > 0 && side.last() != side.covers)
      text += QLatin1Char(' ') + tr("The last block along %1 covers only %2 of %3 iterations.")
                                     .arg(QString::fromStdString(side.loop), countText(side.last()),
                                          countText(side.covers));
  return text;
}

QRectF WaveView::barsArea() const {
  return QRectF(rect()).adjusted(kWaveMargin, height() - kBars - kWaveMargin, -kWaveMargin,
                                 -kWaveMargin);
}

SliceGrid WaveView::places() const {
  return {m_grid->blocks, QRectF(rect()).adjusted(kWaveMargin, kWaveMargin, -kWaveMargin,
                                                  -kBars - 2 * kWaveMargin)};
}

QColor WaveView::colorOf(std::int64_t wave) const {
  const Colors colors(palette());
  return colors.kernelFill(int(wave % 12) + 1); // 12 colours can be told apart
}

std::optional<std::int64_t> WaveView::blockAt(QPointF place) const {
  return m_grid ? places().at(place) : std::nullopt;
}

QString WaveView::textOf(std::int64_t block) const {
  const std::int64_t row = block / m_grid->blocks[0];
  return tr("Block (%1, %2, %3), in wave %4 of %5")
      .arg(countText(block % m_grid->blocks[0]), countText(row % m_grid->blocks[1]),
           countText(row / m_grid->blocks[1]), countText(m_grid->waveOf(block) + 1),
           countText(m_grid->waves()));
}

// Draws an image, because a grid may have a hundred thousand blocks.
QImage WaveView::imageOf(const SliceGrid &places, std::int64_t slice) const {
  const GridWaves &grid = *m_grid;
  const std::int64_t across = places.across(), down = places.down();
  const int wide = int(std::min<std::int64_t>(across, kMostPixels));
  const int high = int(std::min<std::int64_t>(down, kMostPixels));
  QImage image(wide, high, QImage::Format_RGB32);
  std::vector<QRgb> ofWave;
  for (std::int64_t wave = 0; wave < std::min<std::int64_t>(grid.waves(), 12); ++wave)
    ofWave.push_back(colorOf(wave).rgb());
  for (int y = 0; y < high; ++y) {
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    const std::int64_t row = slice * down + std::int64_t(y) * down / high;
    for (int x = 0; x < wide; ++x) {
      const std::int64_t block = row * across + std::int64_t(x) * across / wide;
      line[x] = ofWave[std::size_t(grid.waveOf(block)) % ofWave.size()];
    }
  }
  return image;
}

// Hatches the blocks of the tail in a slice: the rest of a row, then whole rows.
void WaveView::hatchTail(QPainter &painter, const SliceGrid &places, std::int64_t slice) const {
  const std::int64_t across = places.across(), down = places.down();
  const std::int64_t first = m_grid->fullWaves() * m_grid->perWave() - slice * across * down;
  if (m_grid->tail() == 0 || first >= across * down) return;
  const QRectF area = places.slice(slice);
  const Colors colors(palette());
  const QBrush hatch(mix(colors.text, colors.canvas, 0.35), Qt::BDiagPattern);
  if (first <= 0) return painter.fillRect(area, hatch);
  const double cellX = area.width() / double(across), cellY = area.height() / double(down);
  const auto row = double(first / across), column = double(first % across);
  painter.fillRect(QRectF(area.left() + column * cellX, area.top() + row * cellY,
                          area.width() - column * cellX, cellY),
                   hatch);
  painter.fillRect(QRectF(area.left(), area.top() + (row + 1) * cellY, area.width(),
                          area.height() - (row + 1) * cellY),
                   hatch);
}

void WaveView::paintBlocks(QPainter &painter) const {
  const SliceGrid places = this->places();
  const Colors colors(palette());
  const std::int64_t across = places.across(), down = places.down();
  for (std::int64_t slice = 0; slice < places.slices(); ++slice) {
    const QRectF area = places.slice(slice);
    painter.drawImage(area, imageOf(places, slice));
    hatchTail(painter, places, slice);
    painter.setPen(mix(colors.line, colors.canvas, 0.2));
    if (area.width() / double(across) >= 4)
      for (std::int64_t x = 1; x < across; ++x) {
        const double at = area.left() + double(x) * area.width() / double(across);
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
      }
    if (area.height() / double(down) >= 4)
      for (std::int64_t y = 1; y < down; ++y) {
        const double at = area.top() + double(y) * area.height() / double(down);
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
      }
  }
}

void WaveView::paintBars(QPainter &painter) const {
  const GridWaves &grid = *m_grid;
  const Colors colors(palette());
  const QRectF area = barsArea();
  const double text = painter.fontMetrics().height();
  painter.setPen(colors.faintText);
  painter.drawText(QRectF(area.left(), area.top(), area.width(), text), Qt::AlignLeft,
                   tr("Waves: how far each one fills the multiprocessors"));
  const std::int64_t shown = std::min(grid.waves(), kMostBars);
  const QRectF room = area.adjusted(0, text + 4, 0, 0);
  const double wide = std::min(60.0, room.width() / double(shown));
  for (std::int64_t bar = 0; bar < shown; ++bar) {
    // If there is no room for all waves, the last ones are shown, because the tail is among them.
    const std::int64_t wave = grid.waves() - shown + bar;
    const bool isTail = wave == grid.fullWaves();
    const double part = isTail ? double(grid.tail()) / double(grid.perWave()) : 1;
    const QRectF whole(room.left() + double(bar) * wide, room.top(), wide - 2, room.height());
    QRectF filled = whole;
    filled.setTop(whole.bottom() - part * whole.height());
    painter.fillRect(whole, mix(colors.canvas, colors.line, 0.4));
    painter.fillRect(filled, colorOf(wave));
    if (isTail)
      painter.fillRect(filled, QBrush(mix(colors.text, colors.canvas, 0.35), Qt::BDiagPattern));
    if (wide < 22) continue;
    painter.setPen(colors.text);
    painter.drawText(whole, Qt::AlignCenter, countText(wave + 1));
  }
}

void WaveView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (!m_grid) return;
  paintBlocks(painter);
  paintBars(painter);
}

bool WaveView::event(QEvent *event) {
  const auto textAt = [this](QPoint place) {
    const auto block = blockAt(place);
    return block ? textOf(*block) : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views

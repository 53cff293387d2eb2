// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/access_view.h"

#include "views/tables/access_table_model.h"
#include "views/tables/occupancy_table_model.h"
#include "views/text/stage_summary.h"
#include "views/theme/chart_tool_tip.h"
#include "views/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <map>

namespace tessera::views {

using block::LaneAccess;
using block::WarpPattern;
using cost::MemorySpace;

namespace {

constexpr int kWordBytes = 4, kWords = 32; // words of a line; also the number of banks
constexpr int kWordsOfSector = 8;
constexpr double kMargin = 8, kLabel = 92, kArray = 96; // widths of parts, in pixels
constexpr double kHead = 18;
constexpr double kHighestRow = 22;

std::int64_t floorOf(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

// The numbers of the words that a lane accesses.
std::vector<std::int64_t> wordsOf(const WarpPattern &pattern, const LaneAccess &lane) {
  const auto bytes = std::int64_t(pattern.load.access.bytes);
  std::vector<std::int64_t> words;
  for (std::int64_t word = floorOf(lane.byte, kWordBytes); word * kWordBytes < lane.byte + bytes;
       ++word)
    words.push_back(word);
  return words;
}

// "(1, 2, 0)": the indices of the element that a lane accesses.
QString placeText(const LaneAccess &lane) {
  QStringList at;
  for (const std::int64_t index : lane.at)
    at << QString::number(index);
  return QStringLiteral("(%1)").arg(at.join(QStringLiteral(", ")));
}

} // namespace

AccessRows accessRowsOf(const WarpPattern &pattern) {
  AccessRows rows;
  rows.isBanks = pattern.load.space == MemorySpace::Shared;
  std::map<std::int64_t, std::vector<int>> lanesOfWord;
  for (const LaneAccess &lane : pattern.lanes)
    for (const std::int64_t word : wordsOf(pattern, lane))
      lanesOfWord[word].push_back(lane.lane);
  if (rows.isBanks) {
    std::array<int, block::kBanks> piled{};
    for (const auto &[word, lanes] : lanesOfWord) {
      const auto bank = std::size_t(word) % block::kBanks;
      rows.cells.push_back({piled[bank], int(bank), lanes});
      rows.rows = std::max(rows.rows, ++piled[bank]);
    }
    return rows;
  }
  rows.lines = pattern.lines();
  rows.rows = int(rows.lines.size());
  const auto rowOf = [&](std::int64_t line) {
    return int(std::ranges::lower_bound(rows.lines, line) - rows.lines.begin());
  };
  for (const auto &[word, lanes] : lanesOfWord) {
    const std::int64_t line = floorOf(word, kWords);
    rows.cells.push_back({rowOf(line), int(word - line * kWords), lanes});
  }
  constexpr std::int64_t kSectorsOfLine = kWords / kWordsOfSector;
  for (const std::int64_t sector : pattern.sectors()) {
    const std::int64_t line = floorOf(sector, kSectorsOfLine);
    rows.sectors.emplace_back(rowOf(line), int(sector - line * kSectorsOfLine));
  }
  return rows;
}

AccessView::AccessView(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Addresses that a warp accesses"));
}

void AccessView::show(std::shared_ptr<const block::StageBlock> block, std::size_t access) {
  m_block = std::move(block);
  m_access = access;
  m_rows = pattern() && pattern()->isInMemory() ? accessRowsOf(*pattern()) : AccessRows();
  setAccessibleDescription(summary());
  update();
}

const WarpPattern *AccessView::pattern() const {
  return m_block && m_access < m_block->accesses.size() ? &m_block->accesses[m_access] : nullptr;
}

QString AccessView::summary() const {
  const WarpPattern *of = pattern();
  if (!of) return {};
  const QString array = QString::fromStdString(of->array);
  const QString what =
      of->load.isStore() ? tr("Store to %1").arg(array) : tr("Load of %1").arg(array);
  if (!of->isInMemory())
    return tr("%1: each thread keeps the values in its own %2, where no other thread can "
              "access them.")
        .arg(what, of->load.space == MemorySpace::Registers ? tr("registers") : tr("local memory"));
  QString text;
  if (of->load.space == MemorySpace::Shared)
    text = tr("%1, in shared memory: one request of a warp takes %2 through the banks.")
               .arg(what, of->load.passes == 1 ? tr("1 pass")
                                               : tr("%1 passes").arg(averageText(of->load.passes)));
  else
    text = tr("%1: one request of a warp touches %2 of 32 bytes in %3; the warp uses %4 of these "
              "bytes.")
               .arg(what,
                    of->load.sectors == 1 ? tr("1 sector")
                                          : tr("%1 sectors").arg(averageText(of->load.sectors)),
                    of->load.lines == 1 ? tr("1 line")
                                        : tr("%1 lines").arg(averageText(of->load.lines)),
                    percentText(of->efficiency()));
  if (of->isChosen)
    text += tr(" The addresses depend on data: the drawing shows the first possible addresses, and "
               "the counts assume random ones.");
  else if (of->startsAnywhere)
    text += tr(" A row of the array may begin at any address, so the counts are averages; the "
               "drawing assumes that it begins at a sector boundary.");
  return text;
}

double AccessView::rowHeight() const {
  return std::clamp((height() - 2 * kMargin - kHead) / std::max(1, m_rows.rows), 2.0, kHighestRow);
}

QRectF AccessView::cellOf(int row, int column) const {
  const double left = kMargin + kLabel, right = width() - 2 * kMargin - kArray;
  const double wide = std::max(2.0, (right - left) / kWords), high = rowHeight();
  const double bottom = kMargin + kHead + high * m_rows.rows;
  const double top = m_rows.isBanks ? bottom - high * (row + 1) : kMargin + kHead + high * row;
  return {left + wide * column, top, wide, high};
}

QString AccessView::elementText(const LaneAccess &lane) const {
  return QString::fromStdString(pattern()->array) + placeText(lane);
}

// The element with the lowest address among those that the warp accesses in a row.
QString AccessView::labelOf(int row) const {
  const WarpPattern &of = *pattern();
  const LaneAccess *first = nullptr;
  for (const LaneAccess &lane : of.lanes)
    if (floorOf(lane.byte, std::int64_t(cost::kLineBytes)) == m_rows.lines[std::size_t(row)] &&
        (!first || lane.byte < first->byte))
      first = &lane;
  return first ? placeText(*first) : QString(); // the table above names the array
}

// Draws the elements that the lanes access at their places in the array. It shows the array's two
// innermost dimensions, in the range that the warp accesses.
void AccessView::paintArray(QPainter &painter, const WarpPattern &of) const {
  const Colors colors(palette());
  const QRectF room(width() - kMargin - kArray, kMargin + kHead, kArray,
                    std::min(kArray, height() - 2 * kMargin - kHead));
  painter.setPen(colors.faintText);
  painter.drawText(QRectF(room.left(), kMargin, kArray, kHead), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("Position in array"));
  if (of.lanes.empty() || of.order.empty()) return;
  const std::size_t across = of.order[0], down = of.order.size() > 1 ? of.order[1] : of.order[0];
  pipeline::Interval x, y{0, 0};
  for (const LaneAccess &lane : of.lanes) {
    x = pipeline::hull(x, {lane.at[across], lane.at[across]});
    if (down != across)
      y = &lane == &of.lanes.front() ? pipeline::Interval{lane.at[down], lane.at[down]}
                                     : pipeline::hull(y, {lane.at[down], lane.at[down]});
  }
  const double cell = std::clamp(
      std::min(room.width() / double(x.extent()), room.height() / double(y.extent())), 0.2, 10.0);
  painter.fillRect(
      QRectF(room.topLeft(), QSizeF(cell * double(x.extent()), cell * double(y.extent()))),
      mix(colors.canvas, colors.line, 0.35));
  for (const LaneAccess &lane : of.lanes) {
    const double row = down == across ? 0 : double(lane.at[down] - y.min);
    const QPointF at = room.topLeft() + QPointF(double(lane.at[across] - x.min), row) * cell;
    painter.fillRect(QRectF(at, QSizeF(std::max(1.5, cell - 0.5), std::max(1.5, cell - 0.5))),
                     colors.accent);
  }
}

void AccessView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  const WarpPattern *of = pattern();
  if (!of) return;
  const Colors colors(palette());
  if (!of->isInMemory()) {
    painter.setPen(colors.faintText);
    painter.drawText(rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("There are no addresses to show."));
    return;
  }
  QFont small = font();
  small.setPixelSize(10);
  painter.setFont(small);
  painter.setPen(colors.faintText);
  painter.drawText(
      QRectF(kMargin + kLabel, kMargin, width() - 2 * kMargin - kLabel - kArray, kHead),
      Qt::AlignLeft | Qt::AlignVCenter,
      m_rows.isBanks ? tr("Banks 0 to 31 of shared memory; each row is one pass")
                     : tr("Each row is a line of 128 bytes; the numbers are lanes"));
  for (const auto &[row, sector] : m_rows.sectors)
    painter.fillRect(cellOf(row, sector * kWordsOfSector)
                         .united(cellOf(row, sector * kWordsOfSector + kWordsOfSector - 1))
                         .adjusted(0.5, 0.5, -1, -1),
                     mix(colors.canvas, colors.accent, 0.18));
  const double high = rowHeight();
  for (int row = 0; row < m_rows.rows; ++row) {
    const QRectF line = cellOf(row, 0).united(cellOf(row, kWords - 1));
    painter.setPen(colors.line);
    for (int column = 0; column <= kWords; column += m_rows.isBanks ? kWords : kWordsOfSector)
      painter.drawLine(QPointF(line.left() + column * line.width() / kWords, line.top()),
                       QPointF(line.left() + column * line.width() / kWords, line.bottom()));
    painter.setPen(colors.text);
    if (high >= 10)
      painter.drawText(
          QRectF(kMargin, line.top(), kLabel - 6, high), Qt::AlignRight | Qt::AlignVCenter,
          m_rows.isBanks
              ? tr("pass %1").arg(row + 1)
              : QFontMetrics(small).elidedText(labelOf(row), Qt::ElideMiddle, int(kLabel - 6)));
  }
  for (const AccessCell &cell : m_rows.cells) {
    const QRectF place = cellOf(cell.row, cell.column).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor fill = colors.kernelFill(cell.lanes.front() / 8 + 1); // 8 lanes share a colour
    painter.fillRect(place, fill);
    if (place.width() < 11 || place.height() < 10) continue;
    painter.setPen(colors.onTop(fill));
    painter.drawText(place, Qt::AlignCenter,
                     cell.lanes.size() > 1 ? QStringLiteral("%1+").arg(cell.lanes.front())
                                           : QString::number(cell.lanes.front()));
  }
  paintArray(painter, *of);
}

QString AccessView::textAt(QPointF place) const {
  for (const AccessCell &cell : m_rows.cells) {
    if (!cellOf(cell.row, cell.column).contains(place)) continue;
    QStringList lanes;
    for (const LaneAccess &lane : pattern()->lanes)
      if (std::ranges::find(cell.lanes, lane.lane) != cell.lanes.end())
        lanes << tr("lane %1: %2").arg(countText(lane.lane), elementText(lane));
    constexpr int kMost = 12;
    if (lanes.size() > kMost) lanes = lanes.mid(0, kMost) << QStringLiteral("…");
    return lanes.join(QLatin1Char('\n'));
  }
  return {};
}

bool AccessView::event(QEvent *event) {
  return showToolTip(*this, *event, [this](QPoint place) { return textAt(place); }) ||
         QWidget::event(event);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/thread_view.h"

#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/chart_tool_tip.h"
#include "views/theme/theme.h"

#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace tessera::views {

using block::Duty;
using block::OwnedPoint;
using block::ThreadBlock;
using block::ThreadPlace;
using pipeline::Interval;

namespace {

constexpr double kGridMargin = 8;
// Room for handles to the right of the picture, and below it.
constexpr double kHandleRoom = 44, kRoomBelow = 26;
constexpr double kNumberCell = 14; // cells of at least this size show a number

QRectF roomOf(const QWidget &widget) {
  return QRectF(widget.rect())
      .adjusted(kGridMargin, kGridMargin, -kGridMargin - kHandleRoom, -kGridMargin - kRoomBelow);
}

QColor fillOf(const Colors &colors, const ThreadBlock &block, std::int64_t thread) {
  return colors.kernelFill(int(thread / block.warpSize) + 1);
}

QString placeText(const ThreadPlace &place) {
  return QStringLiteral("(%1, %2, %3)").arg(place[0]).arg(place[1]).arg(place[2]);
}

QString dutyText(Duty duty) {
  switch (duty) {
  case Duty::Computes:
    return ThreadView::tr("computes elements of its own block");
  case Duty::Halo:
    return ThreadView::tr("computes only halo");
  case Duty::Idle:
    break;
  }
  return ThreadView::tr("is idle");
}

} // namespace

// ---- Threads

ThreadView::ThreadView(QWidget *parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Threads of the block"));
}

void ThreadView::setBlock(StageBlockPtr block, std::optional<double> largestCell) {
  m_block = std::move(block);
  m_largestCell = largestCell;
  if (m_block) m_current = std::clamp<std::int64_t>(m_current, 0, m_block->threads.all() - 1);
  if (m_block) setAccessibleDescription(textOf(m_current));
  update();
  emit laidOut();
}

ThreadGrid ThreadView::grid() const {
  if (!m_block) return {};
  return {m_block->threads.threads, m_block->threads.warpSize, roomOf(*this),
          m_largestCell.value_or(ThreadGrid::kLargestCell)};
}

void ThreadView::setCurrent(std::int64_t thread) {
  m_current = thread;
  if (m_block) setAccessibleDescription(textOf(thread));
  update();
}

void ThreadView::choose(std::int64_t thread) {
  if (!m_block || thread < 0 || thread >= m_block->threads.all() || thread == m_current) return;
  setCurrent(thread);
  emit currentChanged(thread);
}

QString ThreadView::textOf(std::int64_t thread) const {
  const ThreadBlock &block = m_block->threads;
  const ThreadPlace place = block.placeOf(thread);
  return tr("Thread %1 is lane %2 of warp %3 and %4")
      .arg(placeText(place), countText(thread % block.warpSize), countText(thread / block.warpSize),
           dutyText(block.dutyOf(place)));
}

void ThreadView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const Colors colors(palette());
  painter.fillRect(rect(), palette().base());
  if (!m_block) return;
  const ThreadBlock &block = m_block->threads;
  const ThreadGrid places = grid();
  const bool hasNumbers = places.cell() >= kNumberCell, hasLines = places.cell() >= 4;
  QFont small = font();
  small.setPixelSize(qBound(7, int(places.cell() * 0.45), 12));
  painter.setFont(small);
  const QBrush halo(mix(colors.text, colors.canvas, 0.35), Qt::BDiagPattern);
  for (std::int64_t thread = 0; thread < block.all(); ++thread) {
    const QRectF cell = places.cellOf(thread);
    const QRectF inside = hasLines ? cell.adjusted(0.5, 0.5, -0.5, -0.5) : cell;
    const Duty duty = block.duties[std::size_t(thread)];
    const QColor fill = fillOf(colors, block, thread);
    if (duty == Duty::Idle) {
      if (hasLines) {
        painter.setPen(QPen(mix(fill, colors.line, 0.5), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inside);
      }
    } else {
      painter.fillRect(inside, fill);
      if (duty == Duty::Halo) painter.fillRect(inside, halo);
    }
    if (!hasNumbers) continue;
    painter.setPen(duty == Duty::Idle ? colors.faintText : colors.onTop(fill));
    painter.drawText(cell, Qt::AlignCenter, QString::number(thread % block.warpSize));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colors.accent, hasFocus() ? 3 : 2));
  painter.drawRect(places.cellOf(m_current));
}

void ThreadView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  emit laidOut();
}

void ThreadView::mousePressEvent(QMouseEvent *event) {
  if (const auto thread = grid().at(event->position())) choose(*thread);
}

void ThreadView::keyPressEvent(QKeyEvent *event) {
  if (!m_block) return QWidget::keyPressEvent(event);
  const ThreadBlock &block = m_block->threads;
  ThreadPlace place = block.placeOf(m_current);
  const auto go = [&](std::size_t dim, std::int64_t by) {
    place[dim] = std::clamp<std::int64_t>(place[dim] + by, 0, block.threads[dim] - 1);
    choose(block.numberOf(place));
  };
  switch (event->key()) {
  case Qt::Key_Left:
    return go(0, -1);
  case Qt::Key_Right:
    return go(0, 1);
  case Qt::Key_Up:
    return go(1, -1);
  case Qt::Key_Down:
    return go(1, 1);
  case Qt::Key_PageUp:
    return go(2, -1);
  case Qt::Key_PageDown:
    return go(2, 1);
  case Qt::Key_Home:
    return choose(0);
  case Qt::Key_End:
    return choose(block.all() - 1);
  default:
    QWidget::keyPressEvent(event);
  }
}

bool ThreadView::event(QEvent *event) {
  const auto textAt = [this](QPoint place) {
    const auto thread = m_block ? grid().at(place) : std::nullopt;
    return thread ? textOf(*thread) : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

// ---- Elements

ElementView::ElementView(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Elements that the block computes"));
}

void ElementView::setBlock(StageBlockPtr block, std::optional<double> largestCell) {
  m_block = std::move(block);
  m_largestCell = largestCell;
  if (m_block) m_current = std::clamp<std::int64_t>(m_current, 0, m_block->threads.all() - 1);
  findOwned();
  update();
  emit laidOut();
}

void ElementView::setCurrent(std::int64_t thread) {
  m_current = thread;
  findOwned();
  update();
  emit laidOut();
}

void ElementView::findOwned() {
  m_owned.clear();
  if (!m_block) return;
  const ThreadBlock &block = m_block->threads;
  m_owned = block.ownedBy(block.placeOf(m_current));
  setAccessibleDescription(m_owned.size() == 1 ? tr("The current thread computes 1 element")
                                               : tr("The current thread computes %1 elements",
                                                    nullptr, numerus(qint64(m_owned.size())))
                                                     .arg(countText(qint64(m_owned.size()))));
}

ElementGrid ElementView::grid() const {
  if (!m_block) return {};
  return {m_block->threads.owners(), roomOf(*this),
          m_largestCell.value_or(ElementGrid::kLargestCell)};
}

QRectF ElementView::tile() const {
  if (!m_block || m_owned.empty()) return {};
  const block::OwnerMap &owners = m_block->threads.owners();
  const OwnedPoint &first = m_owned.front();
  Interval x{pipeline::kPlusInfinity, pipeline::kMinusInfinity}, y{0, 0};
  const bool isRow = owners.across == owners.down;
  if (!isRow) y = x;
  for (const OwnedPoint &point : m_owned) {
    if (point.turn != first.turn) continue;
    x = pipeline::hull(x, {point.at[owners.across], point.at[owners.across]});
    if (!isRow) y = pipeline::hull(y, {point.at[owners.down], point.at[owners.down]});
  }
  return grid().boxOf(x, y);
}

QString ElementView::textOf(std::int64_t x, std::int64_t y) const {
  const ThreadBlock &block = m_block->threads;
  const block::OwnerMap &owners = block.owners();
  const std::int32_t thread = owners.at(x, y);
  const QString element =
      owners.across == owners.down
          ? tr("%1 = %2").arg(QString::fromStdString(block.dims[owners.across])).arg(x)
          : tr("%1 = %2, %3 = %4")
                .arg(QString::fromStdString(block.dims[owners.across]))
                .arg(x)
                .arg(QString::fromStdString(block.dims[owners.down]))
                .arg(y);
  if (thread == block::OwnerMap::kNobody) return tr("%1 is computed by no thread").arg(element);
  return tr("%1 is computed by thread %2, lane %3 of warp %4")
      .arg(element, placeText(block.placeOf(thread)), countText(thread % block.warpSize),
           countText(thread / block.warpSize));
}

// Draws an image with one pixel for each element, because a tile may have thousands of elements.
void ElementView::paintElements(QPainter &painter, const ElementGrid &places) const {
  const Colors colors(palette());
  const ThreadBlock &block = m_block->threads;
  const block::OwnerMap &owners = block.owners();
  if (owners.threads.empty()) return;
  std::vector<QRgb> ofWarp;
  for (std::int64_t warp = 0; warp < block.warps(); ++warp)
    ofWarp.push_back(colors.kernelFill(int(warp) + 1).rgb());
  QImage image(int(owners.x.extent()), int(owners.y.extent()), QImage::Format_RGB32);
  const QRgb nobody = palette().color(QPalette::Base).rgb();
  for (int y = 0; y < image.height(); ++y) {
    auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const std::int32_t thread = owners.threads[std::size_t(y * image.width() + x)];
      line[x] = thread < 0 ? nobody : ofWarp[std::size_t(thread / block.warpSize)];
    }
  }
  painter.drawImage(places.area(), image);
  // The halo is what is outside of the block's own elements.
  const QRectF own = owners.across == owners.down
                         ? places.boxOf(block.own[owners.across], owners.y)
                         : places.boxOf(block.own[owners.across], block.own[owners.down]);
  QRegion outside(places.area().toRect());
  outside -= own.toRect();
  painter.save();
  painter.setClipRegion(outside);
  painter.fillRect(places.area(), QBrush(mix(colors.text, colors.canvas, 0.35), Qt::BDiagPattern));
  painter.restore();
  painter.setPen(QPen(colors.text, 1, Qt::DashLine));
  if (own.isValid()) painter.drawRect(own);
}

void ElementView::paintOwned(QPainter &painter, const ElementGrid &places) const {
  const Colors colors(palette());
  const ThreadBlock &block = m_block->threads;
  const block::OwnerMap &owners = block.owners();
  const bool isRow = owners.across == owners.down;
  QFont small = font();
  small.setPixelSize(qBound(7, int(places.cell() * 0.42), 11));
  painter.setFont(small);
  for (const OwnedPoint &point : m_owned) {
    const std::int64_t x = point.at[owners.across], y = isRow ? 0 : point.at[owners.down];
    const QRectF cell = places.boxOf({x, x}, {y, y});
    if (cell.isEmpty()) continue;
    const QColor fill = colors.kernelHue(int(m_current / block.warpSize) + 1);
    painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), fill);
    if (places.cell() < kNumberCell) continue;
    painter.setPen(colors.onTop(fill));
    painter.drawText(cell, Qt::AlignCenter, QString::number(point.turn));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colors.accent, 2));
  if (const QRectF frame = tile(); !frame.isEmpty()) painter.drawRect(frame);
}

void ElementView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (!m_block) return;
  const ElementGrid places = grid();
  paintElements(painter, places);
  paintOwned(painter, places);
}

void ElementView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  emit laidOut();
}

void ElementView::mousePressEvent(QMouseEvent *event) {
  if (!m_block || m_block->threads.owners().threads.empty()) return;
  const auto element = grid().at(event->position());
  if (!element) return;
  const std::int32_t thread = m_block->threads.owners().at(element->first, element->second);
  if (thread != block::OwnerMap::kNobody) emit chosen(thread);
}

bool ElementView::event(QEvent *event) {
  const auto textAt = [this](QPoint place) {
    if (!m_block || m_block->threads.owners().threads.empty()) return QString();
    const auto element = grid().at(place);
    return element ? textOf(element->first, element->second) : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views

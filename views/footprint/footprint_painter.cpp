// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/footprint_painter.h"

#include "views/tables/footprint_model.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace tessera::views {

using footprint::Entry;
using footprint::LevelBox;
using footprint::Role;

namespace {

constexpr double kRounding = 4;

class CardPainter {
public:
  CardPainter(QPainter &painter, const FootprintLook &look)
      : m_painter(painter), m_look(look), m_colors(look.palette),
        m_fill(m_colors.kernelFill(look.kernel)), m_hue(m_colors.kernelHue(look.kernel)) {}

  void paint(const Entry &entry, const LevelBox &box, const FootprintCard &card) {
    paintFrame(card);
    paintTitle(entry, box, card);
    const bool isRead = entry.role == Role::Read;
    const QColor base = m_look.palette.color(QPalette::Base);
    const QColor hue = isRead ? m_colors.faintText : m_hue;
    m_painter.save();
    m_painter.setClipRect(card.frame.adjusted(2, 2, -2, -2));
    const bool isChosen = entry.isWhole();
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(mix(base, hue, 0.18));
    m_painter.drawRect(card.box);
    m_painter.setBrush(isRead ? mix(base, hue, 0.4) : m_fill);
    if (!isChosen) m_painter.drawRect(card.core);
    if (isChosen) {
      m_painter.setBrush(QBrush(hue, Qt::DiagCrossPattern));
      m_painter.drawRect(card.box);
    } else if (entry.role != Role::Output) {
      paintOverlap(card, hue);
    }
    m_painter.setBrush(Qt::NoBrush);
    // A dashed outline shows values that only one thread sees: in registers, or inlined.
    const bool isOfThread = entry.role == Role::Inlined ||
                            (entry.memory && *entry.memory == cost::MemorySpace::Registers);
    m_painter.setPen(QPen(hue, 1.4, isOfThread ? Qt::DashLine : Qt::SolidLine));
    m_painter.drawRect(card.box);
    m_painter.restore();
    paintSizes(box, card);
  }

private:
  void paintFrame(const FootprintCard &card) {
    const bool isCurrent = int(card.entry) == m_look.current;
    m_painter.setPen(QPen(isCurrent ? m_colors.accent : m_colors.line, isCurrent ? 2 : 1));
    m_painter.setBrush(m_look.palette.color(QPalette::Base));
    m_painter.drawRoundedRect(card.frame, kRounding, kRounding);
  }

  void paintTitle(const Entry &entry, const LevelBox &box, const FootprintCard &card) {
    QFont bold = m_painter.font();
    bold.setBold(true);
    const QFont plain = m_painter.font();
    const double line = card.title.height() / 2;
    const QRectF first(card.title.topLeft(), QSizeF(card.title.width(), line));
    m_painter.setPen(m_colors.text);
    m_painter.setFont(bold);
    const QFontMetricsF metrics(bold);
    const QString name = QString::fromStdString(entry.name), size = extentText(box);
    const double room = first.width();
    // A name that is too long for both gets the line for itself.
    const bool hasBoth =
        metrics.horizontalAdvance(name) + 8 + QFontMetricsF(plain).horizontalAdvance(size) <= room;
    m_painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(name, Qt::ElideMiddle, room));
    m_painter.setFont(plain);
    if (hasBoth) m_painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, size);
    QStringList words{roleText(entry.role)};
    if (!hasBoth) words.prepend(size);
    if (entry.memory) words << memoryText(entry);
    if (const QString halo = haloText(entry, box); !halo.isEmpty()) words << halo;
    m_painter.setPen(m_colors.faintText);
    m_painter.drawText(
        first.translated(0, line), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(plain).elidedText(words.join(QStringLiteral(" · ")), Qt::ElideRight, room));
  }

  // Outlines the boxes of the next tiles across and down, and hatches what they share with this
  // one.
  void paintOverlap(const FootprintCard &card, const QColor &hue) {
    const QPointF by = card.next.topLeft() - card.box.topLeft();
    for (const QPointF &step : {QPointF(by.x(), 0), QPointF(0, by.y())}) {
      if (step.isNull()) continue;
      const QRectF next = card.box.translated(step);
      m_painter.setPen(Qt::NoPen);
      m_painter.setBrush(QBrush(hue, Qt::BDiagPattern));
      m_painter.drawRect(next.intersected(card.box));
      m_painter.setBrush(Qt::NoBrush);
      m_painter.setPen(QPen(mix(m_look.palette.color(QPalette::Base), hue, 0.6), 1, Qt::DotLine));
      m_painter.drawRect(next);
    }
  }

  void paintSizes(const LevelBox &box, const FootprintCard &card) {
    m_painter.setPen(m_colors.faintText);
    const auto textOf = [&](std::optional<std::size_t> dim) {
      return dim && box.sides[*dim].range.bounded()
                 ? QString::number(box.sides[*dim].range.extent())
                 : QString();
    };
    const QFontMetricsF metrics(m_painter.font());
    const QString across = textOf(card.across), down = textOf(card.down);
    const bool hasHandles = card.entry == 0; // they cover the middle of two edges
    if (card.box.bottom() + metrics.height() < card.frame.bottom())
      m_painter.drawText(QRectF(card.box.left(), card.box.bottom() + 1,
                                std::max(card.box.width(), metrics.horizontalAdvance(across)),
                                metrics.height()),
                         hasHandles ? Qt::AlignLeft : Qt::AlignHCenter, across);
    if (card.box.right() + metrics.horizontalAdvance(down) + 6 < card.frame.right())
      m_painter.drawText(
          QRectF(card.box.right() + 4,
                 hasHandles ? card.box.top() : card.box.center().y() - metrics.height() / 2,
                 metrics.horizontalAdvance(down) + 2, metrics.height()),
          Qt::AlignLeft | Qt::AlignVCenter, down);
  }

  QPainter &m_painter;
  const FootprintLook &m_look;
  Colors m_colors;
  QColor m_fill, m_hue;
};

} // namespace

void paintFootprint(QPainter &painter, const footprint::KernelFootprint &kernel,
                    const FootprintLayout &layout, const FootprintAxes &axes,
                    const FootprintLook &look) {
  CardPainter cards(painter, look);
  for (const FootprintCard &card : layout.cards) {
    const Entry &entry = kernel.entries[card.entry];
    cards.paint(entry, entry.at(axes.level), card);
  }
}

} // namespace tessera::views

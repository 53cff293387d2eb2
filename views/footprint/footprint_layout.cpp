// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/footprint_layout.h"

#include <algorithm>
#include <cmath>

namespace tessera::views {

using footprint::BoxSide;
using footprint::Entry;
using footprint::KernelFootprint;
using footprint::LevelBox;

namespace {

constexpr double kSpacing = 10, kPadding = 8;
constexpr double kCardWidth = 176, kFieldHeight = 116; // a card's field contains its box
constexpr double kOutputFactor = 1.35; // the output's card is larger, for its handles
constexpr double kThinnest = 5;        // least width and height of a drawn box, in pixels
constexpr double kNextPart = 0.24;     // part of the field that is left free for the next tiles
constexpr double kLargestElement = 16;

double extentOf(const LevelBox &box, std::optional<std::size_t> dim) {
  if (!dim) return 1;
  const pipeline::Interval &range = box.sides[*dim].range;
  return range.bounded() ? std::max<double>(1, double(range.extent())) : 1;
}

// The dimension to draw in a direction whose loop does not move the box: the longest free one.
std::optional<std::size_t> freeDim(const LevelBox &box, std::optional<std::size_t> taken,
                                   const FootprintAxes &axes) {
  std::optional<std::size_t> best;
  for (std::size_t d = 0; d < box.sides.size(); ++d) {
    const auto &by = box.sides[d].movedBy;
    if (d == taken || (by && (*by == axes.across || by == axes.down))) continue;
    if (!best || extentOf(box, d) > extentOf(box, best)) best = d;
  }
  return best && extentOf(box, best) > 1 ? best : std::nullopt;
}

class CardMaker {
public:
  CardMaker(const Entry &entry, const FootprintAxes &axes, std::optional<KeptScale> kept)
      : m_box(entry.at(axes.level)), m_isOutput(entry.role == footprint::Role::Output) {
    m_card.across = dimMovedBy(m_box, axes.across);
    m_card.down = axes.down ? dimMovedBy(m_box, *axes.down) : std::nullopt;
    if (m_card.down == m_card.across) m_card.down.reset(); // f(x + y): both loops move it
    if (!m_isOutput && !m_card.across) m_card.across = freeDim(m_box, m_card.down, axes);
    if (!m_isOutput && !m_card.down) m_card.down = freeDim(m_box, m_card.across, axes);
    findScale(kept);
  }

  FootprintCard at(QPointF place, double line) {
    const QSizeF field = fieldSize();
    m_card.frame = {place,
                    QSizeF(field.width() + 2 * kPadding, field.height() + 2 * line + 3 * kPadding)};
    m_card.title = {place + QPointF(kPadding, kPadding), QSizeF(field.width(), 2 * line)};
    const QPointF corner(place.x() + kPadding, m_card.title.bottom() + kPadding);
    const double width = pixels(m_card.across, m_card.pixelsAcross);
    const double height = pixels(m_card.down, m_card.pixelsDown);
    m_card.box = {corner, QSizeF(width, height)};
    m_card.core = m_card.box.adjusted(halo(m_card.across, m_card.pixelsAcross, &BoxSide::before), //
                                      halo(m_card.down, m_card.pixelsDown, &BoxSide::before),
                                      -halo(m_card.across, m_card.pixelsAcross, &BoxSide::after),
                                      -halo(m_card.down, m_card.pixelsDown, &BoxSide::after));
    if (m_card.core.width() < 1 || m_card.core.height() < 1) m_card.core = m_card.box;
    m_card.next = m_card.box.translated(step(m_card.across, m_card.pixelsAcross),
                                        step(m_card.down, m_card.pixelsDown));
    return m_card;
  }

  double width() const { return fieldSize().width() + 2 * kPadding; }

private:
  QSizeF fieldSize() const {
    const QSizeF size(kCardWidth, kFieldHeight);
    if (!m_isOutput) return size;
    // While an edge is dragged the scale stays, and the card grows with its box.
    const QSizeF box(extentOf(m_box, m_card.across) * m_card.pixelsAcross,
                     extentOf(m_box, m_card.down) * m_card.pixelsDown);
    return m_isKept ? (size * kOutputFactor).expandedTo(box) : size * kOutputFactor;
  }

  void findScale(std::optional<KeptScale> kept) {
    if (m_isOutput && kept) {
      m_isKept = true;
      m_card.pixelsAcross = kept->across;
      m_card.pixelsDown = kept->down;
      return;
    }
    const QSizeF room = fieldSize() * (1 - kNextPart);
    const double across = room.width() / extentOf(m_box, m_card.across);
    const double down = room.height() / extentOf(m_box, m_card.down);
    const double both = std::min({across, down, kLargestElement});
    // The same scale in both directions shows the shape of the box. If its short side becomes too
    // thin, that side gets a larger scale.
    m_card.pixelsAcross = m_card.pixelsDown = both;
    m_card.pixelsAcross =
        std::max(both, std::min(across, kThinnest / extentOf(m_box, m_card.across)));
    m_card.pixelsDown = std::max(both, std::min(down, kThinnest / extentOf(m_box, m_card.down)));
  }

  double pixels(std::optional<std::size_t> dim, double scale) const {
    return std::max(kThinnest, extentOf(m_box, dim) * scale);
  }

  double halo(std::optional<std::size_t> dim, double scale, std::int64_t BoxSide::*side) const {
    return dim ? std::max<double>(0, double(m_box.sides[*dim].*side)) * scale : 0;
  }

  double step(std::optional<std::size_t> dim, double scale) const {
    return dim && m_box.sides[*dim].movedBy ? m_box.sides[*dim].step * scale : 0;
  }

  const LevelBox &m_box;
  bool m_isOutput, m_isKept = false;
  FootprintCard m_card;
};

} // namespace

std::optional<std::size_t> dimMovedBy(const LevelBox &box, std::uint32_t loop) {
  for (std::size_t d = 0; d < box.sides.size(); ++d)
    if (box.sides[d].movedBy == loop) return d;
  return std::nullopt;
}

FootprintLayout layoutFootprint(const KernelFootprint &kernel, const FootprintAxes &axes,
                                double width, double line, std::optional<KeptScale> kept) {
  FootprintLayout layout;
  QPointF place(kSpacing, kSpacing);
  double bottom = 0;
  for (std::size_t e = 0; e < kernel.entries.size(); ++e) {
    CardMaker maker(kernel.entries[e], axes, kept);
    if (place.x() > kSpacing && place.x() + maker.width() + kSpacing > width)
      place = {kSpacing, bottom + kSpacing};
    FootprintCard card = maker.at(place, line);
    card.entry = e;
    bottom = std::max(bottom, card.frame.bottom());
    place.rx() += card.frame.width() + kSpacing;
    layout.size = {std::max(layout.size.width(), card.frame.right() + kSpacing), bottom + kSpacing};
    layout.cards.push_back(card);
  }
  return layout;
}

} // namespace tessera::views

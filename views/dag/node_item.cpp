// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/node_item.h"

#include "views/dag/dag_style.h"
#include "views/dag/kernel_groups.h"
#include "views/dag/name_lines.h"
#include "views/dag/node_facts.h"
#include "views/dag/view_draft.h"
#include "views/theme/kind_mark.h"
#include "views/theme/node_shape.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kHalo = 5; // room around the box for selection and match marks
// Height of the badge with the kernel's number, at the upper left.
constexpr double kBadgeHeight = 15;
// The parts of this height above and below the node's upper edge. paintBadge() paints the badge 1
// unit lower. Enlarging the badge changes only the part above.
constexpr double kBadgeAbove = 8;
constexpr double kBadgeBelow = 7;
constexpr double kDot = 6; // radius of the dot shown instead of a badge in a draft
// At small scales a node shows only its name and the numbers of its kernels. On the screen they
// keep these heights, in pixels, as far as the node has room.
constexpr double kReadableName = 9, kReadableBadge = 12;
constexpr int kFarTitle = 20;        // largest font size of a title in two lines, in scene units
constexpr double kFarLeading = 0.86; // line distance ÷ line height; names have few descenders
constexpr double kMostEnlarged = 2.2;
constexpr std::ptrdiff_t kMostBands = 6;
// Distance of the second outline of an added node from the first.
constexpr double kAddedInset = 3.5;

// The part of a convex shape between two vertical lines.
QPolygonF slice(const QPolygonF &shape, double left, double right) {
  const auto cut = [](const QPolygonF &from, double x, double side) {
    QPolygonF kept;
    for (qsizetype i = 0; i < from.size(); ++i) {
      const QPointF a = from[i], b = from[(i + 1) % from.size()];
      const bool isIn = (a.x() - x) * side >= 0;
      if (isIn) kept << a;
      if (isIn != ((b.x() - x) * side >= 0))
        kept << QPointF(x, a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()));
    }
    return kept;
  };
  return cut(cut(shape, left, 1), right, -1);
}

QString chipText(std::size_t chip, std::size_t shown, std::size_t all) {
  if (chip + 1 == shown && shown < all) return QStringLiteral("+%1").arg(all - shown + 1);
  return chip == 0 ? QStringLiteral("def") : QStringLiteral("upd %1").arg(chip - 1);
}

} // namespace

DagStyle::DagStyle(const QPalette &palette, const QFont &base)
    : colors(palette), title(base), detail(base), chip(base), badge(base), near(base),
      nearTitle(base), farTitle(base) {
  // Sizes are in scene units, which the view scales, so they are pixel sizes that do not depend on
  // the desktop's DPI.
  title.setPixelSize(13);
  title.setWeight(QFont::DemiBold);
  detail.setPixelSize(11);
  chip.setPixelSize(9);
  near.setPixelSize(8);
  nearTitle.setPixelSize(10);
  nearTitle.setWeight(QFont::DemiBold);
  farTitle.setPixelSize(kFarTitle);
  farTitle.setWeight(QFont::DemiBold);
  badge.setPixelSize(10);
  badge.setWeight(QFont::DemiBold);
}

bool DagStyle::hasFontsOf(const DagStyle &other) const {
  const auto fonts = [](const DagStyle &style) {
    return std::tie(style.title, style.detail, style.chip, style.badge, style.near, style.nearTitle,
                    style.farTitle);
  };
  return fonts(*this) == fonts(other);
}

MeasureText DagStyle::measure() const {
  return [titleMetrics = QFontMetricsF(title),
          detailMetrics = QFontMetricsF(detail)](const QString &text, TextRole role) {
    return (role == TextRole::Title ? titleMetrics : detailMetrics).horizontalAdvance(text);
  };
}

NodeItem::NodeItem(const DagNode &node, const QRectF &rect, std::shared_ptr<const DagStyle> style,
                   NodeTexts &texts, const ShownSchedulePtr &shown)
    : m_node(node), m_rect(rect), m_shape(nodeShape(node.kind, node.isOutput, rect)),
      m_style(std::move(style)), m_texts(texts), m_shown(shown) {
  setAcceptedMouseButtons(Qt::NoButton);
  takeColors();
  takeText();
}

void NodeItem::setMarks(const NodeMarks &marks) {
  if (marks == m_marks) return;
  m_marks = marks;
  update();
}

bool NodeItem::setPlace(const NodePlace &place, std::optional<double> heat) {
  if (place == m_place && heat == m_heat) return false;
  m_place = place;
  m_heat = heat;
  takeColors();
  takeBadge();
  return true;
}

void NodeItem::setStyle(std::shared_ptr<const DagStyle> style) {
  const bool sameFonts = m_style->hasFontsOf(*style);
  m_style = std::move(style);
  takeColors();
  if (!sameFonts) takeText();
}

// Text is shaped once, neither in each frame nor after a colour change: for a thousand nodes,
// shaping takes as long as two frames.
void NodeItem::takeText() {
  m_badge = {};
  m_farName.reset();
  const double glyph = m_node.kind == StageKind::Reduction ? 14 : 0;
  m_texts.titles.setFont(m_style->title);
  m_title = m_texts.titles.elided(m_node.title, m_rect.width() - 18 - glyph);
  m_texts.details.setFont(m_style->detail);
  m_detail = m_texts.details.elided(m_node.detail, m_rect.width() - 18);
}

// The outline and the mark of the kind keep their colours; the fill shows the kernel or the cost.
void NodeItem::takeColors() {
  const Colors &colors = m_style->colors;
  m_fill = colors.nodeFill(m_node.kind, m_node.isOutput);
  m_border = colors.nodeBorder(m_node.kind, m_node.isOutput);
  m_block = colors.nodeBlock(m_node.kind, m_node.isOutput);
  m_text = colors.text;
  m_detailText = colors.faintText;
  m_bands.clear();
  const bool isOfOne = !m_place.isInlined || m_place.kernels.size() == 1;
  if (m_heat) {
    m_fill = m_block = colors.heat(*m_heat);
    m_text = m_detailText = colors.onTop(m_fill);
    m_badgeFill = mix(m_fill, colors.text, 0.75);
  } else if (m_place.kernel() > 0 && isOfOne) {
    m_fill = colors.kernelFill(m_place.colour());
    m_block = colors.kernelBlock(m_place.colour());
    m_detailText = mix(m_fill, colors.text, 0.75);
    m_badgeFill = colors.kernelHue(m_place.colour());
  }
  m_badgeText = colors.onTop(m_badgeFill);
  if (!m_heat && m_place.isSplit()) takeBands();
  if (m_place.isInlined && !m_heat) {
    m_fill = colors.ghost(m_fill);
    m_block = colors.ghost(m_block);
    m_text = colors.faintText;
  }
  m_hoverFill = mix(m_fill, m_border, 0.15);
  m_chipFill = mix(m_fill, m_border, 0.22);
}

// One band for each kernel. If there are too many kernels, the first and the last ones are kept.
void NodeItem::takeBands() {
  std::vector<int> colours = m_place.colours;
  if (colours.size() > kMostBands)
    colours.erase(colours.begin() + kMostBands / 2, colours.end() - kMostBands / 2);
  const double width = m_rect.width() / double(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i)
    m_bands.push_back(
        {slice(m_shape, m_rect.left() + double(i) * width, m_rect.left() + double(i + 1) * width),
         m_style->colors.kernelFill(colours[i]), m_style->colors.kernelBlock(colours[i])});
}

void NodeItem::takeBadge() {
  const QString words = !m_heat            ? m_place.label
                        : m_place.part > 0 ? partText(m_place.part)
                                           : QString();
  if (std::exchange(m_badgeWords, words) != words) m_badge = {};
}

QRectF NodeItem::haloRect() const { return m_rect.adjusted(-kHalo, -kHalo, kHalo, kHalo); }

QRectF NodeItem::boundingRect() const {
  return haloRect().adjusted(0, kHalo + kBadgeBelow - kBadgeHeight * kMostEnlarged, 0, 0);
}

QPen NodeItem::outlinePen(double scale) const {
  const Colors &colors = m_style->colors;
  const double pixel = 1 / scale;
  QPen pen(m_place.isInlined ? mix(m_border, colors.canvas, 0.2) : m_border, 1.2);
  if (m_place.isInlined) pen.setDashPattern({3.5, 2.5});
  if (m_marks.producer) pen = QPen(colors.producer, std::max(2.2, 1.5 * pixel));
  if (m_marks.consumer) pen = QPen(colors.consumer, std::max(2.2, 1.5 * pixel), Qt::CustomDashLine);
  if (m_marks.consumer) pen.setDashPattern({3, 1.6});
  if (m_marks.hovered) pen = QPen(colors.text, std::max(1.8, 1.5 * pixel));
  if (m_marks.selected) pen = QPen(colors.accent, std::max(2.4, 2 * pixel));
  pen.setJoinStyle(Qt::MiterJoin);
  return pen;
}

void NodeItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) {
  const Colors &colors = m_style->colors;
  const double scale = painter->worldTransform().m11();
  const Detail detail = detailAt(scale);
  const bool marked = m_marks != NodeMarks();

  if (m_marks.match || m_marks.active) {
    QColor halo = m_marks.active ? colors.accent : colors.warning;
    halo.setAlphaF(m_marks.active ? 0.22F : 0.35F);
    painter->setPen(Qt::NoPen);
    painter->setBrush(halo);
    painter->drawRoundedRect(haloRect(), 8, 8);
  }
  if (detail == Detail::Block) {
    // A frame can have a thousand nodes, so plain boxes are filled without a smoothed outline.
    const bool isBox = m_node.kind == StageKind::Pure && !m_node.isOutput;
    if (isBox && !marked && m_bands.empty()) return painter->fillRect(m_rect, m_block);
    painter->setRenderHint(QPainter::Antialiasing, scale > 0.12 && !isDraft(*painter));
    painter->setPen(marked ? outlinePen(scale) : QPen(Qt::NoPen));
    return paintBody(*painter, detail);
  }
  const bool draft = isDraft(*painter);
  painter->setRenderHint(QPainter::Antialiasing, !draft);
  painter->setPen(draft && !marked ? QPen(m_border, 0) : outlinePen(scale));
  paintBody(*painter, detail);

  const bool full = detail >= Detail::Full;
  const bool chips = m_node.subjects.size() > 1;
  const double body = m_rect.height() - (chips ? kChipRowHeight : 0);
  if (detail == Detail::Near && m_shown && m_node.kind > StageKind::Scalar) {
    paintNear(*painter, body);
    paintBadge(*painter);
    paintFrozen(*painter);
    if (chips) paintChips(*painter);
    return;
  }
  if (!full) {
    paintFarName(*painter, scale);
    if (draft) return paintDot(*painter);
    const double enlarged = kReadableBadge / scale / kBadgeHeight;
    paintBadge(*painter, enlarged);
    return paintFrozen(*painter, enlarged);
  }
  paintTitle(*painter, m_rect.top() + 5);
  // Small text, badge and chips are left out in drafts.
  if (draft) return paintDot(*painter);
  paintBadge(*painter);
  paintFrozen(*painter);
  painter->setPen(m_detailText);
  m_detail.paint(*painter, QPointF(m_rect.center().x() - m_detail.size().width() / 2,
                                   m_rect.top() + body - m_detail.size().height() - 4));
  if (chips) paintChips(*painter);
}

void NodeItem::paintTitle(QPainter &painter, double top) const {
  const QSizeF size = m_title.size();
  const double glyph = m_node.kind == StageKind::Reduction ? 14 : 0;
  const double left = m_rect.center().x() - (size.width() + glyph) / 2;
  painter.setPen(m_text);
  m_title.paint(painter, QPointF(left + glyph, top));
  if (glyph == 0) return;
  painter.setFont(m_style->title);
  painter.setPen(m_border);
  painter.drawText(QRectF(left - 2, top, glyph, size.height()), Qt::AlignCenter,
                   QStringLiteral("Σ"));
}

// The name is enlarged until it is readable. If it has no room in one line then, it gets two.
void NodeItem::paintFarName(QPainter &painter, double scale) {
  const double room = m_rect.width() - 12;
  const double enlarged =
      std::clamp(kReadableName / (scale * m_style->title.pixelSize()), 1.0, kMostEnlarged);
  const bool isWhole = m_title.text() == m_node.title;
  const QTransform before = painter.worldTransform();
  painter.translate(m_rect.center());
  if (isWhole && m_title.size().width() * enlarged <= room) {
    painter.scale(enlarged, enlarged);
    painter.translate(-m_rect.center());
    paintTitle(painter, m_rect.center().y() - m_title.size().height() / 2);
  } else {
    // These lines are shaped when first painted, because they are needed only after the user has
    // zoomed out.
    if (!m_farName) {
      const QFontMetricsF metrics(m_style->farTitle);
      const QStringList lines = nameLines(
          m_node.title, room, [&](const QString &text) { return metrics.horizontalAdvance(text); });
      m_farName.emplace();
      for (const QString &line : lines)
        m_farName->emplace_back().set(line, m_style->farTitle);
    }
    const double smaller = std::min(1.0, kReadableName / (scale * kFarTitle));
    painter.scale(smaller, smaller);
    painter.setPen(m_text);
    const double line = m_farName->front().size().height() * kFarLeading;
    double top = -(line * double(m_farName->size() - 1) + m_farName->front().size().height()) / 2;
    for (const TextRun &run : *m_farName) {
      run.paint(painter, QPointF(-run.size().width() / 2, top));
      top += line;
    }
  }
  painter.setWorldTransform(before);
}

// At high zoom a node shows three lines instead of two. The third line is about its decisions.
void NodeItem::paintNear(QPainter &painter, double body) {
  if (m_factsOf != m_shown) {
    m_factsOf = m_shown;
    m_facts = QFontMetricsF(m_style->near)
                  .elidedText(factsOf(m_node, *m_shown, m_place.part), Qt::ElideMiddle,
                              m_rect.width() - 12);
  }
  const QRectF room(m_rect.left() + 4, m_rect.top() + 2, m_rect.width() - 8, body - 4);
  const double line = room.height() / 3;
  const auto paint = [&](int row, const QFont &font, const QColor &color, const QString &text) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRectF(room.left(), room.top() + row * line, room.width(), line),
                     Qt::AlignCenter, text);
  };
  const bool isSum = m_node.kind == StageKind::Reduction;
  paint(0, m_style->nearTitle, m_text,
        (isSum ? QStringLiteral("Σ ") : QString()) +
            QFontMetricsF(m_style->nearTitle)
                .elidedText(m_node.title, Qt::ElideMiddle, room.width() - (isSum ? 20 : 8)));
  paint(1, m_style->near, m_detailText, m_node.detail);
  paint(2, m_style->near, m_detailText, m_facts);
}

void NodeItem::paintBody(QPainter &painter, Detail detail) const {
  const bool isBlock = detail == Detail::Block;
  const QPen pen = painter.pen();
  if (!m_bands.empty()) {
    painter.setPen(Qt::NoPen);
    for (const Band &band : m_bands) {
      painter.setBrush(isBlock ? band.block : band.fill);
      painter.drawPolygon(band.shape);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
  } else {
    painter.setBrush(isBlock ? m_block : m_marks.hovered ? m_hoverFill : m_fill);
  }
  painter.drawPolygon(m_shape);
  if (isBlock || m_node.addedAs.isEmpty()) return;
  painter.setPen(QPen(m_border, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolygon(
      nodeShape(m_node.kind, m_node.isOutput,
                m_rect.adjusted(kAddedInset, kAddedInset, -kAddedInset, -kAddedInset)));
}

// A dot replaces the badge while the view changes quickly.
void NodeItem::paintDot(QPainter &painter) const {
  if (m_badgeWords.isEmpty()) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_badgeFill);
  painter.drawEllipse(m_rect.topLeft() + QPointF(3, 3), kDot, kDot);
}

// An enlarged badge grows to the right and upwards, away from the name.
void NodeItem::paintBadge(QPainter &painter, double enlarged) {
  if (m_badgeWords.isEmpty()) return;
  if (m_badge.text().isEmpty()) m_badge.set(m_badgeWords, m_style->badge);
  const QTransform before = painter.worldTransform();
  painter.translate(m_rect.left() - kHalo + 1, m_rect.top() - kBadgeAbove + 1 + kBadgeHeight);
  const QSizeF text = m_badge.size();
  const QRectF badge(0, -kBadgeHeight, std::max(text.width() + 9, kBadgeHeight + 1), kBadgeHeight);
  const double factor =
      std::clamp(std::min(enlarged, m_rect.width() / badge.width()), 1.0, kMostEnlarged);
  painter.scale(factor, factor);
  painter.setPen(QPen(m_style->colors.canvas, 1.2));
  painter.setBrush(m_badgeFill);
  painter.drawRoundedRect(badge, kBadgeHeight / 2, kBadgeHeight / 2);
  painter.setPen(m_badgeText);
  m_badge.paint(painter, badge.center() - QPointF(text.width(), text.height()) / 2);
  painter.setWorldTransform(before);
}

// At the upper right, as high as the badge. Enlarged, it grows to the left and upwards.
void NodeItem::paintFrozen(QPainter &painter, double enlarged) const {
  if (!m_place.isFrozenBySearch) return;
  const double radius = kBadgeHeight / 2 * std::clamp(enlarged, 1.0, kMostEnlarged);
  const QPointF corner(m_rect.right() + kHalo - 1, m_rect.top() + kBadgeBelow);
  paintFrozenMark(painter, corner - QPointF(radius, radius), radius, m_style->colors);
}

void NodeItem::paintChips(QPainter &painter) const {
  const Colors &colors = m_style->colors;
  const std::vector<QRectF> rects = chipRects(m_rect, m_node.subjects.size());
  painter.setFont(m_style->chip);
  for (std::size_t i = 0; i < rects.size(); ++i) {
    const bool active = m_marks.activeChip == int(i);
    // If several kernels compute the node, each chip has the colour of its stage's kernel.
    const bool isOfKernel = !m_bands.empty() && i < m_place.chipColours.size();
    const int colour = isOfKernel ? m_place.chipColours[i] : 0;
    const QColor fill = active ? colors.accent : colour > 0 ? colors.kernelHue(colour) : m_chipFill;
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rects[i], 4, 4);
    painter.setPen(active       ? QColor(Qt::white)
                   : colour > 0 ? colors.onTop(fill)
                   : m_heat     ? m_text
                                : colors.text);
    painter.drawText(rects[i], Qt::AlignCenter, chipText(i, rects.size(), m_node.subjects.size()));
  }
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/hull_item.h"

#include "views/dag/dag_style.h"
#include "views/dag/view_draft.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>

namespace tessera::views {

namespace {

constexpr double kRoom = 60;              // margin around the DAG for hulls and enlarged labels
constexpr std::size_t kSmoothHulls = 120; // smooth outlines are slow to paint
constexpr double kLabelHeight = 15;
constexpr qsizetype kMostRuns = 4000;
constexpr double kFullScale = 0.62; // at this scale and above, a node's badge is readable
constexpr double kLargePart = 0.04; // a kernel with a larger share of the predicted time is large
constexpr double kLongestLabel = 160;
// The greatest assumed length of a chain of overlapping labels, in pixels. Only a label that is
// drawn hides others, so whether a label is drawn can depend on the whole chain.
constexpr double kMostOverlap = 500;
constexpr double kReadable = 0.85; // below this scale, labels keep their size on the screen

} // namespace

bool HullPicture::isExposed(const QRectF &rect, const QRectF &told) const {
  if (exposed.empty()) return rect.intersects(told);
  return std::ranges::any_of(exposed, [&](const QRectF &part) { return part.intersects(rect); });
}

DropMark HullPicture::dropOn(const KernelGroup &group) const {
  for (const int kernel : group.kernels)
    if (const auto at = drops->find(kernel); at != drops->end()) return at->second;
  return {};
}

bool HullPicture::isUnder(const KernelGroup &group) const {
  return under && std::ranges::find(group.kernels, *under) != group.kernels.end();
}

HullItem::HullItem(const HullPicture &picture, const QRectF &bounds)
    : m_picture(picture), m_bounds(bounds.adjusted(-kRoom, -kRoom, kRoom, kRoom)) {
  setFlag(ItemUsesExtendedStyleOption); // needed for exposedRect
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(-3);
}

void HullItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *) {
  if (!m_picture.hulls) return;
  const Colors &colors = m_picture.style->colors;
  const double scale = painter->worldTransform().m11();
  // From afar a node is a block of its kernel's colour, so a hull around a single node adds
  // nothing.
  const bool isFar = detailAt(scale) == Detail::Block && !m_picture.drops;
  std::vector<const KernelHull *> seen;
  for (const KernelHull &hull : *m_picture.hulls)
    if (m_picture.isExposed(hull.bounds, option->exposedRect) &&
        (!isFar || hull.group.nodes.size() > 1))
      seen.push_back(&hull);
  // Large hulls are painted first, so that they do not hide small ones.
  std::ranges::stable_sort(seen, std::greater(), [](const KernelHull *hull) {
    return hull->bounds.width() * hull->bounds.height();
  });
  // The scale and the number of all hulls decide whether outlines are smoothed. If only exposed
  // hulls counted, a repainted strip could look different from its surroundings.
  const bool isSmooth = (!isFar || m_picture.hulls->size() <= kSmoothHulls) && !isDraft(*painter);
  for (const KernelHull *hull : seen) {
    const KernelGroup &group = hull->group;
    const bool isActive = m_picture.active && std::ranges::find(group.kernels, *m_picture.active) !=
                                                  group.kernels.end();
    // Opaque fills and lines one pixel wide are several times as fast as blending and wide
    // outlines.
    const QColor hue = colors.kernelHue(group.colour);
    QColor fill = mix(colors.canvas, hue, (colors.dark ? 0.17 : 0.12) + (isActive ? 0.08 : 0));
    QPen pen(mix(colors.canvas, hue, 0.62), isActive ? std::max(2.4, 1 / scale) : 0);
    if (m_picture.drops) {
      const DropMark drop = m_picture.dropOn(group);
      const bool isUnder = m_picture.isUnder(group);
      if (drop.state == DropMark::State::Legal) {
        pen = QPen(colors.success, std::max(isUnder ? 3.5 : 2.2, 1.6 / scale));
        fill = mix(colors.canvas, colors.success, isUnder ? 0.3 : 0.14);
      } else {
        pen = QPen(mix(colors.canvas, isUnder ? colors.error : colors.text, isUnder ? 0.9 : 0.35),
                   std::max(isUnder ? 2.2 : 1.0, 1 / scale), Qt::DashLine);
        fill = mix(colors.canvas, hue, 0.05);
      }
    }
    // A smooth fill takes several times as long, and the outline covers its edge.
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->fillPath(hull->path, fill);
    painter->setRenderHint(QPainter::Antialiasing, isSmooth);
    painter->strokePath(hull->path, pen);
  }
}

HullLabelItem::HullLabelItem(const HullPicture &picture, const QRectF &bounds)
    : m_picture(picture), m_bounds(bounds.adjusted(-kRoom, -kRoom, kRoom, kRoom)) {
  setFlag(ItemUsesExtendedStyleOption);
  setAcceptedMouseButtons(Qt::NoButton);
  setZValue(2);
}

QString HullLabelItem::textOf(const KernelGroup &group) const {
  if (!m_picture.drops) return group.label;
  const DropMark drop = m_picture.dropOn(group);
  const QString mark = drop.state == DropMark::State::Legal     ? QStringLiteral("✓ ")
                       : drop.state == DropMark::State::Refused ? QStringLiteral("✗")
                       : drop.text.isEmpty()                    ? QStringLiteral("…")
                                                                : QString();
  return kernelNumbers(group.kernels) + QStringLiteral(" · ") + mark + drop.text;
}

const TextRun &HullLabelItem::runOf(const QString &text) {
  const bool isOtherFont =
      m_runsOf != m_picture.style && m_runsOf && !m_runsOf->hasFontsOf(*m_picture.style);
  if (m_runs.size() > kMostRuns || isOtherFont) m_runs.clear();
  m_runsOf = m_picture.style;
  TextRun &run = m_runs[text];
  if (run.text().isEmpty()) run.set(text, m_picture.style->badge);
  return run;
}

// Selects the labels to draw. Labels that are enlarged relative to the scene must not cover each
// other: of two overlapping ones, the one of the kernel that takes longer is drawn. An enlarged
// label must also be at most as wide as its hull and half as high. During a drag, the hull under
// the pointer always gets its label. At normal size, no label is left out for lack of room.
std::vector<HullLabelItem::Label> HullLabelItem::labels(const QRectF &near, double size) {
  // From afar, the hull of a single node gets a label only if its kernel is large.
  const bool isFar = size > kReadable / kFullScale && !m_picture.drops;
  std::vector<const KernelHull *> hulls;
  for (const KernelHull &hull : *m_picture.hulls)
    if (near.contains(hull.labelAt) &&
        (!isFar || hull.group.nodes.size() > 1 || hull.group.part > kLargePart))
      hulls.push_back(&hull);
  std::ranges::stable_sort(hulls, std::greater(), [&](const KernelHull *hull) {
    return std::pair(m_picture.drops && m_picture.isUnder(hull->group), hull->group.part);
  });
  const bool isLarger = size > 1;
  std::vector<Label> labels;
  for (const KernelHull *hull : hulls) {
    QString text = textOf(hull->group);
    const auto pillOf = [&](const QString &words) {
      return QSizeF((runOf(words).size().width() + 12) * size, kLabelHeight * size);
    };
    const auto isTooLarge = [&](const QSizeF &pill) {
      return isLarger && !m_picture.isUnder(hull->group) &&
             (pill.width() > hull->bounds.width() || pill.height() * 2 > hull->bounds.height());
    };
    QSizeF pill = pillOf(text);
    if (isTooLarge(pill) && !m_picture.drops) { // a small kernel keeps at least its number
      text = kernelNumbers(hull->group.kernels);
      pill = pillOf(text);
    }
    if (isTooLarge(pill)) continue;
    const double top = isLarger ? hull->labelAt.y() + kLabelHeight / 2 - pill.height()
                                : hull->labelAt.y() - pill.height() / 2;
    const QRectF rect(QPointF(hull->labelAt.x() - pill.width(), top), pill);
    const auto covers = [&](const Label &other) { return other.pill.intersects(rect); };
    if (isLarger && std::ranges::any_of(labels, covers)) continue;
    labels.push_back({hull, text, rect});
  }
  return labels;
}

void HullLabelItem::paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *) {
  if (!m_picture.hulls || isDraft(*painter)) return;
  const double size = std::max(1.0, kReadable / painter->worldTransform().m11());
  painter->setRenderHint(QPainter::Antialiasing, true);
  // Labels beyond the exposed area are considered too, as far as they can reach into it or decide
  // which labels in it are hidden. So the result does not depend on the strip being painted.
  const double around = size > 1 ? kMostOverlap * size : kLongestLabel;
  for (const Label &label :
       labels(option->exposedRect.adjusted(-around, -around, around, around), size))
    if (m_picture.isExposed(label.pill.adjusted(-2, -2, 2, 2), option->exposedRect))
      paintLabel(*painter, label, size);
}

void HullLabelItem::paintLabel(QPainter &painter, const Label &label, double size) {
  const Colors &colors = m_picture.style->colors;
  const KernelGroup &group = label.hull->group;
  QColor edge = mix(colors.canvas, colors.kernelHue(group.colour), 0.8);
  QColor fill = mix(colors.canvas, colors.kernelHue(group.colour), colors.dark ? 0.3 : 0.16);
  if (m_picture.drops) {
    const bool isLegal = m_picture.dropOn(group).state == DropMark::State::Legal;
    edge = isLegal ? colors.success : mix(colors.canvas, colors.text, 0.4);
    fill = mix(colors.canvas, edge, 0.16);
  }
  const QTransform before = painter.worldTransform();
  painter.translate(label.pill.topLeft());
  painter.scale(size, size);
  const QRectF pill(QPointF(), label.pill.size() / size);
  painter.setPen(QPen(edge, 1));
  painter.setBrush(fill);
  painter.drawRoundedRect(pill, kLabelHeight / 2, kLabelHeight / 2);
  painter.setPen(colors.text);
  const TextRun &run = runOf(label.text);
  run.paint(painter, pill.center() - QPointF(run.size().width(), run.size().height()) / 2);
  painter.setWorldTransform(before);
}

} // namespace tessera::views

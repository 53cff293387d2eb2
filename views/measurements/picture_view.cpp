// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/picture_view.h"

#include "views/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kSmallest = 512;       // limit for the longer side of the smallest level, in pixels
constexpr double kMostScale = 64;    // pixels of the widget for one pixel of the picture
constexpr double kLookedAtScale = 8; // scale at which lookAt() shows a pixel
constexpr double kStep = 1.25;       // zoom factor of the wheel and the keys
constexpr double kArrowStep = 48;

} // namespace

std::vector<QImage> withHalves(QImage image) {
  std::vector<QImage> levels{std::move(image)};
  while (std::max(levels.back().width(), levels.back().height()) > kSmallest)
    levels.push_back(levels.back().scaled((levels.back().size() / 2).expandedTo({1, 1}),
                                          Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
  return levels;
}

PictureView::PictureView(QWidget *parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void PictureView::show(std::vector<QImage> levels) {
  const QSize before = picture() ? picture()->size() : QSize();
  m_levels = std::move(levels);
  m_note.clear();
  if (picture() && (m_isFitted || picture()->size() != before)) fit();
  update();
}

void PictureView::setNote(const QString &text) {
  m_levels.clear();
  m_note = text;
  update();
}

void PictureView::setMark(std::optional<QPoint> pixel) {
  m_mark = pixel;
  update();
}

double PictureView::fittingScale() const {
  const QSizeF size = picture()->size();
  return std::min({width() / size.width(), height() / size.height(), kMostScale});
}

QRectF PictureView::shownRect() const { return {m_origin, QSizeF(picture()->size()) * m_scale}; }

void PictureView::fit() {
  if (!picture()) return;
  m_isFitted = true;
  m_scale = fittingScale();
  const QSizeF size = QSizeF(picture()->size()) * m_scale;
  m_origin = {(width() - size.width()) / 2, (height() - size.height()) / 2};
  update();
}

void PictureView::zoomTo(double scale, const QPointF &around) {
  if (!picture()) return;
  const double least = std::min(1.0, fittingScale());
  const double wanted = std::clamp(scale, least, kMostScale);
  m_origin = around - (around - m_origin) * (wanted / m_scale);
  m_scale = wanted;
  m_isFitted = false;
  moveBy({});
}

void PictureView::lookAt(const QPoint &pixel) {
  if (!picture()) return;
  zoomTo(std::max(m_scale, kLookedAtScale), rect().center());
  moveBy(QRectF(rect()).center() - placeOf(pixel));
}

// A part of the picture always stays visible.
void PictureView::moveBy(const QPointF &distance) {
  if (!picture()) return;
  const QSizeF size = shownRect().size();
  const QPointF to = m_origin + distance;
  const QPointF middle = QRectF(rect()).center();
  m_origin = {std::clamp(to.x(), middle.x() - size.width(), middle.x()),
              std::clamp(to.y(), middle.y() - size.height(), middle.y())};
  update();
}

std::optional<QPoint> PictureView::pixelAt(const QPointF &place) const {
  if (!picture()) return std::nullopt;
  const QPointF at = (place - m_origin) / m_scale;
  const QPoint pixel(int(std::floor(at.x())), int(std::floor(at.y())));
  return picture()->rect().contains(pixel) ? std::optional(pixel) : std::nullopt;
}

QPointF PictureView::placeOf(const QPoint &pixel) const {
  return m_origin + (QPointF(pixel) + QPointF(0.5, 0.5)) * m_scale;
}

void PictureView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  const Colors colors(palette());
  painter.fillRect(rect(), palette().window());
  if (!picture()) {
    painter.setPen(colors.faintText);
    painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, m_note);
    return;
  }
  // Uses the smallest level that has at least as many pixels as are shown.
  std::size_t level = 0;
  while (level + 1 < m_levels.size() && m_scale * double(std::size_t{2} << level) <= 1)
    ++level;
  const QImage &image = m_levels[level];
  const QRectF whole = shownRect();
  const QRectF seen = whole.intersected(rect());
  const double across = image.width() / whole.width(), down = image.height() / whole.height();
  const QRectF source((seen.left() - whole.left()) * across, (seen.top() - whole.top()) * down,
                      seen.width() * across, seen.height() * down);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, m_scale < 1);
  painter.drawImage(seen, image, source);
  if (m_mark) {
    const double half = std::max(6.0, m_scale / 2 + 2);
    const QPointF middle = placeOf(*m_mark);
    const QRectF around(middle - QPointF(half, half), QSizeF(2 * half, 2 * half));
    painter.setPen(QPen(Qt::black, 3)); // black under white is visible on any colour
    painter.drawRect(around);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawRect(around);
  }
  if (!hasFocus()) return;
  painter.setPen(colors.accent);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PictureView::resizeEvent(QResizeEvent *) { m_isFitted ? fit() : moveBy({}); }

void PictureView::wheelEvent(QWheelEvent *event) {
  const double turns = event->angleDelta().y() / 120.0;
  if (turns != 0) zoomTo(m_scale * std::pow(kStep, turns), event->position());
  event->accept();
}

void PictureView::mousePressEvent(QMouseEvent *event) { m_dragged = event->position(); }

void PictureView::mouseMoveEvent(QMouseEvent *event) {
  if (event->buttons() & Qt::LeftButton) {
    m_isFitted = false;
    moveBy(event->position() - std::exchange(m_dragged, event->position()));
  }
  emit pointedAt(pixelAt(event->position()));
}

void PictureView::mouseDoubleClickEvent(QMouseEvent *) { fit(); }

void PictureView::leaveEvent(QEvent *) { emit pointedAt(std::nullopt); }

bool PictureView::isOwnKey(const QKeyEvent &event) const {
  switch (event.key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
  case Qt::Key_Minus:
  case Qt::Key_0:
  case Qt::Key_1:
  case Qt::Key_Left:
  case Qt::Key_Right:
  case Qt::Key_Up:
  case Qt::Key_Down:
    return !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  default:
    return false;
  }
}

// The picture gets these keys before any shortcut does.
bool PictureView::event(QEvent *event) {
  if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent *>(event)))
    event->accept();
  return QWidget::event(event);
}

void PictureView::keyPressEvent(QKeyEvent *event) {
  if (!picture() || !isOwnKey(*event)) return QWidget::keyPressEvent(event);
  const QPointF middle = QRectF(rect()).center();
  const auto move = [this](double x, double y) {
    m_isFitted = false;
    moveBy({x, y});
  };
  switch (event->key()) {
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    return zoomTo(m_scale * kStep, middle);
  case Qt::Key_Minus:
    return zoomTo(m_scale / kStep, middle);
  case Qt::Key_0:
    return fit();
  case Qt::Key_1:
    return zoomTo(1, middle);
  case Qt::Key_Left:
    return move(kArrowStep, 0);
  case Qt::Key_Right:
    return move(-kArrowStep, 0);
  case Qt::Key_Up:
    return move(0, kArrowStep);
  default:
    return move(0, -kArrowStep);
  }
}

} // namespace tessera::views

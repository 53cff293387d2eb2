// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QWidget>

#include <optional>
#include <vector>

namespace tessera::views {

// An image and successive halvings of it, down to a size that is painted fast. A large image is
// painted from the level nearest to the scale.
std::vector<QImage> withHalves(QImage image);

// A picture that is zoomed with the wheel, + and −, moved by dragging and the arrow keys, and
// fitted by 0 or a double click; 1 shows it pixel by pixel. pointedAt() reports the pixel under the
// pointer.
class PictureView : public QWidget {
  Q_OBJECT
public:
  explicit PictureView(QWidget *parent = nullptr);

  // A picture of the same size keeps its zoom and place. Without levels the view is empty.
  void show(std::vector<QImage> levels);
  void setNote(const QString &text); // shown instead of a picture

  const QImage *picture() const { return m_levels.empty() ? nullptr : &m_levels.front(); }
  double scale() const { return m_scale; }
  std::optional<QPoint> pixelAt(const QPointF &place) const;
  QPointF placeOf(const QPoint &pixel) const; // the middle of the pixel

  void fit();
  void zoomTo(double scale, const QPointF &around);
  void lookAt(const QPoint &pixel); // zooms in on the pixel and marks it
  void setMark(std::optional<QPoint> pixel);

  QSize sizeHint() const override { return {480, 240}; }
  QSize minimumSizeHint() const override { return {160, 96}; }

signals:
  void pointedAt(std::optional<QPoint> pixel);

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  bool isOwnKey(const QKeyEvent &event) const;
  QRectF shownRect() const; // place of the whole picture
  double fittingScale() const;
  void moveBy(const QPointF &distance);

  std::vector<QImage> m_levels;
  QString m_note;
  double m_scale = 1; // pixels of the widget for one pixel of the picture
  QPointF m_origin;   // top left corner of the picture, in the widget
  bool m_isFitted = true;
  QPointF m_dragged;
  std::optional<QPoint> m_mark;
};

} // namespace tessera::views

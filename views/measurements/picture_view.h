// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPointF>
#include <QWidget>

#include <optional>
#include <vector>

namespace tessera::views {

// An image and its halves, down to a size that any widget shows at once: a large one is painted
// from the half that is nearest.
std::vector<QImage> withHalves(QImage image);

// A picture that is zoomed with the wheel, + and −, moved by dragging and the arrow keys, fitted by
// 0 or a double click; 1 shows a pixel as a pixel. What is pointed at is told.
class PictureView : public QWidget {
  Q_OBJECT
public:
  explicit PictureView(QWidget *parent = nullptr);

  // One of the same size keeps what part of it is seen. None: empty.
  void show(std::vector<QImage> levels);
  void setNote(const QString &text); // in place of a picture

  const QImage *picture() const { return m_levels.empty() ? nullptr : &m_levels.front(); }
  double scale() const { return m_scale; }
  std::optional<QPoint> pixelAt(const QPointF &place) const;
  QPointF placeOf(const QPoint &pixel) const; // of its middle

  void fit();
  void zoomTo(double scale, const QPointF &around);
  void lookAt(const QPoint &pixel); // large, with a mark around it
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
  QRectF shownRect() const; // of the whole picture
  double fittingScale() const;
  void moveBy(const QPointF &distance);

  std::vector<QImage> m_levels;
  QString m_note;
  double m_scale = 1; // pixels of the widget for one of the picture
  QPointF m_origin;   // of the picture, in the widget
  bool m_isFitted = true;
  QPointF m_dragged;
  std::optional<QPoint> m_mark;
};

} // namespace tessera::views

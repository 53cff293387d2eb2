// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>

namespace tessera::views {

// A knob on an edge of the output's tile. It is dragged along one direction, or moved by the arrow
// keys. Return keeps the size that is being tried. Escape, or losing the focus, restores the old
// one.
class EdgeHandle : public QWidget {
  Q_OBJECT
public:
  static constexpr int kLength = 30, kThickness = 12;

  EdgeHandle(Qt::Orientation along, QWidget *parent);

  Qt::Orientation along() const { return m_along; }
  void putAt(QPointF middle); // moves the middle of the knob to this place
  // Why the edge cannot be moved; empty: it can.
  void setFixed(const QString &why);
  bool isFixed() const { return m_isFixed; }
  void setRefused(bool refused); // true: the size at the pointer is not legal

  QSize sizeHint() const override;

signals:
  void taken();
  void movedTo(QPointF place); // place of the pointer, in the parent
  void released();
  void stepped(int direction); // an arrow key was pressed; -1: smaller, 1: larger
  void kept();                 // keep the size that is being tried
  void givenUp();
  void fixedTouched(); // an edge that cannot be moved was pressed

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void focusInEvent(QFocusEvent *event) override;
  void focusOutEvent(QFocusEvent *event) override;

private:
  Qt::Orientation m_along;
  bool m_isFixed = false, m_isRefused = false, m_isDragged = false;
};

} // namespace tessera::views

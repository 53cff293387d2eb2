// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_view.h"

#include <QPixmap>
#include <QWidget>

namespace tessera::views {

// The whole DAG beside the view, with a frame around what the view shows; a click or a drag goes
// there, arrow keys move the frame. Beside and not on top: scrolling then moves pixels (see
// README).
class MiniMap : public QWidget {
  Q_OBJECT
public:
  MiniMap(DagScene &scene, DagView &view, QWidget *parent = nullptr);

  void refresh();       // the DAG, or its colours, are others
  QRectF frame() const; // around what is shown, in pixels of this
  QPointF toScene(QPointF pixel) const;

  QSize sizeHint() const override { return {150, 200}; }
  QSize minimumSizeHint() const override { return {150, 60}; }

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;

private:
  QTransform fromScene() const;
  void draw();

  DagScene &m_scene;
  DagView &m_view;
  QPixmap m_picture; // of the nodes; null: to be drawn anew
};

} // namespace tessera::views

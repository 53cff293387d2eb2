// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_view.h"

#include <QPixmap>
#include <QWidget>

namespace tessera::views {

// A map of the whole DAG beside the view, with a frame around the part that the view shows. A click
// or a drag moves the view there, and arrow keys move the frame. The map does not overlap the view,
// because otherwise the view could not scroll by copying its pixels (see README).
class MiniMap : public QWidget {
  Q_OBJECT
public:
  MiniMap(DagScene &scene, DagView &view, QWidget *parent = nullptr);

  void refresh();       // the DAG or its colours have changed
  QRectF frame() const; // the part of the DAG that the view shows, in pixels of this widget
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
  QPixmap m_picture; // the nodes; null: has to be drawn again
};

} // namespace tessera::views

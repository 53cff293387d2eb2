// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/banded_repaint.h"
#include "views/dag/dag_scene.h"
#include "views/dag/view_draft.h"

#include <QGraphicsView>
#include <QTimer>

#include <optional>

namespace tessera::views {

// The window onto the DAG: pans, zooms and turns mouse and keys into wishes. It decides nothing
// about selection; DagPanel does.
class DagView : public QGraphicsView {
  Q_OBJECT
public:
  static constexpr double kMinScale = 0.02;
  static constexpr double kMaxScale = 4;

  explicit DagView(DagScene &scene, QWidget *parent = nullptr);

  double scale() const { return transform().m11(); }
  bool isFitted() const { return m_fitted; }
  void zoomBy(double factor, QPointF viewportAnchor);
  void zoomBy(double factor); // about the centre
  void zoomTo(double scale);
  void fit();
  void showOpeningView();
  bool opensWhole() const;         // showOpeningView() shows all there is
  void reveal(std::uint32_t node); // pans as little as needed; zooms in where names cannot be read
  void panBy(QPoint pixels);
  void lookAt(QPointF scenePoint); // in the middle
  // Whether a node can be taken and put elsewhere; else the DAG is what a drag moves.
  void setNodesMovable(bool movable) { m_nodesMovable = movable; }
  void cancelDrag();
  // Not all is as it should be yet: a draft, or some bands are to come.
  bool isRepainting() const { return m_draft.isActive() || m_bands.isRunning(); }

signals:
  // A node is dragged: at where the pointer is, in the scene.
  void nodeTaken(std::uint32_t node, QPointF at);
  void nodeDragged(QPointF at);
  void nodeDropped(QPointF at);
  void nodeReturned(); // nothing is dragged any more, and nothing was dropped
  void viewChanged();  // what of the scene is shown
  void nodeClicked(std::uint32_t node, std::optional<std::size_t> chip, bool add);
  void nodeActivated(std::uint32_t node);
  void menuWanted(std::uint32_t node, std::optional<std::size_t> chip, QPoint onScreen);
  void menuKeyPressed();
  void canvasClicked();
  void nodeHovered(std::optional<std::uint32_t> node);
  void walked(Qt::Key direction); // Alt and an arrow key
  void zoomChanged(double scale);

protected:
  bool viewportEvent(QEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;
  void keyReleaseEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;
  void drawBackground(QPainter *painter, const QRectF &rect) override;
  void paintEvent(QPaintEvent *event) override;
  void scrollContentsBy(int dx, int dy) override;

private:
  std::optional<std::uint32_t> nodeUnder(QPoint viewportPoint) const;
  std::optional<std::size_t> chipUnder(std::uint32_t node, QPointF scenePoint) const;
  void hoverAt(QPoint viewportPoint);
  OpeningView opening() const;
  void updateCursor();
  void setScale(double scale);
  void repaintAll();
  std::size_t nodeCount() const;
  void scrollAtEdge();
  bool isCarrying() const { return m_carried.has_value(); }

  DagScene &m_scene;
  BandedRepaint m_bands;
  ViewDraft m_draft;
  std::optional<QPoint> m_pressed; // where a button went down
  QPoint m_last;
  bool m_dragging = false;
  bool m_spaceHeld = false;
  bool m_nodesMovable = false;
  std::optional<std::uint32_t> m_carried; // node that is dragged
  QTimer m_edgeScroll;                    // while it is held at the edge of what is shown
  bool m_fitted = true; // nobody has moved the view since fit(): a resize fits again
  std::optional<std::uint32_t> m_hovered;
};

} // namespace tessera::views

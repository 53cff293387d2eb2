// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/banded_repaint.h"
#include "views/dag/dag_scene.h"
#include "views/dag/view_draft.h"

#include <QGraphicsView>
#include <QTimer>

#include <optional>

namespace tessera::views {

// The viewport of the DAG. It pans, zooms and turns mouse and keys into signals. Selection is
// decided by DagPanel.
class DagView : public QGraphicsView {
  Q_OBJECT
public:
  static constexpr double kMinScale = 0.02;
  static constexpr double kMaxScale = 4;

  explicit DagView(DagScene &scene, QWidget *parent = nullptr);

  double scale() const { return transform().m11(); }
  bool isFitted() const { return m_fitted; }
  void zoomBy(double factor, QPointF viewportAnchor);
  void zoomBy(double factor); // about the centre of the viewport
  void zoomTo(double scale);
  void fit();
  void showOpeningView();
  void setDirection(DagDirection direction) { m_direction = direction; }
  bool opensWhole() const; // showOpeningView() shows the whole DAG
  // Centres the node if it is out of view. If names are unreadable, zooms in too, unless the whole
  // DAG is fitted into the view.
  void reveal(std::uint32_t node);
  void panBy(QPoint pixels);
  void lookAt(QPointF scenePoint); // moves this point to the middle
  // True: a drag that starts on a node moves that node. False: it moves the whole DAG.
  void setNodesMovable(bool movable) { m_nodesMovable = movable; }
  void cancelDrag();
  // The picture is not final yet: a draft is shown, or some bands are still to be repainted.
  bool isRepainting() const { return m_draft.isActive() || m_bands.isRunning(); }

signals:
  // The user has begun to drag a node. `at` is the pointer's place in the scene.
  void nodeTaken(std::uint32_t node, QPointF at);
  void nodeDragged(QPointF at);
  void nodeDropped(QPointF at);
  void nodeReturned(); // the drag has ended without a drop
  void viewChanged();  // the view shows a different part of the scene now
  void nodeClicked(std::uint32_t node, std::optional<std::size_t> chip, bool add);
  void nodeActivated(std::uint32_t node);
  void menuWanted(std::uint32_t node, std::optional<std::size_t> chip, QPoint onScreen);
  void menuKeyPressed();
  void canvasClicked();
  void nodeHovered(std::optional<std::uint32_t> node);
  void walked(Qt::Key direction); // Alt and an arrow key were pressed
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
  std::optional<QPoint> m_pressed; // where a mouse button was pressed
  QPoint m_last;
  bool m_dragging = false;
  bool m_spaceHeld = false;
  bool m_nodesMovable = false;
  DagDirection m_direction = DagDirection::Down;
  std::optional<std::uint32_t> m_carried; // the node that is dragged
  QTimer m_edgeScroll;                    // runs while a node is held at the edge of the view
  bool m_fitted = true; // the view has not been moved since fit(), so a resize fits it again
  std::optional<std::uint32_t> m_hovered;
};

} // namespace tessera::views

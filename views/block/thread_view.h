// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/block/block_geometry.h"
#include "engine/block/stage_block.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

using StageBlockPtr = std::shared_ptr<const block::StageBlock>;

// The threads of a block, each warp in a colour, with the numbers of lanes. Threads that compute
// only halo are hatched, and those with nothing to do are empty. A click or the arrow keys choose a
// thread.
class ThreadView : public QWidget {
  Q_OBJECT
public:
  explicit ThreadView(QWidget *parent = nullptr);

  void setBlock(StageBlockPtr block, std::optional<double> largestCell = {});
  void setCurrent(std::int64_t thread);
  std::int64_t current() const { return m_current; }
  ThreadGrid grid() const;
  QString textOf(std::int64_t thread) const;

  QSize sizeHint() const override { return {300, 240}; }
  QSize minimumSizeHint() const override { return {150, 110}; }

signals:
  void currentChanged(qint64 thread);
  void laidOut(); // the places of the threads have changed

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  void choose(std::int64_t thread);

  StageBlockPtr m_block;
  std::int64_t m_current = 0;
  std::optional<double> m_largestCell;
};

// The elements that a block computes, each in the colour of its thread's warp. Those of the current
// thread are stronger and show the number of the serial iteration that computes them. A frame is
// around the elements of its first iteration. Halo is hatched.
class ElementView : public QWidget {
  Q_OBJECT
public:
  explicit ElementView(QWidget *parent = nullptr);

  void setBlock(StageBlockPtr block, std::optional<double> largestCell = {});
  void setCurrent(std::int64_t thread);
  ElementGrid grid() const;
  // The frame around what the current thread computes in its first iteration; empty: nothing.
  QRectF tile() const;
  QString textOf(std::int64_t x, std::int64_t y) const;

  QSize sizeHint() const override { return {300, 240}; }
  QSize minimumSizeHint() const override { return {150, 110}; }

signals:
  void chosen(qint64 thread); // the thread of the element that was clicked
  void laidOut();

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  bool event(QEvent *event) override;

private:
  void findOwned();
  void paintOwned(QPainter &painter, const ElementGrid &grid) const;
  void paintElements(QPainter &painter, const ElementGrid &grid) const;

  StageBlockPtr m_block;
  std::int64_t m_current = 0;
  std::optional<double> m_largestCell;
  std::vector<block::OwnedPoint> m_owned; // computed by the current thread
};

} // namespace tessera::views

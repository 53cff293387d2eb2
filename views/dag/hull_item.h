// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/kernel_hull.h"
#include "views/dag/text_run.h"

#include <QGraphicsItem>
#include <QHash>

#include <map>
#include <memory>
#include <optional>

namespace tessera::views {

struct DagStyle;

// What a drop of the stage that is being dragged would do to a kernel, by its number.
struct DropMark {
  enum class State : std::uint8_t { Pending, Legal, Refused };
  State state = State::Pending;
  QString text; // on the label: "−12 %", "not legal"

  friend bool operator==(const DropMark &, const DropMark &) = default;
};
using DropMarks = std::map<int, DropMark>;

// What the hulls and their labels are drawn from.
struct HullPicture {
  std::shared_ptr<const DagStyle> style;
  KernelHullsPtr hulls;           // null: none
  std::optional<int> active;      // kernel of what is selected
  std::optional<DropMarks> drops; // while something is dragged
  std::optional<int> under;       // kernel that it would be dropped on

  std::vector<QRectF> exposed; // what the next paint has to fill; empty: all that it is told to

  // See EdgeItem::setExposed().
  bool isExposed(const QRectF &rect, const QRectF &told) const;
  DropMark dropOn(const KernelGroup &group) const;
  bool isUnder(const KernelGroup &group) const;
};

// The kernels' hulls, below everything else, as one item.
class HullItem : public QGraphicsItem {
public:
  explicit HullItem(const HullPicture &picture, const QRectF &bounds);
  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  const HullPicture &m_picture;
  QRectF m_bounds;
};

// Their labels, above everything else; of a size that can be read, where there is room for it.
class HullLabelItem : public QGraphicsItem {
public:
  explicit HullLabelItem(const HullPicture &picture, const QRectF &bounds);
  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

private:
  struct Label {
    const KernelHull *hull;
    QString text;
    QRectF pill;
  };
  std::vector<Label> labels(const QRectF &near, double size);
  const TextRun &runOf(const QString &text);
  QString textOf(const KernelGroup &group) const;
  void paintLabel(QPainter &painter, const Label &label, double size);

  const HullPicture &m_picture;
  QRectF m_bounds;
  QHash<QString, TextRun> m_runs; // that were painted before
  std::shared_ptr<const DagStyle> m_runsOf;
};

} // namespace tessera::views

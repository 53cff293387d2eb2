// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_editor.h"

#include "views/dag/drag_item.h"
#include "views/dag/stage_menu.h"
#include "engine/schedule/text/decision_text.h"
#include "views/text/freeze_text.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace tessera::views {

using document::Move;

DagEditor::DagEditor(DagPanel &panel, DocumentFlow &documents, ScheduleFlow &schedule,
                     Bridge &bridge, QObject *parent)
    : QObject(parent), m_panel(panel), m_documents(documents), m_schedule(schedule),
      m_finder(schedule, bridge) {
  DagView &view = m_panel.view();
  connect(&m_schedule, &ScheduleFlow::shownChanged, this, &DagEditor::updateMovable);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &DagEditor::updateMovable);
  connect(&view, &DagView::nodeTaken, this, &DagEditor::take);
  connect(&view, &DagView::nodeDragged, this, &DagEditor::dragTo);
  connect(&view, &DagView::nodeDropped, this, &DagEditor::drop);
  connect(&view, &DagView::nodeReturned, this, &DagEditor::end);
  connect(&view, &DagView::zoomChanged, this, [this](double scale) {
    if (m_item) m_item->setScale(scale);
  });
  connect(&m_panel, &DagPanel::menuWanted, this, &DagEditor::openMenu);
  connect(&m_panel.scene(), &DagScene::contentGoing, this, [this] {
    m_panel.view().cancelDrag();
    end();
  });
  connect(&m_finder, &MoveFinder::changed, this, [this] {
    showTargets();
    if (m_isDropped) finishDrop();
  });
  connect(&m_finder, &MoveFinder::forgotten, this, [this] {
    m_panel.view().cancelDrag();
    end();
  });
}

void DagEditor::updateMovable() {
  m_panel.view().setNodesMovable(m_schedule.shown() && !m_schedule.isRunning() &&
                                 m_schedule.service().moves);
}

QString DagEditor::stageName(std::uint32_t node) const {
  return m_panel.scene().graph()->nodes[node].title; // the pure definition has the func's name
}

// ---- Dragging

void DagEditor::take(std::uint32_t node, QPointF at) {
  end();
  DagScene &scene = m_panel.scene();
  if (!m_finder.look(stageName(node))) return;
  m_node = node;
  m_item =
      new DragItem(scene.graph()->nodes[node], scene.geometry().nodes[node], at, scene.style());
  m_item->setScale(m_panel.view().scale());
  m_item->setPos(at);
  scene.addItem(m_item);
  m_target = {};
  showTargets();
}

void DagEditor::dragTo(QPointF at) {
  if (!m_item || m_isDropped) return;
  m_item->setPos(at);
  m_target = targetAt(at);
  showTargets();
}

DagEditor::Target DagEditor::targetAt(QPointF at) const {
  const DagScene &scene = m_panel.scene();
  const KernelHull *hull = scene.hulls() ? hullAt(*scene.hulls(), at) : nullptr;
  const NodePlace &place = scene.places()[m_node];
  if (!hull) return {Target::Kind::Own};
  const bool isOwn = !place.isInlined &&
                     std::ranges::find(place.kernels, hull->group.kernel()) != place.kernels.end();
  return isOwn ? Target{} : Target{Target::Kind::Kernel, hull->group.kernel()};
}

const Move *DagEditor::moveTo(const Target &target) const {
  return target.kind == Target::Kind::Kernel ? m_finder.into(target.kernel)
         : target.kind == Target::Kind::Own  ? m_finder.to(Move::Kind::OwnKernel)
                                             : nullptr;
}

void DagEditor::showTargets() {
  if (!m_item) return;
  DropMarks marks;
  if (!m_panel.scene().places()[m_node].isInlined)
    for (const int kernel : m_panel.scene().places()[m_node].kernels)
      marks[kernel] = {DropMark::State::Pending, tr("here")};
  for (const Move &move : m_finder.moves())
    if (move.kind == Move::Kind::Fuse)
      marks[move.kernel] = {move.isLegal() ? DropMark::State::Legal : DropMark::State::Refused,
                            m_finder.effect(move)};
  const bool isOnKernel = m_target.kind == Target::Kind::Kernel;
  m_panel.scene().showDrops(std::move(marks),
                            isOnKernel ? std::optional(m_target.kernel) : std::nullopt);
  const QString name = stageName(m_node);
  if (m_target.kind == Target::Kind::Same)
    return m_item->setCaption(tr("%1 stays where it is").arg(name),
                              tr("Drop it on another kernel to fuse it there, or outside all "
                                 "kernels to split it out. Press Escape to cancel."),
                              DropMark::State::Pending);
  const Move *move = moveTo(m_target);
  if (!move)
    return m_item->setCaption(
        isOnKernel ? tr("Into kernel %1").arg(m_target.kernel) : tr("In a kernel of its own"),
        tr("Finding out what this move would do …"), DropMark::State::Pending);
  QString effect = QString::fromStdString(move->refusal);
  if (move->isLegal()) {
    effect = tr("%1, %2").arg(m_finder.effect(*move), m_finder.timeAfter(*move));
    QStringList along;
    for (const std::string &one : move->along)
      along << QString::fromStdString(one);
    if (!along.isEmpty()) effect += tr("; also moves %1").arg(along.join(QStringLiteral(", ")));
  }
  m_item->setCaption(MoveFinder::description(*move), effect,
                     move->isLegal() ? DropMark::State::Legal : DropMark::State::Refused);
}

void DagEditor::drop(QPointF at) {
  if (!m_item) return;
  dragTo(at);
  m_isDropped = true;
  finishDrop();
}

void DagEditor::finishDrop() {
  const Move *known = moveTo(m_target);
  // The move is still being searched for. finishDrop() is called again when it is found.
  if (m_target.kind != Target::Kind::Same && !known && m_finder.isLooking()) return;
  const std::optional<Move> move = known ? std::optional(*known) : std::nullopt;
  end();
  if (!move) return;
  if (move->isLegal()) return apply(*move);
  emit told(tr("Nothing has changed: %1.").arg(QString::fromStdString(move->refusal)));
}

void DagEditor::end() {
  m_isDropped = false;
  if (!m_item) return;
  if (m_item->scene()) m_item->scene()->removeItem(m_item);
  delete std::exchange(m_item, nullptr);
  m_finder.forget();
  m_panel.scene().showDrops({}, {});
}

void DagEditor::apply(const Move &move) {
  m_documents.edit(MoveFinder::nameFor(move), document::chosen(*move.choice));
}

// ---- The menu

void DagEditor::openMenu(std::uint32_t node, Subject subject, QPoint onScreen) {
  if (!m_schedule.shown() || !subject.isStage()) return;
  m_panel.view().cancelDrag();
  const DagNode &of = m_panel.scene().graph()->nodes[node];
  const NodePlace &place = m_panel.scene().places()[node];
  const QString where = place.isInlined         ? tr("inlined")
                        : place.label.isEmpty() ? QString()
                                                : tr("kernel %1").arg(place.label);
  m_finder.look(of.title);
  const schedule::Schedule &schedule = m_schedule.shown()->found.schedule;
  QString freeze;
  if (const auto stage = ownStage(schedule, subject); stage && of.addedAs.isEmpty())
    freeze = freezeText(schedule, decisionsOf(schedule, stage),
                        QString::fromStdString(schedule.pipeline()->stageName(*stage)));
  auto *menu = new StageMenu(
      m_finder, where.isEmpty() ? of.title : tr("%1 — %2").arg(of.title, where), freeze, &m_panel);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu, &StageMenu::moveChosen, this, &DagEditor::apply);
  connect(menu, &StageMenu::choicesWanted, this, [this, subject, onScreen] {
    emit choicesWanted(subject, {onScreen, QSize(1, 1)});
  });
  connect(menu, &StageMenu::freezeWanted, this, [this, subject] { emit freezeWanted(subject); });
  connect(menu, &StageMenu::zoomWanted, this, [this, node] {
    m_panel.view().zoomTo(1);
    m_panel.view().centerOn(m_panel.scene().geometry().nodes[node].center());
  });
  menu->popup(onScreen);
}

} // namespace tessera::views

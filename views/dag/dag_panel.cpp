// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_panel.h"

#include "views/dag/dag_style.h"
#include "views/dag/dag_walk.h"
#include "views/theme/find_bar.h"
#include "views/theme/kind_mark.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

DagPanel::DagPanel(Selection &selection, Bridge &bridge, DagLayouter::Graphviz graphviz,
                   QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new DagView(m_scene, this)),
      m_find(new FindBar({QStringLiteral("find"), tr("Find in the DAG"), tr("Name to find"),
                          tr("Find func or input")},
                         this)),
      m_legend(new QWidget(this)), m_legendRow(new QHBoxLayout), m_scheduleRow(new QHBoxLayout),
      m_zoom(new QLabel(this)), m_layouter(bridge, std::move(graphviz)) {
  setObjectName(QStringLiteral("dagPanel"));
  setAccessibleName(tr("Function DAG"));
  m_legend->setAccessibleName(tr("Legend"));
  m_zoom->setAccessibleName(tr("Zoom"));
  m_zoom->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto *legend = new QVBoxLayout(m_legend);
  legend->setContentsMargins(12, 4, 12, 5);
  legend->setSpacing(3);
  for (QHBoxLayout *row : {m_legendRow, m_scheduleRow}) {
    row->setSpacing(6);
    legend->addLayout(row);
  }
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_find);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_legend);
  setFocusProxy(m_view);
  restyle();

  connect(&m_layouter, &DagLayouter::laidOut, this, &DagPanel::showLayout);
  connect(&m_layouter, &DagLayouter::failed, this, &DagPanel::layoutFailed);
  connect(&m_selection, &Selection::changed, this, &DagPanel::selectionChanged);
  connect(m_view, &DagView::zoomChanged, this,
          [this](double scale) { m_zoom->setText(tr("%1 %").arg(qRound(scale * 100))); });
  connect(m_view, &DagView::nodeHovered, this, [this](std::optional<std::uint32_t> node) {
    m_selection.hover(node ? std::optional(m_graph->nodes[*node].subjects.front()) : std::nullopt);
  });
  connect(m_view, &DagView::nodeClicked, this,
          [this](std::uint32_t node, std::optional<std::size_t> chip, bool add) {
            const Subject subject = m_graph->nodes[node].subjects[chip.value_or(0)];
            m_ownWish = m_selection.active() != subject;
            add ? m_selection.toggle(subject) : m_selection.select(subject);
          });
  connect(m_view, &DagView::menuWanted, this,
          [this](std::uint32_t node, std::optional<std::size_t> chip, QPoint onScreen) {
            const Subject subject = m_graph->nodes[node].subjects[chip.value_or(0)];
            m_selection.select(subject);
            emit choicesWanted(subject, {onScreen, QSize(1, 1)});
          });
  connect(m_view, &DagView::menuKeyPressed, this, &DagPanel::askForChoices);
  connect(m_view, &DagView::nodeActivated, this, [this](std::uint32_t node) {
    m_view->zoomTo(1);
    m_view->centerOn(m_scene.geometry().nodes[node].center());
  });
  connect(m_view, &DagView::canvasClicked, this, [this] { m_selection.clear(); });
  connect(m_view, &DagView::walked, this, &DagPanel::walk);
  connect(m_find, &FindBar::textChanged, this, &DagPanel::search);
  connect(m_find, &FindBar::nextWanted, this, &DagPanel::findNext);
  connect(m_find, &FindBar::previousWanted, this, &DagPanel::findPrevious);
  connect(m_find, &FindBar::closed, this, [this] {
    m_find->hide();
    m_scene.showMatches({});
    m_view->setFocus();
  });
}

DagPanel::~DagPanel() = default;

void DagPanel::setPipeline(pipeline::PipelinePtr pipeline) {
  m_layouter.stop();
  m_quality.reset();
  m_matches.clear();
  m_scene.clearContent();
  m_graph.reset();
  showSchedule(nullptr);
  if (!pipeline) return;
  const DagStyle style(palette(), font());
  m_graph = std::make_shared<const DagGraph>(makeDagGraph(*pipeline, style.measure()));
  m_layouter.start(shapeOf(*m_graph));
}

void DagPanel::showSchedule(ShownSchedulePtr schedule) {
  const bool newLegend = (schedule == nullptr) != (m_schedule == nullptr);
  m_schedule = std::move(schedule);
  m_scene.showPlaces(m_schedule && m_graph ? nodePlaces(*m_graph, *m_schedule)
                                           : std::vector<NodePlace>());
  if (newLegend) fillLegend();
}

void DagPanel::showLayout(const session::GraphLayout &layout, DagLayouter::Quality quality) {
  // A better layout of what is shown already keeps the eye where it was.
  const bool replaces = m_quality.has_value();
  const bool keepsView = replaces && !m_view->isFitted();
  std::optional<QPoint> before;
  if (const auto node = activeNode(); keepsView && node)
    before = m_view->mapFromScene(m_scene.geometry().nodes[*node].center());
  m_scene.setContent(m_graph, makeGeometry(*m_graph, layout));
  m_scene.showSelection(m_selection);
  m_quality = quality;
  if (!replaces)
    m_view->showOpeningView();
  else if (!keepsView)
    m_view->fit();
  else if (before)
    m_view->panBy(m_view->mapFromScene(m_scene.geometry().nodes[*activeNode()].center()) - *before);
  if (m_find->isVisible()) search(m_find->text());
  emit laidOut(quality);
}

std::optional<std::uint32_t> DagPanel::activeNode() const {
  if (!m_graph || !m_selection.active()) return {};
  return m_graph->nodeOf(*m_selection.active());
}

void DagPanel::selectionChanged(Selection::Changes changes) {
  m_scene.showSelection(m_selection);
  if (!(changes & Selection::ActiveChanged)) return;
  const bool own = std::exchange(m_ownWish, false);
  if (own || !m_selection.active() || !m_scene.graph()) return;
  if (const auto node = activeNode()) m_view->reveal(*node);
}

void DagPanel::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void DagPanel::restyle() {
  auto style = std::make_shared<const DagStyle>(palette(), font());
  m_scene.setStyle(style);
  m_view->setBackgroundBrush(style->colors.canvas);
  fillLegend();
}

void DagPanel::fillLegend() {
  for (QHBoxLayout *row : {m_legendRow, m_scheduleRow})
    while (QLayoutItem *item = row->takeAt(0)) {
      if (item->widget() && item->widget() != m_zoom) delete item->widget();
      delete item;
    }
  const auto add = [&](StageKind kind, bool isOutput, const QString &text) {
    addToLegend(*m_legendRow, kindMark(kind, isOutput, palette(), devicePixelRatioF()), text);
  };
  add(StageKind::Input, false, tr("input"));
  add(StageKind::Pure, false, tr("pure"));
  add(StageKind::Update, false, tr("update"));
  add(StageKind::Reduction, false, tr("reduction"));
  add(StageKind::Pure, true, tr("output"));
  if (m_schedule) {
    addToLegend(*m_scheduleRow, kernelMark(palette(), devicePixelRatioF()),
                tr("computed in kernel 1, 2, 3 …, by the number on the node"));
    addToLegend(*m_scheduleRow, inlinedMark(palette(), devicePixelRatioF()), tr("inlined"));
    m_scheduleRow->addStretch(1);
  }
  m_legendRow->addStretch(1);
  m_legendRow->addWidget(m_zoom);
}

void DagPanel::addToLegend(QHBoxLayout &row, const QPixmap &mark, const QString &text) {
  auto *shape = new QLabel(m_legend);
  shape->setPixmap(mark);
  auto *label = new QLabel(text, m_legend);
  label->setForegroundRole(QPalette::PlaceholderText);
  row.addWidget(shape);
  row.addWidget(label);
  row.addSpacing(12);
}

void DagPanel::askForChoices() {
  const auto active = m_selection.active();
  const auto node = activeNode();
  if (!active || !node) return;
  m_view->reveal(*node);
  const QRect shown = m_view->mapFromScene(m_scene.geometry().nodes[*node]).boundingRect();
  emit choicesWanted(*active, {m_view->viewport()->mapToGlobal(shown.topLeft()), shown.size()});
}

void DagPanel::find() { m_find->open(); }
void DagPanel::findNext() { jump(1); }
void DagPanel::findPrevious() { jump(-1); }

void DagPanel::search(const QString &text) {
  m_matches = m_graph ? nodesNamed(*m_graph, text) : std::vector<std::uint32_t>();
  m_match = -1;
  m_scene.showMatches({m_matches.begin(), m_matches.end()});
  m_find->showPosition(0, int(m_matches.size()));
  if (!m_matches.empty()) jump(1);
}

void DagPanel::jump(int step) {
  const int count = int(m_matches.size());
  if (count == 0 || !m_scene.graph()) return;
  m_match = m_match < 0 ? (step > 0 ? 0 : count - 1) : (m_match + step + count) % count;
  m_find->showPosition(m_match + 1, count);
  const std::uint32_t node = m_matches[std::size_t(m_match)];
  m_selection.select(m_graph->nodes[node].subjects.front());
  m_view->reveal(node);
}

void DagPanel::walk(Qt::Key direction) {
  if (!m_scene.graph()) return;
  if (const auto to = neighbour(*m_graph, m_scene.geometry(), activeNode(), direction))
    m_selection.select(m_graph->nodes[*to].subjects.front());
}

} // namespace tessera::views

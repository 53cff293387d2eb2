// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/dag_panel.h"

#include "views/dag/dag_legend.h"
#include "views/dag/dag_style.h"
#include "views/dag/dag_walk.h"
#include "views/dag/mini_map.h"
#include "views/theme/find_bar.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineF>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {
constexpr std::size_t kManyNodes = 150; // graphs larger than this get a map
}

DagPanel::DagPanel(Selection &selection, Bridge &bridge, DagLayouter::Graphviz graphviz,
                   QWidget *parent)
    : QWidget(parent), m_selection(selection), m_view(new DagView(m_scene, this)),
      m_find(new FindBar({QStringLiteral("find"), tr("Find in the DAG"), tr("Name to find"),
                          tr("Find func or input")},
                         this)),
      m_legend(new DagLegend(this)), m_map(new MiniMap(m_scene, *m_view, this)),
      m_heat(new QAction(tr("Colour by &Cost"), this)),
      m_mapToggle(new QAction(tr("&Map of the DAG"), this)),
      m_rightward(new QAction(tr("Lef&t to Right"), this)), m_layouter(bridge, std::move(graphviz)),
      m_hulls(bridge) {
  setObjectName(QStringLiteral("dagPanel"));
  setAccessibleName(tr("Function DAG"));
  setUpActions();
  layOutWidgets();
  setFocusProxy(m_view);
  restyle();

  connect(&m_layouter, &DagLayouter::laidOut, this, &DagPanel::showLayout);
  connect(&m_layouter, &DagLayouter::failed, this, &DagPanel::layoutFailed);
  connect(&m_hulls, &HullMaker::made, &m_scene, &DagScene::showHulls);
  connect(&m_selection, &Selection::changed, this, &DagPanel::selectionChanged);
  connectView();
  connect(m_find, &FindBar::textChanged, this, &DagPanel::search);
  connect(m_find, &FindBar::nextWanted, this, &DagPanel::findNext);
  connect(m_find, &FindBar::previousWanted, this, &DagPanel::findPrevious);
  connect(m_find, &FindBar::closed, this, [this] {
    m_find->hide();
    m_scene.showMatches({});
    m_view->setFocus();
  });
}

void DagPanel::setUpActions() {
  m_heat->setObjectName(QStringLiteral("dagHeat"));
  m_heat->setShortcut(Qt::Key_H);
  m_heat->setToolTip(
      tr("Colour each node by its share of the predicted time instead of by its kernel (H)"));
  m_mapToggle->setObjectName(QStringLiteral("dagMap"));
  m_mapToggle->setShortcut(Qt::Key_M);
  m_mapToggle->setToolTip(tr("Show a map of the whole DAG, with the part that is in view (M)"));
  m_rightward->setObjectName(QStringLiteral("dagLeftToRight"));
  m_rightward->setToolTip(tr("Draw consumers to the right of what they read instead of below it"));
  for (QAction *action : viewActions()) {
    action->setCheckable(true);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
  }
  m_map->hide();
  connect(m_mapToggle, &QAction::toggled, m_map, &QWidget::setVisible);
  connect(m_mapToggle, &QAction::triggered, this, [this] { m_isMapChosen = true; });
  connect(m_rightward, &QAction::toggled, this, [this] {
    // Without m_quality, showLayout() does not keep the view: in the other direction all nodes
    // stand elsewhere.
    m_quality.reset();
    layOut();
  });
  connect(m_heat, &QAction::toggled, this, [this](bool on) {
    m_scene.setColouring(on ? Colouring::Cost : Colouring::Kernel);
    m_map->refresh();
    fillLegend();
  });
}

void DagPanel::layOutWidgets() {
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_find);
  auto *row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_view, 1);
  row->addWidget(m_map);
  layout->addLayout(row, 1);
  layout->addWidget(m_legend);
}

void DagPanel::connectView() {
  connect(m_view, &DagView::zoomChanged, m_legend, &DagLegend::setZoom);
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
            emit menuWanted(node, subject, onScreen);
          });
  connect(m_view, &DagView::menuKeyPressed, this, [this] {
    if (const auto where = revealActive())
      emit menuWanted(*activeNode(), *m_selection.active(), where->bottomLeft());
  });
  connect(m_view, &DagView::nodeActivated, this, [this](std::uint32_t node) {
    m_view->zoomTo(1);
    m_view->centerOn(m_scene.geometry().nodes[node].center());
  });
  connect(m_view, &DagView::canvasClicked, this, [this] { m_selection.clear(); });
  connect(m_view, &DagView::walked, this, &DagPanel::walk);
}

DagPanel::~DagPanel() = default;

void DagPanel::setPipeline(pipeline::PipelinePtr pipeline) {
  m_layouter.stop();
  m_hulls.forget();
  m_quality.reset();
  m_matches.clear();
  m_scene.clearContent();
  m_graph.reset();
  m_nextGraph.reset();
  m_added.clear();
  m_pipeline = std::move(pipeline);
  showSchedule(nullptr);
  if (m_pipeline) layOut();
}

void DagPanel::showSchedule(ShownSchedulePtr schedule, Stage stage) {
  m_schedule = std::move(schedule);
  if (stage == Stage::Settled) settle();
  showPlaces();
  fillLegend();
}

void DagPanel::settle() {
  std::vector<schedule::Derivation> added;
  if (m_schedule) {
    const auto derivations = m_schedule->found.schedule.derivations();
    added.assign(derivations.begin(), derivations.end());
  }
  if (added == m_added || !m_pipeline) return;
  m_added = std::move(added);
  layOut();
}

void DagPanel::layOut() {
  if (!m_pipeline) return;
  const DagStyle style(palette(), font());
  m_nextGraph = std::make_shared<const DagGraph>(
      m_added.empty() ? makeDagGraph(*m_pipeline, style.measure())
                      : makeDagGraph(m_schedule->found.schedule, style.measure()));
  const host::GraphShape shape = shapeOf(*m_nextGraph);
  m_layouter.start(direction() == DagDirection::Right ? mirrored(shape) : shape);
}

DagDirection DagPanel::direction() const {
  return m_rightward->isChecked() ? DagDirection::Right : DagDirection::Down;
}

void DagPanel::showPlaces() {
  if (!m_schedule || !m_graph) {
    m_hulls.forget();
    m_scene.showHulls(nullptr);
    m_scene.showPlaces({}, nullptr);
    return m_map->refresh();
  }
  m_scene.showPlaces(nodePlaces(*m_graph, *m_schedule), m_schedule);
  m_map->refresh();
  m_hulls.make({kernelGroups(m_scene.places(), m_schedule->found.prediction), m_graph,
                m_scene.sharedGeometry()});
}

void DagPanel::showLayout(const host::GraphLayout &made, DagLayouter::Quality quality) {
  const host::GraphLayout layout = direction() == DagDirection::Right ? mirrored(made) : made;
  m_view->setDirection(direction());
  // A layout that replaces another one keeps the view where it was, even if nodes were added or
  // removed. A view that is fitted to the DAG is fitted again.
  const bool replaces = m_quality.has_value();
  const bool keepsView = replaces && !m_view->isFitted();
  const std::optional<Subject> kept = keepsView ? anchor() : std::nullopt;
  const auto placeOfKept = [&] {
    return m_view->mapFromScene(m_scene.geometry().nodes[*m_graph->nodeOf(*kept)].center());
  };
  const QPoint before = kept ? placeOfKept() : QPoint();
  m_graph = m_nextGraph;
  m_matches.clear();
  m_match = -1;
  m_scene.setContent(m_graph, std::make_shared<const DagGeometry>(makeGeometry(*m_graph, layout)));
  m_scene.showSelection(m_selection);
  m_quality = quality;
  showPlaces();
  fillLegend();
  if (!replaces) {
    if (!m_isMapChosen)
      m_mapToggle->setChecked(!m_view->opensWhole() || m_graph->nodes.size() > kManyNodes);
    m_view->showOpeningView();
  } else if (!keepsView) {
    m_view->fit();
  } else if (kept) {
    m_view->panBy(placeOfKept() - before);
  }
  if (m_find->isVisible()) search(m_find->text());
  emit laidOut(quality);
}

// The subject that keeps its place on the screen when the layout changes: the active one, else the
// one nearest to the middle of the view.
std::optional<Subject> DagPanel::anchor() const {
  if (activeNode()) return m_selection.active();
  const QPointF middle = m_view->mapToScene(m_view->viewport()->rect().center());
  std::optional<Subject> nearest;
  double least = 0;
  for (std::size_t i = 0; m_graph && i < m_graph->nodes.size(); ++i) {
    const double distance = QLineF(m_scene.geometry().nodes[i].center(), middle).length();
    if (!m_graph->nodes[i].addedAs.isEmpty() || (nearest && distance >= least)) continue;
    nearest = m_graph->nodes[i].subjects.front();
    least = distance;
  }
  return nearest;
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
  m_map->refresh();
}

void DagPanel::fillLegend() {
  m_legend->describe({m_schedule != nullptr, m_heat->isChecked(), m_graph && m_graph->hasAdded(),
                      m_graph && m_graph->hasExtern(),
                      m_schedule && !m_schedule->frozenBySearch.empty()});
}

std::optional<QRect> DagPanel::revealActive() {
  const auto node = activeNode();
  if (!node || !m_scene.graph()) return std::nullopt;
  m_view->reveal(*node);
  const QRect shown = m_view->mapFromScene(m_scene.geometry().nodes[*node]).boundingRect();
  return QRect(m_view->viewport()->mapToGlobal(shown.topLeft()), shown.size());
}

void DagPanel::askForChoices() {
  if (const auto where = revealActive()) emit choicesWanted(*m_selection.active(), *where);
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

void DagPanel::walk(Qt::Key key) {
  if (!m_scene.graph()) return;
  if (const auto to = neighbour(*m_graph, m_scene.geometry(), activeNode(), key, direction()))
    m_selection.select(m_graph->nodes[*to].subjects.front());
}

} // namespace tessera::views

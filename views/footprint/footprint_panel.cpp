// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/footprint_panel.h"

#include "views/footprint/edge_handle.h"
#include "views/footprint/footprint_view.h"
#include "views/footprint/tile_drag.h"
#include "views/kernels/empty_page.h"
#include "views/text/stage_summary.h"
#include "views/theme/table_look.h"
#include "views/theme/wrapped_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace tessera::views {

using footprint::Level;
using footprint::Tile;

namespace {

QComboBox *chooser(QWidget &page, const QString &name, const QString &meaning) {
  auto *box = new QComboBox(&page);
  box->setObjectName(name);
  box->setAccessibleName(meaning);
  box->setToolTip(meaning);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return box;
}

QString bytesOf(const footprint::BytesBySpace &bytes) {
  QStringList parts;
  const auto add = [&](std::int64_t count, const QString &where) {
    if (count > 0) parts << where.arg(bytesText(count));
  };
  add(bytes.registers, FootprintPanel::tr("%1 in registers"));
  add(bytes.shared, FootprintPanel::tr("%1 in shared memory"));
  add(bytes.local, FootprintPanel::tr("%1 in local memory"));
  add(bytes.global, FootprintPanel::tr("%1 in global memory"));
  return parts.join(QStringLiteral(", "));
}

} // namespace

FootprintPanel::FootprintPanel(ShownKernels &kernels, DocumentFlow &documents,
                               ScheduleFlow &schedule, Selection &selection, Bridge &bridge,
                               QWidget *parent)
    : QStackedWidget(parent), m_kernels(kernels), m_schedule(schedule), m_selection(selection) {
  setAccessibleName(tr("Footprint"));
  m_empty = emptyPage(*this);
  m_page = new QWidget(this);
  m_page->setAutoFillBackground(true);
  m_page->setBackgroundRole(QPalette::Base);
  addWidget(m_page);
  QWidget *choosers = buildChoosers();
  QWidget *picture = buildPicture();
  buildTable();
  m_drag = new TileDrag(*m_view, documents, schedule, bridge, this);
  auto *split = new QSplitter(Qt::Vertical, m_page);
  split->setChildrenCollapsible(false);
  split->addWidget(picture);
  split->addWidget(m_table);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  auto *column = new QVBoxLayout(m_page);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(4);
  column->addWidget(choosers);
  column->addWidget(m_sliders);
  column->addWidget(split, 1);
  column->addWidget(m_answer);
  connectAll();
  m_refresh.now();
}

QWidget *FootprintPanel::buildChoosers() {
  auto *line = new QWidget(m_page);
  m_title = new QLabel(line);
  m_title->setObjectName(QStringLiteral("footprintKernel"));
  m_title->setAccessibleName(tr("The shown kernel"));
  m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_level = chooser(*line, QStringLiteral("footprintLevel"),
                    tr("Level of the tile: thread, warp, block or grid"));
  for (const Level level : footprint::kAllLevels)
    m_level->addItem(levelText(level), int(level));
  m_level->setCurrentIndex(int(Level::Block));
  m_across = chooser(*line, QStringLiteral("footprintLoopAcross"),
                     tr("Loop of the output along the horizontal axis"));
  m_down = chooser(*line, QStringLiteral("footprintLoopDown"),
                   tr("Loop of the output along the vertical axis"));
  auto *row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_title, 1);
  row->addWidget(m_level);
  row->addWidget(m_across);
  row->addWidget(new QLabel(QStringLiteral("×"), line));
  row->addWidget(m_down);
  m_sliders = new QWidget(m_page);
  m_sliderRows = new QFormLayout(m_sliders);
  m_sliderRows->setContentsMargins(0, 0, 0, 0);
  m_sliderRows->setVerticalSpacing(2);
  m_answer = new WrappedLabel(m_page);
  m_answer->setObjectName(QStringLiteral("footprintAnswer"));
  m_answer->setAccessibleName(tr("Bytes per tile, or the effect of the size that is being tried"));
  return line;
}

QWidget *FootprintPanel::buildPicture() {
  auto *scroll = new QScrollArea(m_page);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  m_view = new FootprintView;
  m_view->setObjectName(QStringLiteral("footprintView"));
  scroll->setWidget(m_view);
  scroll->setMinimumHeight(120);
  return scroll;
}

void FootprintPanel::buildTable() {
  m_table = new QTableView(m_page);
  m_table->setObjectName(QStringLiteral("footprintTable"));
  m_table->setAccessibleName(tr("Boxes that a tile needs of the kernel's funcs and inputs"));
  m_table->setModel(&m_model);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  makeReadable(*m_table, 6);
  m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->setMinimumHeight(80);
  setFocusProxy(m_table);
}

void FootprintPanel::connectAll() {
  connect(&m_kernels, &ShownKernels::changed, &m_refresh, &SeenRefresh::request);
  connect(&m_kernels, &ShownKernels::currentChanged, this, [this] {
    m_refresh.request();
    markActive();
  });
  connect(m_level, &QComboBox::currentIndexChanged, this, [this] {
    m_axes.level = Level(m_level->currentData().toInt());
    std::ranges::fill(m_at, -1); // the levels have different tiles
    m_refresh.request();
  });
  connect(m_across, &QComboBox::currentIndexChanged, this,
          [this] { chooseAxis(*m_across, *m_down); });
  connect(m_down, &QComboBox::currentIndexChanged, this,
          [this] { chooseAxis(*m_down, *m_across); });
  connect(m_view, &FootprintView::clicked, this, &FootprintPanel::select);
  connect(m_view, &FootprintView::doubleClicked, this, &FootprintPanel::goTo);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &row) { m_view->setCurrent(row.isValid() ? row.row() : -1); });
  connect(m_table, &QTableView::clicked, this,
          [this](const QModelIndex &index) { select(index.row()); });
  connect(m_table, &QTableView::activated, this,
          [this](const QModelIndex &index) { goTo(index.row()); });
  // If no kernel is chosen, the panel shows the one that takes longest. A change of size may make
  // another kernel the longest one, so the kernel whose edge is dragged is chosen now.
  connect(m_drag, &TileDrag::begun, this, [this] {
    if (const int kernel = m_kernels.current(); kernel >= 0 && !m_kernels.isChosen())
      m_kernels.select(kernel);
  });
  connect(m_drag, &TileDrag::said, this, [this](const QString &text) {
    if (text.isEmpty())
      showNumbers();
    else
      m_answer->setText(text);
  });
}

void FootprintPanel::setLevel(Level level) { m_level->setCurrentIndex(int(level)); }

void FootprintPanel::refresh() {
  measure();
  m_empty->setText(emptyText(m_kernels));
  setCurrentWidget(m_kernel ? m_page : m_empty->parentWidget());
  m_model.show(m_kernel, m_axes.level);
  const ShownSchedulePtr &shown = m_kernels.schedule();
  m_view->show(m_kernel, m_axes, shown ? shown->colourOf(m_kernels.current() + 1) : 0);
  if (!m_kernel) return;
  // While an edge is dragged, columns keep their widths, so that the numbers are easy to follow.
  for (int column = 0; column + 1 < FootprintModel::ColumnCount && !m_schedule.isDraft();
       ++column) {
    m_table->setColumnWidth(column, std::min(contentWidth(*m_table, column) + 6, 200));
  }
  fillSliders();
  showNumbers();
  showEdges();
}

// Computes the footprint of the current kernel. `m_footprints` serves all kernels of a schedule.
void FootprintPanel::measure() {
  const ShownSchedulePtr &shown = m_kernels.schedule();
  const int number = m_kernels.current();
  if (shown != m_measured) {
    m_measured = shown;
    m_footprints = shown ? std::make_unique<footprint::Footprints>(shown->found.schedule,
                                                                   m_kernels.facts().machine)
                         : nullptr;
  }
  if (!m_footprints || number < 0 || number >= m_kernels.count()) {
    m_kernel.reset();
    return;
  }
  const pipeline::StageId owner = m_kernels.kernel(number).load.stage;
  const pipeline::Stage &stage = shown->found.schedule.pipeline()->stage(owner);
  std::vector<std::string> loops;
  for (const pipeline::LoopDim &loop : stage.loops)
    loops.push_back(loop.name);
  if (!m_kernel || m_kernel->owner != owner || loops != m_loops) m_at.assign(loops.size(), -1);
  if (loops != m_loops) {
    m_loops = std::move(loops);
    chooseAxes(stage);
  }
  m_kernel = std::make_shared<const footprint::KernelFootprint>(m_footprints->of(owner, m_at));
}

// At first the picture shows the first two loops, which run over neighbouring elements in memory.
// Loops of reductions come last, because each tile contains all of their iterations.
void FootprintPanel::chooseAxes(const pipeline::Stage &owner) {
  std::vector<std::uint32_t> order(m_loops.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_partition(order, [&](std::uint32_t loop) {
    return owner.loops[loop].kind == pipeline::LoopDim::Kind::Pure;
  });
  const QSignalBlocker across(m_across), down(m_down);
  for (QComboBox *box : {m_across, m_down}) {
    box->clear();
    for (const std::string &loop : m_loops)
      box->addItem(QString::fromStdString(loop));
    box->setEnabled(m_loops.size() > 1);
  }
  m_axes.across = order.empty() ? 0 : order[0];
  m_axes.down.reset();
  if (order.size() > 1) m_axes.down = order[1];
  m_across->setCurrentIndex(order.empty() ? -1 : int(order[0]));
  m_down->setCurrentIndex(m_axes.down ? int(order[1]) : -1);
}

// If the chosen loop is already drawn in the other direction, the two loops change places.
void FootprintPanel::chooseAxis(QComboBox &changed, QComboBox &other) {
  const bool isAcross = &changed == m_across;
  if (m_loops.size() < 2 || changed.currentIndex() < 0) return;
  if (changed.currentIndex() == other.currentIndex()) {
    const QSignalBlocker quiet(&other);
    other.setCurrentIndex(int(isAcross ? m_axes.across : m_axes.down.value_or(0)));
  }
  m_axes.across = std::uint32_t(m_across->currentIndex());
  m_axes.down = std::uint32_t(m_down->currentIndex());
  m_refresh.request();
}

void FootprintPanel::clearSliders() {
  while (m_sliderRows->rowCount() > 0)
    m_sliderRows->removeRow(0);
  m_slid.clear();
}

// With the sliders the user chooses another tile along the loops that the picture does not show.
void FootprintPanel::fillSliders() {
  const Tile &tile = m_kernel->tile(m_axes.level);
  std::vector<std::pair<std::uint32_t, std::int64_t>> wanted;
  for (std::uint32_t l = 0; l < tile.sides.size(); ++l)
    if (l != m_axes.across && l != m_axes.down && tile.sides[l].count > 1)
      wanted.emplace_back(l, tile.sides[l].count);
  if (wanted != m_slid) {
    clearSliders();
    m_slid = wanted;
    for (const auto &[loop, count] : wanted) {
      auto *slider = new QSlider(Qt::Horizontal, m_sliders);
      const QString name = QString::fromStdString(m_loops[loop]);
      slider->setObjectName(QStringLiteral("footprintAt_") + name);
      slider->setAccessibleName(tr("Position of the tile along %1").arg(name));
      slider->setRange(0, int(std::min<std::int64_t>(count, 1 << 30) - 1));
      slider->setValue(int(tile.sides[loop].index));
      m_sliderRows->addRow(name, slider);
      connect(slider, &QSlider::valueChanged, this, [this, at = loop](int value) {
        m_at[at] = value;
        m_refresh.request();
      });
    }
  }
  m_sliders->setVisible(!m_slid.empty());
  for (const auto &[loop, count] : m_slid)
    if (auto *slider = m_sliders->findChild<QSlider *>(QStringLiteral("footprintAt_") +
                                                       QString::fromStdString(m_loops[loop]))) {
      const QSignalBlocker quiet(slider);
      if (m_at[loop] < 0) slider->setValue(int(tile.sides[loop].index)); // no tile is chosen
      slider->setToolTip(
          tr("Tile %1 of %2").arg(countText(tile.sides[loop].index + 1), countText(count)));
    }
}

void FootprintPanel::showNumbers() {
  if (!m_kernel) return m_answer->clear();
  const int number = m_kernels.current();
  m_title->setText(
      tr("Kernel %1: %2").arg(countText(number + 1), QString::fromStdString(m_kernel->name)));
  m_title->setToolTip(m_title->text());
  if (m_drag->isActive()) return; // m_answer shows the effect of the tried size
  const Tile &tile = m_kernel->tile(m_axes.level);
  QStringList sides;
  for (const Tile::Side &side : tile.sides)
    sides << countText(side.range.extent());
  QString text = tr("%1 of %2: %3")
                     .arg(levelText(m_axes.level), sides.join(QStringLiteral(" × ")),
                          bytesOf(m_kernel->bytesAt(m_axes.level)));
  if (std::ranges::any_of(tile.sides, &Tile::Side::isInterleaved))
    text += tr(". The points of this tile alternate with those of neighbouring tiles");
  m_answer->setText(text);
}

void FootprintPanel::showEdges() {
  if (m_schedule.isDraft()) return; // the edges stay those from before the drag
  const std::vector<footprint::TileEdge> edges = footprint::tileEdges(
      m_measured->found.schedule, m_kernels.facts().machine, m_kernel->owner, m_axes.level);
  const auto of = [&](std::optional<std::uint32_t> loop) {
    return loop && *loop < edges.size() ? std::optional(edges[*loop]) : std::nullopt;
  };
  m_drag->setEdges(of(m_axes.across), of(m_axes.down));
}

std::optional<Subject> FootprintPanel::subjectOf(int row) const {
  const footprint::Entry &entry = m_model.entry(row);
  const pipeline::Pipeline &base = *m_measured->found.schedule.base();
  if (entry.producer.kind == pipeline::Producer::Kind::Input)
    return Subject::input(pipeline::InputId{entry.producer.index});
  const auto func = std::ranges::find(base.funcs(), entry.name, &pipeline::Func::name);
  if (func == base.funcs().end()) return std::nullopt; // the schedule adds it
  // The output stands for its stage that owns the blocks, which may be an update.
  const std::uint32_t stage =
      entry.role == footprint::Role::Output
          ? m_measured->found.schedule.pipeline()->stage(m_kernel->owner).index
          : 0;
  return Subject::stage(
      pipeline::StageId{std::uint32_t(pipeline::index(func->firstStage)) + stage});
}

// A click on a func or input that the kernel only reads or inlines just marks its row. Selecting
// its stage could make another kernel the current one.
void FootprintPanel::select(int row) {
  m_table->selectRow(row);
  const footprint::Role role = m_model.entry(row).role;
  if (role != footprint::Role::Output && role != footprint::Role::Member) return;
  if (const auto subject = subjectOf(row)) m_selection.select(*subject);
}

void FootprintPanel::goTo(int row) {
  if (const auto subject = subjectOf(row)) m_selection.select(*subject);
}

// Marks the row of the stage or input that was made active in another panel.
void FootprintPanel::markActive() {
  const std::optional<Subject> active = m_selection.active();
  if (!m_kernel || m_refresh.isStale() || !active) return;
  for (int row = 0; row < m_model.rowCount(); ++row)
    if (subjectOf(row) == active && m_table->currentIndex().row() != row) m_table->selectRow(row);
}

} // namespace tessera::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/block/block_panel.h"

#include "views/block/access_view.h"
#include "views/block/wave_view.h"
#include "engine/pipeline/stage_names.h"
#include "views/kernels/empty_page.h"
#include "views/tables/occupancy_table_model.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/table_look.h"
#include "views/theme/wrapped_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

using block::BlockHandle;
using block::Duty;
using block::HandleKind;
using block::HandleStop;
using block::ThreadBlock;
using pipeline::StageId;

namespace {

const QString kBlockTag = QStringLiteral("block"), kSizesTag = QStringLiteral("block.sizes");

QLabel *wrappedLabel(QWidget *parent, const QString &objectName, const QString &accessibleName) {
  auto *label = new WrappedLabel(parent);
  label->setObjectName(objectName);
  label->setAccessibleName(accessibleName);
  return label;
}

// A picture with a line above it that says how to read it.
QWidget *captioned(QWidget *picture, const QString &caption) {
  auto *whole = new QWidget(picture->parentWidget());
  auto *label = new QLabel(caption, whole);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  auto *column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(label);
  column->addWidget(picture, 1);
  return whole;
}

QString sizeText(const block::ThreadPlace &size) {
  QStringList parts{countText(size[0])};
  for (std::size_t d = 1; d < size.size(); ++d)
    if (size[d] > 1 || (d == 1 && size[2] > 1)) parts << countText(size[d]);
  return parts.join(QStringLiteral(" × "));
}

QString summaryOf(const ThreadBlock &block) {
  const QString threads = block.all() == 1
                              ? BlockPanel::tr("<b>1</b> thread")
                              : BlockPanel::tr("<b>%1</b> threads", nullptr, numerus(block.all()))
                                    .arg(sizeText(block.threads));
  QString text = BlockPanel::tr("%1 in %2: %3 computing, %4 computing only halo, %5 idle.")
                     .arg(threads, warpsText(block.warps()), countText(block.count(Duty::Computes)),
                          countText(block.count(Duty::Halo)), countText(block.count(Duty::Idle)));
  if (block.emptyLanes() > 0)
    text += block.emptyLanes() == 1 ? BlockPanel::tr(" 1 lane of the last warp is empty.")
                                    : BlockPanel::tr(" %1 lanes of the last warp are empty.",
                                                     nullptr, numerus(block.emptyLanes()))
                                          .arg(countText(block.emptyLanes()));
  QStringList tile;
  for (const std::int64_t side : block.tile)
    tile << countText(side);
  QStringList how; // the factors of the number of points, without those of 1
  if (block.turns > 1) how << BlockPanel::tr("%1 iterations").arg(countText(block.turns));
  if (block.copies > 1) how << BlockPanel::tr("%1 unrolled").arg(countText(block.copies));
  if (block.vector > 1) how << BlockPanel::tr("vectors of %1").arg(countText(block.vector));
  text += block.points() == 1
              ? BlockPanel::tr(" Each thread computes 1 point.")
              : BlockPanel::tr(" Each thread computes %1 points (%2); its register tile is %3.")
                    .arg(countText(block.points()), how.join(QStringLiteral(" × ")),
                         tile.join(QStringLiteral(" × ")));
  if (block.redundancy() > 0)
    text += BlockPanel::tr(" %1 of the computed elements are redundant.")
                .arg(percentText(block.redundancy()));
  return text;
}

// The first access that has addresses to show, else the first one.
int firstInMemory(const std::vector<block::WarpPattern> &accesses) {
  const auto at = std::ranges::find_if(accesses, &block::WarpPattern::isInMemory);
  return at == accesses.end() ? 0 : int(at - accesses.begin());
}

bool isOfThreads(const BlockHandle &handle) { return handle.kind == HandleKind::Threads; }

} // namespace

BlockPanel::BlockPanel(ShownKernels &kernels, DocumentFlow &documents, ScheduleFlow &schedule,
                       Selection &selection, Bridge &bridge, QWidget *parent)
    : QStackedWidget(parent), m_kernels(kernels), m_documents(documents), m_schedule(schedule),
      m_selection(selection), m_bridge(bridge) {
  setAccessibleName(tr("Thread block"));
  m_empty = emptyPage(*this);
  m_page = new QWidget(this);
  m_page->setAutoFillBackground(true);
  m_page->setBackgroundRole(QPalette::Base);
  addWidget(m_page);
  m_stages = new QComboBox(m_page);
  m_stages->setObjectName(QStringLiteral("blockStage"));
  m_stages->setAccessibleName(tr("Stage of the kernel"));
  m_stages->setToolTip(tr("Stage whose threads are shown. All stages of a kernel run in the same "
                          "blocks."));
  m_summary = wrappedLabel(m_page, QStringLiteral("blockSummary"), tr("Description of the block"));
  m_tabs = new QTabWidget(m_page);
  m_tabs->setObjectName(QStringLiteral("blockPages"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(buildThreadPage(), tr("Threads"));
  m_tabs->addTab(buildAccessPage(), tr("Accesses"));
  m_tabs->addTab(buildGridPage(), tr("Grid"));
  auto *column = new QVBoxLayout(m_page);
  column->setContentsMargins(8, 6, 8, 6);
  column->setSpacing(4);
  column->addWidget(m_stages);
  column->addWidget(m_summary);
  column->addWidget(m_tabs, 1);
  setFocusProxy(m_threads);

  connect(m_stages, &QComboBox::activated, this, &BlockPanel::chooseStage);
  connect(&m_kernels, &ShownKernels::changed, &m_refresh, &SeenRefresh::request);
  connect(&m_kernels, &ShownKernels::currentChanged, &m_refresh, &SeenRefresh::request);
  connect(&m_schedule, &ScheduleFlow::stateChanged, this, &BlockPanel::findSizes);
  connect(&m_selection, &Selection::changed, this, [this](Selection::Changes changes) {
    if (changes & Selection::ActiveChanged) m_refresh.request();
  });
  m_refresh.now();
}

QWidget *BlockPanel::buildThreadPage() {
  auto *page = new QWidget(m_page);
  m_threads = new ThreadView(page);
  m_threads->setObjectName(QStringLiteral("blockThreads"));
  m_elements = new ElementView(page);
  m_elements->setObjectName(QStringLiteral("blockElements"));
  auto *split = new QSplitter(Qt::Horizontal, page);
  split->setChildrenCollapsible(false);
  split->addWidget(captioned(m_threads, tr("Threads of the block (colour: warp; number: lane; "
                                           "hatched: computes only halo; dotted: idle)")));
  split->addWidget(captioned(
      m_elements,
      tr("Elements of the block (number: iteration of the current thread; hatched: halo)")));
  m_thread = wrappedLabel(page, QStringLiteral("blockThread"), tr("The current thread"));
  m_effect = wrappedLabel(page, QStringLiteral("blockEffect"),
                          tr("Effect of the size that is being tried"));
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(split, 1);
  column->addWidget(m_thread);
  column->addWidget(m_effect);
  connect(m_threads, &ThreadView::currentChanged, this, [this](qint64 thread) {
    m_elements->setCurrent(thread);
    showThread();
  });
  connect(m_elements, &ElementView::chosen, this, [this](qint64 thread) {
    m_threads->setCurrent(thread);
    m_elements->setCurrent(thread);
    showThread();
  });
  connect(m_threads, &ThreadView::laidOut, this, &BlockPanel::placeThreadHandles);
  connect(m_elements, &ElementView::laidOut, this, &BlockPanel::placePointHandles);
  return page;
}

QWidget *BlockPanel::buildAccessPage() {
  auto *page = new QWidget(m_page);
  m_accessTable = new QTableView(page);
  m_accessTable->setObjectName(QStringLiteral("blockAccesses"));
  m_accessTable->setAccessibleName(tr("Loads and stores of the stage"));
  m_accessTable->setModel(&m_accesses);
  makeReadable(*m_accessTable, 7);
  m_accessTable->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_accessTable->setSelectionMode(QAbstractItemView::SingleSelection);
  m_accessView = new AccessView(page);
  m_accessView->setObjectName(QStringLiteral("blockAddresses"));
  m_accessText = wrappedLabel(page, QStringLiteral("blockAccess"), tr("Description of the access"));
  auto *split = new QSplitter(Qt::Vertical, page);
  split->setChildrenCollapsible(false);
  split->addWidget(m_accessTable);
  split->addWidget(m_accessView);
  split->setStretchFactor(1, 1);
  split->setSizes({150, 200});
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(split, 1);
  column->addWidget(m_accessText);
  connect(m_accessTable->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &BlockPanel::showAccess);
  return page;
}

QWidget *BlockPanel::buildGridPage() {
  auto *page = new QWidget(m_page);
  m_waves = new WaveView(page);
  m_waves->setObjectName(QStringLiteral("blockWaves"));
  m_gridText = wrappedLabel(page, QStringLiteral("blockGrid"), tr("Description of the grid"));
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(m_waves, 1);
  column->addWidget(m_gridText);
  return page;
}

void BlockPanel::showPage(Page page) { m_tabs->setCurrentIndex(page); }

// ---- Which stage

std::string BlockPanel::activeName() const {
  const auto active = m_selection.active();
  const pipeline::Pipeline &base = *m_kernels.schedule()->found.schedule.base();
  if (!active || !active->isStage() || active->index >= base.stages().size()) return {};
  return base.stageName(active->stageId());
}

void BlockPanel::refresh() {
  m_empty->setText(emptyText(m_kernels));
  const bool has = m_kernels.count() > 0 && m_kernels.current() >= 0;
  setCurrentWidget(has ? m_page : m_empty->parentWidget());
  if (!has) {
    m_stages->hidePopup();
    m_of = nullptr;
    m_isFinding = false;
    m_stageName.clear();
    m_block = m_preview = nullptr;
    m_bridge.cancelTag(kBlockTag);
    m_bridge.cancelTag(kSizesTag);
    setHandles({});
    return;
  }
  fillStages();
  find();
}

// Lists the stages of the current kernel and chooses one of them: the active stage, else the stage
// that was chosen before, else the one that owns the blocks.
void BlockPanel::fillStages() {
  const cost::KernelLoad &load = m_kernels.kernel(m_kernels.current()).load;
  const pipeline::Pipeline &pipeline = *m_kernels.schedule()->found.schedule.pipeline();
  QStringList names;
  for (const cost::StageLoad &stage : load.stages)
    names << QString::fromStdString(pipeline.stageName(stage.stage));
  const QSignalBlocker blocker(m_stages);
  const QString before = m_stages->currentText();
  m_stages->clear();
  m_stages->addItems(names);
  int chosen = int(names.indexOf(QString::fromStdString(activeName())));
  if (chosen < 0) chosen = int(names.indexOf(before));
  if (chosen < 0)
    chosen = int(names.indexOf(QString::fromStdString(pipeline.stageName(load.stage))));
  m_stages->setCurrentIndex(qMax(0, chosen));
}

// A stage that the schedule adds cannot be selected; then only this panel shows it.
void BlockPanel::chooseStage() {
  if (!m_kernels.schedule()) return; // it went while the list was open
  const pipeline::Pipeline &base = *m_kernels.schedule()->found.schedule.base();
  if (const auto stage = stageNamed(base, m_stages->currentText().toStdString()))
    m_selection.select(Subject::stage(*stage));
  find();
}

// ---- The block

void BlockPanel::find() {
  const ShownSchedulePtr &of = m_kernels.schedule();
  const std::string name = m_stages->currentText().toStdString();
  if (of == m_of && name == m_stageName) return;
  const auto stage = stageNamed(*of->found.schedule.pipeline(), name);
  if (!stage) return;
  m_of = of;
  m_stageName = name;
  m_knowsSizes = false;
  m_isFinding = true;
  m_bridge.cancelTag(kSizesTag);
  const machine::Machine machine = m_kernels.facts().machine;
  m_bridge.run<Found>(
      kBlockTag, {},
      [of, machine, id = *stage](const job::JobContext &) -> Result<Found> {
        const FoundSchedule &found = of->found;
        Found result;
        if (auto block = block::stageBlockOf(found.schedule, machine, found.prediction, id))
          result.block = std::make_shared<const block::StageBlock>(std::move(*block));
        result.handles = block::handlesOf(found.schedule, id);
        return result;
      },
      this,
      [this](Result<Found> found) {
        if (found) take(std::move(*found));
      });
}

void BlockPanel::take(Found found) {
  m_isFinding = false;
  m_block = std::move(found.block);
  m_preview = nullptr;
  setHandles(found.handles);
  showBlock();
  findSizes();
}

// All sizes are found before the user pulls a handle, so that a frame of a drag only looks them up.
// A handle names loops of its own schedule, so nothing is found while the handles are still those
// of the previous schedule.
void BlockPanel::findSizes() {
  if (m_isFinding) return;
  if (!m_of || !m_block || m_knowsSizes || m_schedule.isRunning() || !m_documents.hasDocument())
    return;
  std::vector<BlockHandle> handles;
  for (const SizeHandle *handle : m_handles)
    handles.push_back(handle->handle());
  if (handles.empty()) {
    m_knowsSizes = true;
    return;
  }
  const machine::Machine machine = m_kernels.facts().machine;
  m_bridge.runStaged<AllStops, AllStops>(
      kSizesTag, {},
      [of = m_of, machine, handles, stage = m_block->threads.stage](
          const job::JobContext &context,
          const std::function<void(AllStops)> &tell) -> Result<AllStops> {
        AllStops all;
        for (const BlockHandle &handle : handles) {
          all.push_back(std::make_shared<const std::vector<HandleStop>>(
              block::stopsOf(of->found.schedule, machine, stage, handle, context.stop)));
          if (context.stop.stop_requested()) break;
          tell(all);
        }
        return all;
      },
      this, [this](const AllStops &stops) { takeStops(stops); },
      [this](Result<AllStops> stops) {
        if (!stops) return;
        takeStops(*stops);
        m_knowsSizes = stops->size() == m_handles.size();
        if (!m_preview) showBlock();
      });
}

void BlockPanel::takeStops(const AllStops &stops) {
  for (std::size_t h = 0; h < m_handles.size() && h < stops.size(); ++h)
    if (!m_handles[h]->isPulled() || !m_handles[h]->asked()) m_handles[h]->setStops(stops[h]);
}

// ---- Handles

SizeHandle *BlockPanel::handle(HandleKind kind, const QString &dim) const {
  const auto at = std::ranges::find_if(m_handles, [&](const SizeHandle *one) {
    return one->handle().kind == kind && QString::fromStdString(one->handle().dim) == dim;
  });
  return at == m_handles.end() ? nullptr : *at;
}

// If the handles have the same kinds and dimensions as before, their widgets are kept, so that the
// keyboard's focus stays.
void BlockPanel::setHandles(const std::vector<BlockHandle> &handles) {
  const auto isSame = [](const SizeHandle *one, const BlockHandle &other) {
    return one->handle().kind == other.kind && one->handle().dim == other.dim;
  };
  const bool isKept = handles.size() == m_handles.size() &&
                      std::equal(m_handles.begin(), m_handles.end(), handles.begin(), isSame);
  if (!isKept) {
    for (SizeHandle *handle : m_handles) {
      handle->hide();
      handle->setObjectName({});
      handle->deleteLater();
    }
    m_handles.clear();
    for (const BlockHandle &of : handles) {
      QWidget *parent = m_elements;
      if (isOfThreads(of)) parent = m_threads;
      auto *handle = new SizeHandle(parent);
      connect(handle, &SizeHandle::pulled, this, &BlockPanel::tryOut);
      connect(handle, &SizeHandle::taken, this, &BlockPanel::decide);
      m_handles.push_back(handle);
    }
  }
  for (std::size_t h = 0; h < handles.size(); ++h) {
    m_handles[h]->setHandle(handles[h], nullptr);
    m_handles[h]->show();
  }
}

void BlockPanel::placeThreadHandles() {
  const ThreadGrid grid = m_threads->grid();
  const QRectF area = grid.area();
  constexpr double kLeast = 4; // pixels for a thread; with fewer, a drag would be too fast
  for (SizeHandle *handle : m_handles) {
    if (!isOfThreads(handle->handle())) continue;
    const double wide = handle->width(), high = handle->height();
    const std::size_t dim = handle->handle().blockDim;
    QPointF middle(area.right() + wide / 2 + 2, area.center().y());
    if (dim == 1) middle = {area.center().x(), area.bottom() + high / 2 + 2};
    if (dim == 2) middle = {area.right() + wide / 2 + 2, area.bottom() + high / 2 + 2};
    middle.setX(
        std::clamp(middle.x(), wide / 2, std::max(wide / 2, m_threads->width() - wide / 2)));
    middle.setY(
        std::clamp(middle.y(), high / 2, std::max(high / 2, m_threads->height() - high / 2)));
    handle->place(middle, grid.isWrapped() ? kLeast : std::max(kLeast, grid.cell()));
  }
}

void BlockPanel::placePointHandles() {
  const ElementGrid grid = m_elements->grid();
  QRectF tile = m_elements->tile();
  if (tile.isEmpty()) tile = grid.area();
  constexpr double kLeast = 10;
  for (SizeHandle *handle : m_handles) {
    if (isOfThreads(handle->handle())) continue;
    const double wide = handle->width(), high = handle->height();
    // The handles are outside of the picture. Inside, they would hide the whole picture of a small
    // block.
    QPointF middle(grid.area().right() + wide / 2 + 3, tile.center().y());
    if (handle->handle().blockDim > 0)
      middle = {tile.center().x(),
                grid.area().bottom() + high * (double(handle->handle().blockDim) - 0.5) + 3};
    if (handle->handle().kind == HandleKind::Vector) middle += QPointF(0, high + 3);
    middle.setX(
        std::clamp(middle.x(), wide / 2, std::max(wide / 2, m_elements->width() - wide / 2)));
    middle.setY(
        std::clamp(middle.y(), high / 2, std::max(high / 2, m_elements->height() - high / 2)));
    handle->place(middle, std::max(kLeast, grid.cell()));
  }
}

void BlockPanel::tryOut(const HandleStop *stop) {
  if (!m_preview) {
    m_threadCell = std::max(1.0, m_threads->grid().cell());
    m_elementCell = std::max(1.0, m_elements->grid().cell());
  }
  m_preview = stop ? stop->block : nullptr;
  showBlock();
  if (!stop) return;
  const double before = m_of->found.prediction.seconds;
  const double change = before > 0 ? stop->seconds / before - 1 : 0;
  const QString more =
      std::abs(change) < 5e-4
          ? tr("the same time")
          : (change > 0 ? tr("+%1") : tr("−%1")).arg(percentText(std::abs(change)));
  m_effect->setText(tr("<b>%1</b>: %2 ms predicted, %3. Release the mouse button or press "
                       "Return to accept, Escape to cancel.")
                        .arg(QString::fromStdString(stop->text).toHtmlEscaped(),
                             threeDigits(stop->seconds * 1e3), more));
}

// The block with the chosen size stays visible until the document's new schedule is shown.
void BlockPanel::decide(const HandleStop &stop) {
  // While m_isFinding, the size belongs to the previous schedule, and choosing it would undo later
  // decisions.
  if (!stop.schedule || !m_documents.hasDocument() || m_schedule.isRunning() || m_isFinding)
    return tryOut(nullptr);
  const document::Choice choice{stop.decision, stop.text, *stop.schedule, stop.seconds};
  const StageBlockPtr block = stop.block;
  m_documents.choose(choice);
  const auto &current = m_documents.document().current();
  if (!current || !(*current == choice.after)) return tryOut(nullptr); // the document refused it
  m_preview = block;
  showBlock();
}

// ---- Showing

void BlockPanel::showBlock() {
  const StageBlockPtr block = shown();
  if (!block) return;
  // While a handle is pulled, cells keep their size, so that the edge follows the pointer.
  const bool isTried = m_preview != nullptr;
  m_threads->setBlock(block, isTried ? std::optional(m_threadCell) : std::nullopt);
  m_elements->setBlock(block, isTried ? std::optional(m_elementCell) : std::nullopt);
  m_summary->setText(summaryOf(block->threads));
  m_accesses.setBlock(block);
  for (int column = 0; column < m_accesses.columnCount(); ++column)
    m_accessTable->setColumnWidth(column, contentWidth(*m_accessTable, column));
  if (!m_accessTable->currentIndex().isValid() && m_accesses.rowCount() > 0)
    m_accessTable->setCurrentIndex(m_accesses.index(firstInMemory(block->accesses), 0));
  m_waves->setGrid(block->grid);
  m_gridText->setText(m_waves->summary());
  showThread();
  showAccess();
  if (isTried) return;
  m_effect->setText(
      m_handles.empty()
          ? block->threads.depth == schedule::Depth::Thread
                ? tr("Each thread of the kernel computes this stage for itself, so the stage has "
                     "the threads of the stage around it.")
                : tr("The stage has no threads of its own.")
          : tr("Drag a number at an edge to change it, or go to it with Tab and use "
               "the arrow keys.%1")
                .arg(m_knowsSizes ? QString() : tr(" Finding out which sizes are legal …")));
}

void BlockPanel::showThread() {
  const StageBlockPtr block = shown();
  if (!block) return;
  const ThreadBlock &threads = block->threads;
  const std::int64_t current = m_threads->current();
  const auto owned = threads.ownedBy(threads.placeOf(current));
  QString text = m_threads->textOf(current);
  if (!owned.empty()) {
    QStringList first, last;
    for (std::size_t d = 0; d < owned.front().at.size(); ++d) {
      first << QString::number(owned.front().at[d]);
      last << QString::number(owned.back().at[d]);
    }
    text += owned.size() == 1
                ? tr(". It computes the element (%1).").arg(first.join(", "))
                : tr(". It computes %1 elements, from (%2) to (%3).")
                      .arg(countText(qint64(owned.size())), first.join(", "), last.join(", "));
  }
  m_thread->setText(text);
}

void BlockPanel::showAccess() {
  const QModelIndex current = m_accessTable->currentIndex();
  m_accessView->show(shown(), current.isValid() ? std::size_t(current.row()) : 0);
  m_accessText->setText(m_accessView->summary());
}

} // namespace tessera::views

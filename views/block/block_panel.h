// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/block/size_handle.h"
#include "views/block/thread_view.h"
#include "engine/block/block_handles.h"
#include "views/flows/document_flow.h"
#include "views/flows/shown_kernels.h"
#include "views/tables/access_table_model.h"
#include "views/theme/seen_refresh.h"

#include <QStackedWidget>

#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QTableView;
class QTabWidget;

namespace tessera::views {

class AccessView;
class WaveView;

// The thread block of a stage of the current kernel: who computes what, what a warp's loads and
// stores touch, and the waves of the grid. Handles at the edges change the number of threads, the
// points that a thread computes and its vectors. Each change is one step of the document's history.
//
//   another schedule, kernel or stage ─▶ a thread finds the block ─▶ shown
//                                        and then the sizes of each handle
//   a handle is pulled ─▶ the block of that size is shown ─▶ released: DocumentFlow::choose()
class BlockPanel : public QStackedWidget {
  Q_OBJECT
public:
  enum Page { ThreadPage, AccessPage, GridPage };

  BlockPanel(ShownKernels &kernels, DocumentFlow &documents, ScheduleFlow &schedule,
             Selection &selection, Bridge &bridge, QWidget *parent = nullptr);

  // What is shown now: the schedule's block, or that of a size that is being tried.
  StageBlockPtr shown() const { return m_preview ? m_preview : m_block; }
  bool isTrying() const { return m_preview != nullptr; }
  bool knowsSizes() const { return m_knowsSizes; } // the sizes of all handles
  QString stageName() const { return QString::fromStdString(m_stageName); }
  // The handle with this kind and dimension; null: there is none.
  SizeHandle *handle(block::HandleKind kind, const QString &dim) const;
  const std::vector<SizeHandle *> &handles() const { return m_handles; }
  ThreadView &threads() { return *m_threads; }
  ElementView &elements() { return *m_elements; }
  QTableView &accessTable() { return *m_accessTable; }
  AccessView &accessView() { return *m_accessView; }
  WaveView &waves() { return *m_waves; }
  QComboBox &stageChooser() { return *m_stages; }
  void showPage(Page page);

protected:
private:
  struct Found {
    StageBlockPtr block; // null: no kernel computes the stage
    std::vector<block::BlockHandle> handles;
  };
  using AllStops = std::vector<StopsPtr>; // indexed by handle

  QWidget *buildThreadPage();
  QWidget *buildAccessPage();
  QWidget *buildGridPage();
  void refresh();
  void fillStages();
  std::string activeName() const;
  void chooseStage();
  void find();
  void take(Found found);
  void findSizes();
  void takeStops(const AllStops &stops);
  void setHandles(const std::vector<block::BlockHandle> &handles);
  void placeThreadHandles();
  void placePointHandles();
  void tryOut(const block::HandleStop *stop);
  void decide(const block::HandleStop &stop);
  void showBlock();
  void showThread();
  void showAccess();

  ShownKernels &m_kernels;
  DocumentFlow &m_documents;
  ScheduleFlow &m_schedule;
  Selection &m_selection;
  Bridge &m_bridge;
  AccessTableModel m_accesses;
  QLabel *m_empty = nullptr;
  QWidget *m_page = nullptr;
  QComboBox *m_stages = nullptr;
  QTabWidget *m_tabs = nullptr;
  QLabel *m_summary = nullptr, *m_thread = nullptr, *m_effect = nullptr;
  QLabel *m_accessText = nullptr, *m_gridText = nullptr;
  ThreadView *m_threads = nullptr;
  ElementView *m_elements = nullptr;
  QTableView *m_accessTable = nullptr;
  AccessView *m_accessView = nullptr;
  WaveView *m_waves = nullptr;
  std::vector<SizeHandle *> m_handles;
  bool m_knowsSizes = false;
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
  bool m_isFinding = false; // m_block and the handles do not belong to m_of and m_stageName yet
  ShownSchedulePtr m_of;    // the schedule of m_block, or the one that its block is being found for
  std::string m_stageName;  // the stage in the pipeline of m_of
  StageBlockPtr m_block, m_preview;
  double m_threadCell = 1, m_elementCell = 1; // sizes of cells before the pull, in pixels
};

} // namespace tessera::views

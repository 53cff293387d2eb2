// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/footprint/footprint_layout.h"
#include "views/flows/document_flow.h"
#include "views/flows/shown_kernels.h"
#include "views/tables/footprint_model.h"
#include "views/theme/seen_refresh.h"

#include <QStackedWidget>

#include <memory>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QTableView;

namespace tessera::views {

class FootprintView;
class TileDrag;

// What a tile of the current kernel needs: the boxes of all its funcs and inputs with their halo,
// at a level that the user chooses, as a picture and as a table. The edges of the tile can be
// dragged.
class FootprintPanel : public QStackedWidget {
  Q_OBJECT
public:
  FootprintPanel(ShownKernels &kernels, DocumentFlow &documents, ScheduleFlow &schedule,
                 Selection &selection, Bridge &bridge, QWidget *parent = nullptr);

  FootprintView &view() { return *m_view; }
  QTableView &table() { return *m_table; }
  TileDrag &drag() { return *m_drag; }
  const KernelFootprintPtr &kernel() const { return m_kernel; } // null: there is none
  const FootprintAxes &axes() const { return m_axes; }

  void setLevel(footprint::Level level);

protected:
private:
  QWidget *buildChoosers();
  QWidget *buildPicture();
  void buildTable();
  void connectAll();
  void refresh();
  void measure();
  void chooseAxes(const pipeline::Stage &owner);
  void chooseAxis(QComboBox &changed, QComboBox &other);
  void fillSliders();
  void clearSliders();
  void showNumbers();
  void showEdges();
  void markActive();
  void select(int entry);
  void goTo(int entry);
  std::optional<Subject> subjectOf(int entry) const;

  ShownKernels &m_kernels;
  ScheduleFlow &m_schedule;
  Selection &m_selection;
  FootprintModel m_model;
  QLabel *m_empty = nullptr;
  QWidget *m_page = nullptr, *m_sliders = nullptr;
  QFormLayout *m_sliderRows = nullptr;
  QComboBox *m_level = nullptr, *m_across = nullptr, *m_down = nullptr;
  QLabel *m_title = nullptr, *m_answer = nullptr;
  FootprintView *m_view = nullptr;
  QTableView *m_table = nullptr;
  TileDrag *m_drag = nullptr;
  ShownSchedulePtr m_measured; // the schedule of m_footprints
  std::unique_ptr<footprint::Footprints> m_footprints;
  KernelFootprintPtr m_kernel;
  FootprintAxes m_axes;
  std::vector<std::string> m_loops; // names of the loops that can be chosen as axes
  std::vector<std::int64_t> m_at;   // tile that is shown, by loop; -1: one in the middle
  // Loops with sliders, and the number of tiles along each.
  std::vector<std::pair<std::uint32_t, std::int64_t>> m_slid;
  SeenRefresh m_refresh{*this, [this] { refresh(); }};
};

} // namespace tessera::views

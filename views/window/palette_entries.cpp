// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/palette_entries.h"

#include "views/window/action_reason.h"
#include "views/window/main_window.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace tessera::views {

namespace {

struct PaletteWords {
  Q_DECLARE_TR_FUNCTIONS(PaletteEntries)
};

using Entries = std::vector<PaletteEntry>;
using Seen = std::set<const QAction *>;

PaletteEntry entryOf(QAction &action, const QString &where) {
  PaletteEntry entry{plainText(action),
                     where,
                     action.shortcut().toString(QKeySequence::NativeText),
                     whyNot(action),
                     {},
                     [action = QPointer(&action)] {
                       if (action) action->trigger();
                     }};
  if (action.isCheckable()) entry.checked = action.isChecked();
  return entry;
}

// The entries of a disabled menu cannot be run either.
void addMenu(QMenu &menu, const QString &where, const QString &whyNoMenu, Seen &seen,
             Entries &entries) {
  for (QAction *action : menu.actions()) {
    if (action->isSeparator() || !action->isVisible() || !seen.insert(action).second) continue;
    if (action->menu()) {
      addMenu(*action->menu(), QStringLiteral("%1 › %2").arg(where, plainText(*action)),
              whyNoMenu.isEmpty() ? whyNot(*action) : whyNoMenu, seen, entries);
      continue;
    }
    entries.push_back(entryOf(*action, where));
    if (!whyNoMenu.isEmpty()) entries.back().whyNot = whyNoMenu;
  }
}

// A dock's entry runs the action that goes to the dock, and its check mark says whether the dock is
// shown. A dock that is shown gets a second entry, which closes it.
void addDocks(MainWindow &window, Seen &seen, Entries &entries) {
  for (QDockWidget *dock :
       window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
    auto *go = window.findChild<QAction *>(goToName(*dock));
    if (!go) continue;
    seen.insert({go, dock->toggleViewAction()});
    PaletteEntry entry = entryOf(*go, PaletteWords::tr("Dock"));
    entry.title = dock->windowTitle();
    entry.checked = !dock->isHidden();
    entries.push_back(entry);
    if (dock->isHidden()) continue;
    entry = entryOf(*dock->toggleViewAction(), PaletteWords::tr("Dock"));
    entry.title = PaletteWords::tr("Close %1").arg(dock->windowTitle());
    entry.checked.reset();
    entries.push_back(std::move(entry));
  }
}

// The actions in a dock's tool bars. Running one shows the dock, so that its effect is visible.
void addToolsOfDocks(MainWindow &window, Seen &seen, Entries &entries) {
  for (QDockWidget *dock :
       window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
    auto *go = window.findChild<QAction *>(goToName(*dock));
    if (!go || !dock->widget()) continue;
    for (QAction *action : dock->widget()->findChildren<QAction *>()) {
      const bool isPlumbing = action->isSeparator() || action->menu() || !action->isVisible() ||
                              plainText(*action).isEmpty() ||
                              action->objectName().startsWith(QLatin1String("_q_"));
      if (isPlumbing || !seen.insert(action).second) continue;
      PaletteEntry entry = entryOf(*action, dock->windowTitle());
      entry.run = [go = QPointer(go), run = std::move(entry.run)] {
        if (go) go->trigger();
        run();
      };
      if (!go->isEnabled()) entry.whyNot = whyNot(*go);
      entries.push_back(std::move(entry));
    }
  }
}

void addCandidates(MainWindow &window, Entries &entries) {
  DocumentFlow &documents = window.documents();
  if (!documents.hasDocument()) return;
  const auto &current = documents.document().current();
  for (const document::CandidatePtr &candidate : documents.document().candidates()) {
    const document::CandidateLabel &label = candidate->label;
    if (label.isRemoved) continue;
    PaletteEntry entry;
    entry.title = QString::fromStdString(label.name);
    entry.where = label.isQuarantined ? PaletteWords::tr("Candidate, quarantined")
                                      : PaletteWords::tr("Candidate");
    if (candidate->predictedSeconds)
      entry.where +=
          PaletteWords::tr(", %1 ms predicted").arg(*candidate->predictedSeconds * 1e3, 0, 'g', 4);
    entry.checked = current && *current == candidate->schedule;
    entry.run = [&documents, id = candidate->id] { documents.load(id); };
    entries.push_back(std::move(entry));
  }
}

void addSubjects(MainWindow &window, Entries &entries) {
  const auto &document = window.flow().document();
  if (!document) return;
  const pipeline::Pipeline &pipeline = *document->opened.pipeline;
  const auto add = [&](Subject subject, const std::string &name, const QString &what) {
    entries.push_back({QString::fromStdString(name), what, {}, {}, {}, [&window, subject] {
                         window.selection().select(subject);
                       }});
  };
  for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i)
    add(Subject::stage(pipeline::StageId{i}), pipeline.stageName(pipeline::StageId{i}),
        PaletteWords::tr("Stage"));
  for (std::uint32_t i = 0; i < pipeline.inputs().size(); ++i)
    add(Subject::input(pipeline::InputId{i}), pipeline.inputs()[i].name, PaletteWords::tr("Input"));
}

} // namespace

QString goToName(const QDockWidget &dock) { return QStringLiteral("goTo.") + dock.objectName(); }

std::vector<PaletteEntry> paletteEntries(MainWindow &window) {
  Entries entries, docks;
  Seen seen;
  addDocks(window, seen, docks);
  for (QAction *action : window.menuBar()->actions())
    if (action->menu()) addMenu(*action->menu(), plainText(*action), {}, seen, entries);
  std::ranges::move(docks, std::back_inserter(entries));
  addToolsOfDocks(window, seen, entries);
  addCandidates(window, entries);
  addSubjects(window, entries);
  return entries;
}

} // namespace tessera::views

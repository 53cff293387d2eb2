// SPDX-License-Identifier: GPL-3.0-or-later
// Opens samples in the window with the real workers, schedules them, and drags an edge of a tile in
// the footprint dock from one legal size to another. Prints the time of a frame: from the pointer's
// event until all visible docks have the numbers of the other size and everything is painted, by
// the clock and by the processor time of the window's own thread.
#include "../real_services.h"
#include "drags.h"
#include "frame_times.h"
#include "views/footprint/edge_handle.h"
#include "views/footprint/footprint_panel.h"
#include "views/footprint/footprint_view.h"
#include "views/footprint/tile_drag.h"

#include <QAction>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace tessera;
using namespace tessera::views;
using benchmark::cpuMilliseconds;
using benchmark::quantile;
using benchmark::waitUntil;

namespace {

class Session {
public:
  explicit Session(const QString &sample);
  void drag(int frames);

private:
  bool isIdle() { return m_window.bridge().running().empty(); }
  EdgeHandle *chooseEdge();
  void send(EdgeHandle &handle, QEvent::Type type, QPointF local);
  void moveTo(EdgeHandle &handle, double size);

  QTemporaryDir m_folder;
  QSettings m_settings{m_folder.filePath("s.ini"), QSettings::IniFormat};
  MainWindow m_window{views::test::realServices(m_folder.path()), m_settings};
};

Session::Session(const QString &sample) {
  m_window.resize(1600, 1000);
  m_window.show();
  m_window.openFile(views::test::kSamples + "/" + sample + ".hlpipe");
  waitUntil([&] {
    return m_window.flow().state() != OpenFlow::State::Working &&
           m_window.documents().hasDocument() && isIdle();
  });
  m_window.documents().search("auto", "h200", DocumentFlow::Around::Nothing);
  waitUntil([&] { return isIdle() && !m_window.schedule().isRunning(); });
  m_window.findChild<QAction *>("goTo.footprint")->trigger();
  waitUntil([&] { return m_window.footprint().isVisible() && m_window.footprint().kernel(); });
  std::printf("%s\n", qPrintable(sample));
}

// Returns the first edge that can be moved: of the kernel that takes longest or, if it has none, of
// another kernel.
EdgeHandle *Session::chooseEdge() {
  FootprintView &view = m_window.footprint().view();
  for (int kernel = -1; kernel < m_window.kernels().count(); ++kernel) {
    if (kernel >= 0) m_window.kernels().select(kernel);
    QCoreApplication::processEvents();
    for (const Qt::Orientation along : {Qt::Vertical, Qt::Horizontal})
      if (view.handle(along).isVisible() && !view.handle(along).isFixed())
        return &view.handle(along);
  }
  return nullptr;
}

void Session::send(EdgeHandle &handle, QEvent::Type type, QPointF local) {
  const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
  QMouseEvent event(type, local, handle.mapToGlobal(local), button, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&handle, &event);
}

void Session::moveTo(EdgeHandle &handle, double size) {
  const FootprintView &view = m_window.footprint().view();
  const FootprintCard &card = view.drawn().cards.front();
  const bool isAcross = handle.along() == Qt::Horizontal;
  const QPointF now = handle.geometry().center();
  const double by =
      (size - view.sizeAt(handle.along(), now)) * (isAcross ? card.pixelsAcross : card.pixelsDown);
  send(handle, QEvent::MouseMove,
       handle.mapFromParent(now + (isAcross ? QPointF(by, 0) : QPointF(0, by))));
}

void Session::drag(int frames) {
  EdgeHandle *handle = chooseEdge();
  if (!handle) return static_cast<void>(std::printf("  no edge can be moved\n"));
  QElapsedTimer clock;
  clock.start();
  send(*handle, QEvent::MouseButtonPress, handle->rect().center());
  waitUntil([&] { return !m_window.footprint().drag().finder().isLooking(); });
  const std::vector<TileFinder::Option> options = m_window.footprint().drag().finder().options();
  std::vector<double> sizes;
  for (const TileFinder::Option &option : options)
    if (option.isLegal()) sizes.push_back(double(option.size));
  std::printf("  %zu sizes, %zu legal, after %.0f ms\n", options.size(), sizes.size(),
              double(clock.nsecsElapsed()) * 1e-6);
  if (sizes.empty()) return;
  std::vector<double> byClock, ofThread;
  for (int i = 0; i < frames; ++i) {
    clock.start();
    const double before = cpuMilliseconds();
    moveTo(*handle, sizes[std::size_t(i) % sizes.size()]);
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
    byClock.push_back(double(clock.nsecsElapsed()) * 1e-6);
    ofThread.push_back(cpuMilliseconds() - before);
  }
  send(*handle, QEvent::MouseButtonRelease, handle->rect().center());
  std::printf("  a frame of a drag: median %5.1f ms, 99 %% %5.1f, worst %5.1f"
              "  (the window's thread %5.1f, %5.1f, %5.1f)\n",
              quantile(byClock, 0.5), quantile(byClock, 0.99), quantile(byClock, 1),
              quantile(ofThread, 0.5), quantile(ofThread, 0.99), quantile(ofThread, 1));
}

} // namespace

// bench_drag_tile [--frames N] SAMPLE…
int main(int argc, char **argv) { return benchmark::dragOnSamples<Session>(argc, argv); }

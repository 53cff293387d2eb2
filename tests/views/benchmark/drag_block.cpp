// SPDX-License-Identifier: GPL-3.0-or-later
// Opens samples in the window with the real workers, and pulls each handle of the thread block to
// and fro. Prints how long the sizes took to be found, and the time of a frame: from the move of
// the pointer until everything is painted, by the clock and by the processor time of the window's
// thread.
#include "../real_services.h"
#include "drags.h"
#include "frame_times.h"
#include "views/block/block_panel.h"

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

void sendMouse(QWidget &to, QEvent::Type type, QPointF place) {
  const bool isMove = type == QEvent::MouseMove;
  QMouseEvent event(type, place, to.mapToGlobal(place), isMove ? Qt::NoButton : Qt::LeftButton,
                    type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton,
                    Qt::NoModifier);
  QApplication::sendEvent(&to, &event);
}

class Session {
public:
  explicit Session(const QString &sample) {
    m_window.resize(1600, 1000);
    m_window.show();
    m_window.openFile(views::test::kSamples + "/" + sample + ".hlpipe");
    waitUntil([&] {
      return m_window.documents().hasDocument() &&
             !m_window.documents().document().candidates().empty();
    });
    m_window.documents().load(m_window.documents().document().candidates().front()->id);
    waitUntil([&] { return m_window.schedule().shown() != nullptr; });
    QElapsedTimer clock;
    clock.start();
    m_window.findChild<QAction *>("goTo.block")->trigger();
    waitUntil([&] { return panel().knowsSizes(); });
    std::printf("%s: %.0f ms until all sizes are known\n", qPrintable(sample),
                double(clock.nsecsElapsed()) * 1e-6);
  }

  void drag(int frames) {
    waitUntil([&] { return m_window.bridge().running().empty(); });
    for (SizeHandle *handle : panel().handles())
      if (handle->handle().refusal.empty()) drag(*handle, frames);
    if (m_byClock.empty()) return;
    std::printf("  a frame: median %.1f ms, 99 %% %.1f, worst %.1f"
                "  (the window's thread %.1f, %.1f, %.1f)\n",
                quantile(m_byClock, 0.5), quantile(m_byClock, 0.99), quantile(m_byClock, 1),
                quantile(m_ofThread, 0.5), quantile(m_ofThread, 0.99), quantile(m_ofThread, 1));
  }

private:
  BlockPanel &panel() { return *m_window.findChild<BlockPanel *>(); }

  void drag(SizeHandle &handle, int frames) {
    const QPointF from = handle.rect().center();
    sendMouse(handle, QEvent::MouseButtonPress, from);
    for (int frame = 0; frame < frames; ++frame) {
      // Moves to and fro over legal and illegal sizes.
      const double away = double(frame % 40 < 20 ? frame % 20 : 20 - frame % 20) * 12;
      const QPointF place =
          from + (handle.handle().blockDim == 0 ? QPointF(away, 0) : QPointF(0, away));
      QElapsedTimer clock;
      clock.start();
      const double before = cpuMilliseconds();
      sendMouse(handle, QEvent::MouseMove, place);
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
      m_byClock.push_back(double(clock.nsecsElapsed()) * 1e-6);
      m_ofThread.push_back(cpuMilliseconds() - before);
    }
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    QApplication::sendEvent(&handle, &escape);
    sendMouse(handle, QEvent::MouseButtonRelease, from);
  }

  QTemporaryDir m_folder;
  QSettings m_settings{m_folder.filePath("s.ini"), QSettings::IniFormat};
  MainWindow m_window{views::test::realServices(m_folder.path()), m_settings};
  std::vector<double> m_byClock, m_ofThread;
};

} // namespace

// bench_drag_block [--frames N] SAMPLE…
int main(int argc, char **argv) { return benchmark::dragOnSamples<Session>(argc, argv); }

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/host/layout.h"
#include "engine/open/open.h"
#include "views/window/main_window.h"
#include "tests/support/build_paths.h"

#include <chrono>
#include <memory>
#include <utility>

namespace tessera::views::test {

inline const QString kBin = QString::fromStdString(tessera::test::binPath(""));
inline const QString kSamples = QString::fromStdString(tessera::test::sharePath("samples"));

// The services that the program itself uses. They keep their files in `folder`.
inline WindowServices realServices(const host::ToolPaths &tools, const QString &folder) {
  auto trust = std::make_shared<host::TrustStore>((folder + "/t.json").toStdString());
  auto opener = std::make_shared<open::PipelineOpener>(tools, trust);
  auto layout =
      std::make_shared<host::LayoutClient>((kBin + "/tessera-layout").toStdString(), tools.record);
  WindowServices services;
  services.schedule = scheduleService(tools);
  services.kernels = kernelService(tools);
  services.open = openService(opener, trust);
  services.others = otherService(tools, opener);
  services.document = documentService(tools, opener, "test");
  services.document.recoveryFolder = (folder + "/recovery").toStdString();
  services.document.scratchFolder = (folder + "/scratch").toStdString();
  if (!tools.gpuWorker.empty()) services.measure = measureService(tools);
  services.record = tools.record;
  services.graphviz = [layout](const host::GraphShape &shape, std::stop_token stop) {
    return layout->layout(shape, std::chrono::seconds(30), std::move(stop));
  };
  return services;
}

// The worker programs of this build, except the one for a GPU. They keep their files in `folder`.
inline host::ToolPaths builtTools(const QString &folder) {
  host::ToolPaths tools;
  tools.halideWorker = (kBin + "/tessera-halide").toStdString();
  tools.cacheDir = folder.toStdString();
  tools.machines = tessera::test::sourcePath("resources/machines");
  return tools;
}
inline WindowServices realServices(const QString &folder) {
  return realServices(builtTools(folder), folder);
}

} // namespace tessera::views::test

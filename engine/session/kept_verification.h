// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/verify_report.h"
#include "engine/session/compile.h"
#include "engine/session/freshness.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tessera::session {

// What a document keeps of a comparison of outputs without a GPU: what came of it, and what
// it is of.
struct KeptVerification {
  schedule::VerifyReport report; // its outputs may differ, which is worth as much
  GpuApi api = GpuApi::OpenCl;   // that the schedule ran by
  std::string date;              // "2026-11-22T11:05:00Z"
  std::string program;           // version and commit
  Basis of;

  friend bool operator==(const KeptVerification &, const KeptVerification &) = default;
};

nlohmann::ordered_json toJson(const KeptVerification &verification);
Result<KeptVerification> keptVerificationFromJson(const nlohmann::json &document);

} // namespace tessera::session

// SPDX-License-Identifier: MIT
#include "engine/document/kept_verification.h"

#include "engine/measure/basis_json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::document {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::array kApis{measure::GpuApi::Cuda, measure::GpuApi::OpenCl, measure::GpuApi::Host};

} // namespace

ordered_json toJson(const KeptVerification &verification) {
  ordered_json document{{"api", name(verification.api)},
                        {"date", verification.date},
                        {"program", verification.program}};
  measure::addTo(document, verification.of);
  document["report"] = report::toJson(verification.report);
  return document;
}

Result<KeptVerification> keptVerificationFromJson(const json &document) {
  try {
    bench::ObjectReader reader(document, "a verification");
    KeptVerification kept;
    const std::string word = reader.word("api");
    const auto *api = std::ranges::find(kApis, word, [](measure::GpuApi one) { return name(one); });
    if (api == kApis.end()) throw bench::Malformed("'" + word + "' is not a known way to run");
    kept.api = *api;
    kept.date = reader.word("date");
    kept.program = reader.word("program");
    kept.of = measure::basisFrom(reader);
    auto report = report::verifyReportFromJson(reader.at("report"));
    if (!report) return report.error();
    kept.report = std::move(*report);
    return kept;
  } catch (const bench::Malformed &wrong) {
    return Error{ErrorCode::InputRefused, wrong.what(), ""};
  }
}

} // namespace tessera::document

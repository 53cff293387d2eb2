// SPDX-License-Identifier: MIT
#include "engine/measure/basis_json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tessera::measure {

void addTo(nlohmann::ordered_json &object, const Basis &basis) {
  object["schedule_hash"] = basis.scheduleHash;
  object["content_sha256"] = basis.contentSha256;
  if (basis.inputs != RunInputs()) object["inputs"] = toJson(basis.inputs);
}

Basis basisFrom(bench::ObjectReader &reader) {
  Basis basis;
  const nlohmann::json &hash = reader.at("schedule_hash");
  if (!hash.is_number_unsigned()) throw bench::Malformed("'schedule_hash' is not a number");
  basis.scheduleHash = hash.get<std::uint64_t>();
  basis.contentSha256 = reader.word("content_sha256");
  if (!reader.has("inputs")) return basis;
  auto inputs = runInputsFromJson(reader.at("inputs"));
  if (!inputs) throw bench::Malformed(inputs.error().message);
  basis.inputs = std::move(*inputs);
  return basis;
}

} // namespace tessera::measure

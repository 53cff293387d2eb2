// SPDX-License-Identifier: MIT
#include "engine/halide/capture.h"

#include "engine/halide/file_io.h"
#include "engine/halide/sidecar.h"
#include "engine/base/sha256.h"

#include <nlohmann/json.hpp>

namespace tessera::halide {

Status capturePipeline(const Halide::Pipeline &pipeline, const std::string &path) {
  std::vector<std::uint8_t> bytes;
  std::map<std::string, Halide::Parameter> params;
  try {
    Halide::serialize_pipeline(pipeline, bytes, params);
  } catch (const Halide::Error &e) {
    return Error{ErrorCode::InputRefused,
                 path + ": Halide cannot serialize this pipeline: " + e.what(), ""};
  }
  Sidecar sidecar = sidecarOf(pipeline, params);
  sidecar.pipelineSha256 = sha256Hex(std::as_bytes(std::span(bytes)));
  const std::string text = toJson(sidecar).dump(2) + "\n";

  // The pipeline file is written first: if the sidecar write then fails, the checksum in the old
  // sidecar shows that it does not belong to the new file.
  if (auto status = writeFile(path, bytes); !status) return status;
  return writeFile(sidecarPath(path),
                   std::span(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()));
}

} // namespace tessera::halide

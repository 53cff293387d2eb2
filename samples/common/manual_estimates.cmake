# SPDX-License-Identifier: MIT
# cmake -DESTIMATES=NAME.estimates.json -DPIPELINE=NAME.manual.hlpipe -DOUTPUT=… -P this
#
# A serialized pipeline drops the estimates of its inputs, with a schedule as without: the one with
# its own schedule gets the sidecar of the bare one, under its own checksum.
file(READ "${ESTIMATES}" sidecar)
file(SHA256 "${PIPELINE}" checksum)
string(JSON sidecar SET "${sidecar}" pipeline_sha256 "\"${checksum}\"")
file(WRITE "${OUTPUT}" "${sidecar}\n")

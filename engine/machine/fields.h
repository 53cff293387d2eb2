// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

namespace tessera::machine {

// Lists every number of a machine with its name in files and its meaning for the user. Reading,
// writing and showing all use this list. Calls `visit(name, value, meaning)`, where value is a
// reference to an integer or a double.
template <typename AnyMachine, typename Visit>
void forEachField(AnyMachine &m, const Visit &visit) {
  visit("multiprocessors", m.multiprocessors, "multiprocessors");
  visit("clock_hz", m.clockHz, "clock, Hz");
  visit("launch_seconds", m.launchSeconds, "time from one empty kernel to the next, s");

  auto &limits = m.limits;
  visit("threads_per_block", limits.threadsPerBlock, "threads per block");
  visit("block_x", limits.blockDims[0], "threads per block along x");
  visit("block_y", limits.blockDims[1], "threads per block along y");
  visit("block_z", limits.blockDims[2], "threads per block along z");
  visit("grid_x", limits.gridDims[0], "blocks along x");
  visit("grid_y", limits.gridDims[1], "blocks along y");
  visit("grid_z", limits.gridDims[2], "blocks along z");
  visit("shared_bytes_per_block", limits.sharedBytesPerBlock, "shared memory per block, bytes");
  visit("local_bytes_per_thread", limits.localBytesPerThread, "local memory per thread, bytes");
  visit("registers_per_thread", limits.registersPerThread, "registers per thread");
  visit("registers_per_block", limits.registersPerBlock, "registers per block");
  visit("warp_size", limits.warpSize, "threads per warp");

  auto &sm = m.sm;
  visit("sm_threads", sm.threads, "threads resident on a multiprocessor");
  visit("sm_blocks", sm.blocks, "blocks resident on a multiprocessor");
  visit("sm_registers", sm.registers, "registers of a multiprocessor");
  visit("register_unit", sm.registerUnit, "unit of register allocation for a warp");
  visit("sm_partitions", sm.partitions, "partitions of a multiprocessor");
  visit("sm_shared_bytes", sm.sharedBytes, "shared memory of a multiprocessor, bytes");
  visit("shared_reserved_bytes", sm.sharedReserved, "shared memory reserved in each block, bytes");
  visit("shared_unit_bytes", sm.sharedUnit, "unit of shared memory allocation for a block, bytes");
  visit("sm_cache_bytes", sm.cacheBytes, "first-level cache and shared memory together, bytes");
  visit("fp32_per_clock", sm.fp32, "32-bit float operations per clock and multiprocessor");
  visit("fp64_per_clock", sm.fp64, "64-bit float operations per clock and multiprocessor");
  visit("fp16_per_clock", sm.fp16, "16-bit float operations per clock and multiprocessor");
  visit("int32_per_clock", sm.int32, "32-bit integer operations per clock and multiprocessor");
  visit("special_per_clock", sm.special, "special functions per clock and multiprocessor");
  visit("warps_issued_per_clock", sm.warpsIssued, "warp instructions per clock and multiprocessor");
  visit("shared_bytes_per_clock", sm.sharedBytesPerClock,
        "bytes from shared memory per clock and multiprocessor");
  visit("cache_bytes_per_clock", sm.cacheBytesPerClock,
        "bytes from the first-level cache per clock and multiprocessor");

  auto &memory = m.memory;
  visit("l2_bytes", memory.l2Bytes, "second-level cache, bytes");
  visit("l2_bytes_per_second", memory.l2BytesPerSecond,
        "bandwidth of the second-level cache, bytes/s");
  visit("dram_bytes_per_second", memory.dramBytesPerSecond, "bandwidth of device memory, bytes/s");
  visit("shared_latency", memory.sharedLatency, "latency of shared memory, clocks");
  visit("cache_latency", memory.cacheLatency, "latency of the first-level cache, clocks");
  visit("l2_latency", memory.l2Latency, "latency of the second-level cache, clocks");
  visit("dram_latency", memory.dramLatency, "latency of device memory, clocks");
}

} // namespace tessera::machine

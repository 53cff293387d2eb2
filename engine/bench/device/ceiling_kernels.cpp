// SPDX-License-Identifier: MIT
#include "engine/bench/device/ceiling_kernels.h"

namespace tessera::bench {

namespace {

constexpr int kLoads = 4;        // loads of 128 bits per thread and iteration (step)
constexpr int kChains = 8;       // independent chains of operations
constexpr int kRounds = 8;       // rounds over all chains per iteration
constexpr int kVectorBytes = 16; // 128 bits
static_assert(kChunkBytes == std::int64_t{kCeilingThreads} * kLoads * kVectorBytes);

constexpr double kMoved = kLoads * kVectorBytes;
constexpr double kComputed = kChains * kRounds;

std::string numbered(const std::string &name, int index) { return name + std::to_string(index); }

// The text of a kernel whose loop body is `step`. %at is the thread's address in the chunk of its
// block. %result is stored only if it has one particular value, which is not expected to occur.
std::string kernel(const std::string &name, const std::string &before, const std::string &step,
                   const std::string &after) {
  return ".visible .entry " + name + R"(
(.param .u64 from, .param .u64 to, .param .u32 mask, .param .u32 steps)
{
  .reg .pred %more, %odd;
  .reg .u32 %thread, %block, %blocks, %mask, %steps, %step, %chunk, %result;
  .reg .u64 %from, %to, %place, %at, %into;
  ld.param.u64 %from, [from];
  ld.param.u64 %to, [to];
  ld.param.u32 %mask, [mask];
  ld.param.u32 %steps, [steps];
  cvta.to.global.u64 %from, %from;
  cvta.to.global.u64 %to, %to;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %step, 0;
  mov.u32 %result, %thread;
)" + before +
         "LOOP:\n" + step + R"(
  add.u32 %step, %step, 1;
  setp.lt.u32 %more, %step, %steps;
  @%more bra LOOP;
)" + after +
         R"(
  setp.eq.u32 %odd, %result, 0x7a6b5c4d;
  @%odd st.global.u32 [%to], %result;
  ret;
}

)";
}

// ---- kernels that move bytes

std::string vectorOf(int load) {
  std::string text = "{";
  for (int part = 0; part < 4; ++part)
    text += (part ? ", " : "") + numbered("%v", 4 * load + part);
  return text + "}";
}

std::string vectorRegisters() { return "  .reg .u32 %v<" + std::to_string(4 * kLoads) + ">;\n"; }

// Folds each loaded word into the result, two words per instruction.
std::string foldVectors() {
  std::string text;
  for (int word = 0; word < 4 * kLoads; word += 2)
    text += "  lop3.b32 %result, " + numbered("%v", word) + ", " + numbered("%v", word + 1) +
            ", %result, 0x96;\n";
  return text;
}

std::string moves(const std::string &instruction, const std::string &address, bool loads) {
  std::string text;
  for (int load = 0; load < kLoads; ++load) {
    const std::string place =
        "[" + address + "+" + std::to_string(load * kCeilingThreads * kVectorBytes) + "]";
    text += "  " + instruction + " " +
            (loads ? vectorOf(load) + ", " + place : place + ", " + vectorOf(load)) + ";\n";
  }
  return text;
}

// Computes the address of the chunk that the block moves in this iteration.
const std::string kChunk = "  and.b32 %chunk, %block, %mask;\n"
                           "  add.u32 %block, %block, %blocks;\n"
                           "  mad.wide.u32 %at, %chunk, " +
                           std::to_string(kChunkBytes) + ", %from;\n";
const std::string kPlace = vectorRegisters() + "  mul.wide.u32 %place, %thread, " +
                           std::to_string(kVectorBytes) +
                           ";\n  add.u64 %from, %from, %place;\n  add.u64 %to, %to, %place;\n";

std::string reading(const std::string &name, const std::string &cache) {
  return kernel(name, kPlace,
                kChunk + moves("ld.global" + cache + ".v4.u32", "%at", true) + foldVectors(), "");
}

std::string writing(const std::string &name) {
  std::string values;
  for (int word = 0; word < 4 * kLoads; ++word)
    values += "  add.u32 " + numbered("%v", word) + ", %thread, " + std::to_string(word) + ";\n";
  const std::string into = "  and.b32 %chunk, %block, %mask;\n"
                           "  add.u32 %block, %block, %blocks;\n"
                           "  mad.wide.u32 %into, %chunk, " +
                           std::to_string(kChunkBytes) + ", %to;\n";
  return kernel(name, kPlace + values, into + moves("st.global.v4.u32", "%into", false), "");
}

std::string copying(const std::string &name) {
  const std::string into =
      "  mad.wide.u32 %into, %chunk, " + std::to_string(kChunkBytes) + ", %to;\n";
  return kernel(name, kPlace,
                kChunk + into + moves("ld.global.cg.v4.u32", "%at", true) +
                    moves("st.global.v4.u32", "%into", false),
                "");
}

// With 128 bits per thread, each access of a warp covers all banks evenly, without conflicts.
std::string readingShared(const std::string &name) {
  const std::string before = "  .reg .u32 %base, %word;\n"
                             "  .shared .align 16 .b8 memory[" +
                             std::to_string(kChunkBytes) + "];\n" + vectorRegisters() +
                             "  mov.u32 %base, memory;\n  mad.lo.u32 %base, %thread, " +
                             std::to_string(kVectorBytes) + ", %base;\n";
  const std::string chunk = "  and.b32 %chunk, %step, %mask;\n"
                            "  mad.lo.u32 %word, %chunk, " +
                            std::to_string(kVectorBytes) + ", %base;\n";
  return kernel(name, before, chunk + moves("ld.shared.v4.u32", "%word", true) + foldVectors(), "");
}

// ---- kernels that compute

// `instruction(i)` extends the chain %a<i>. `registers` declares the chains, `begin(i)` gives each
// its first value, `end(i)` folds it into the result.
template <typename Begin, typename Instruction, typename End>
std::string computing(const std::string &name, const std::string &registers, const Begin &begin,
                      const Instruction &instruction, const End &end) {
  std::string before = registers, step, after;
  for (int chain = 0; chain < kChains; ++chain)
    before += begin(chain);
  for (int round = 0; round < kRounds; ++round)
    for (int chain = 0; chain < kChains; ++chain)
      step += instruction(chain);
  for (int chain = 0; chain < kChains; ++chain)
    after += end(chain);
  return kernel(name, before, step, after);
}

std::string foldWord(const std::string &word) {
  return "  xor.b32 %result, %result, " + word + ";\n";
}

// a = a * b + c, where b and c come from the arguments.
std::string floats(const std::string &name, const std::string &type, const std::string &bits,
                   const std::string &fromWord, const std::string &toWord) {
  const std::string count = std::to_string(kChains);
  return computing(
      name,
      "  .reg ." + bits + " %a<" + count + ">, %b, %c;\n  .reg .u32 %w;\n  " + fromWord +
          " %b, %mask;\n  " + fromWord + " %c, %steps;\n",
      [&](int i) {
        return "  add.u32 %w, %thread, " + std::to_string(i) + ";\n  " + fromWord + " " +
               numbered("%a", i) + ", %w;\n";
      },
      [&](int i) {
        const std::string a = numbered("%a", i);
        return "  fma.rn." + type + " " + a + ", " + a + ", %b, %c;\n";
      },
      [&](int i) { return "  " + toWord + " %w, " + numbered("%a", i) + ";\n" + foldWord("%w"); });
}

enum class Integers { Add, MultiplyAdd, Both };

// Two additions in PTX become one addition of three operands (IADD3). A multiply-add cannot replace
// it, so the compiler cannot turn the additions into the other measured instruction.
std::string integers(const std::string &name, Integers which) {
  const std::string count = std::to_string(kChains);
  return computing(
      name, "  .reg .u32 %a<" + count + ">, %s;\n",
      [&](int i) {
        return "  add.u32 " + numbered("%a", i) + ", %thread, " + std::to_string(i) + ";\n";
      },
      [&](int i) {
        const std::string a = numbered("%a", i);
        const bool adds = which == Integers::Add || (which == Integers::Both && i % 2 == 0);
        return adds ? "  add.u32 %s, " + a + ", %mask;\n  add.u32 " + a + ", %s, %blocks;\n"
                    : "  mad.lo.u32 " + a + ", " + a + ", %mask, %blocks;\n";
      },
      [&](int i) { return foldWord(numbered("%a", i)); });
}

} // namespace

const std::vector<CeilingKernel> &ceilingKernels() {
  using enum CeilingKind;
  static const std::vector<CeilingKernel> kKernels{
      {"dram_read", "device memory, loads of 128 bits that bypass the first-level cache", Dram,
       "bytes", kMoved},
      {"dram_write", "device memory, stores of 128 bits", Dram, "bytes", kMoved},
      {"dram_copy", "device memory, copied: bytes read and bytes written", Dram, "bytes",
       2 * kMoved},
      {"l2_read", "second-level cache, loads of 128 bits that bypass the first-level one", L2,
       "bytes", kMoved},
      {"l1_read", "first-level cache, loads of 128 bits, all blocks read the same 16 KiB", L1,
       "bytes", kMoved},
      {"shared_read", "shared memory, loads of 128 bits without conflicts", Shared, "bytes",
       kMoved},
      {"fp64_fma", "64-bit floats, fused multiply-adds of two operations", Arithmetic, "operations",
       2 * kComputed},
      {"fp32_fma", "32-bit floats, fused multiply-adds of two operations", Arithmetic, "operations",
       2 * kComputed},
      {"fp16x2_fma", "16-bit floats in pairs, fused multiply-adds of four operations", Arithmetic,
       "operations", 4 * kComputed},
      {"int32_add", "32-bit integers, additions of three operands (IADD3)", Arithmetic,
       "instructions", kComputed},
      {"int32_mad", "32-bit integers, multiply-adds (IMAD)", Arithmetic, "instructions", kComputed},
      {"int32_both", "32-bit integers, additions and multiply-adds alternately", Arithmetic,
       "instructions", kComputed},
  };
  return kKernels;
}

std::string ceilingPtx() {
  return ".version 6.0\n.target sm_60\n.address_size 64\n\n" + reading("dram_read", ".cg") +
         writing("dram_write") + copying("dram_copy") + reading("l2_read", ".cg") +
         reading("l1_read", "") + readingShared("shared_read") +
         floats("fp64_fma", "f64", "f64", "cvt.rn.f64.u32", "cvt.rzi.u32.f64") +
         floats("fp32_fma", "f32", "f32", "cvt.rn.f32.u32", "cvt.rzi.u32.f32") +
         floats("fp16x2_fma", "f16x2", "b32", "mov.b32", "mov.b32") +
         integers("int32_add", Integers::Add) + integers("int32_mad", Integers::MultiplyAdd) +
         integers("int32_both", Integers::Both);
}

} // namespace tessera::bench

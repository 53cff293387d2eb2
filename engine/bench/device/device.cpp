// SPDX-License-Identifier: MIT
#include "engine/bench/device/device.h"

#include <array>
#include <cstdio>

namespace tessera::bench {

namespace {

struct QueriedValue {
  const char *name; // the value's name in files that describe machines
  CUdevice_attribute attribute;
};

constexpr std::array kQueried{
    QueriedValue{"multiprocessors", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
    QueriedValue{"threads_per_block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    QueriedValue{"block_x", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
    QueriedValue{"block_y", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
    QueriedValue{"block_z", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    QueriedValue{"grid_x", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
    QueriedValue{"grid_y", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
    QueriedValue{"grid_z", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
    QueriedValue{"registers_per_block", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    QueriedValue{"warp_size", CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    QueriedValue{"sm_threads", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
    QueriedValue{"sm_blocks", CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
    QueriedValue{"sm_registers", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
    QueriedValue{"sm_shared_bytes", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
    QueriedValue{"shared_reserved_bytes", CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
    QueriedValue{"l2_bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
};

// Values that may really be zero. For all others, 0 means that the driver does not know the value.
bool mayBeZero(std::string_view name) { return name == "shared_reserved_bytes"; }

std::string uuidText(const CUuuid &uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits.data();
  }
  return text;
}

} // namespace

Device::Device() : m_driver(Driver::open()) {
  const Driver &cuda = *m_driver;
  cuda.check(cuda.cuInit(0), "cuInit");
  int count = 0;
  cuda.check(cuda.cuDeviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0)
    fail(Outcome::DeviceLost, "NVIDIA's driver is installed, but it finds no GPU.",
         "`nvidia-smi` shows what the driver sees; CUDA_VISIBLE_DEVICES may hide it.");
  cuda.check(cuda.cuDeviceGet(&m_device, 0), "cuDeviceGet");
  std::array<char, 256> text{};
  cuda.check(cuda.cuDeviceGetName(text.data(), text.size(), m_device), "cuDeviceGetName");
  m_name = text.data();
  m_major = static_cast<int>(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  m_minor = static_cast<int>(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  if (cuda.cuDeviceGetPCIBusId(text.data(), text.size(), m_device) == CUDA_SUCCESS)
    m_pciBusId = text.data();
  cuda.check(cuda.cuDevicePrimaryCtxRetain(&m_context, m_device), "making a context on the GPU");
  cuda.check(cuda.cuCtxSetCurrent(m_context), "cuCtxSetCurrent");
  if (auto nvml = Nvml::open(m_pciBusId))
    m_nvml = std::move(*nvml);
  else
    m_absent.push_back("clocks, temperature, power and throttling: " + nvml.error().message);
}

std::int64_t Device::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  const CUresult code = m_driver->cuDeviceGetAttribute(&value, attribute, m_device);
  return code == CUDA_SUCCESS ? value : 0; // an old driver does not know every attribute
}

std::string Device::driverVersion() const {
  return m_nvml ? m_nvml->driverVersion() : std::string();
}

std::string Device::cudaVersion() const {
  int version = 0;
  if (m_driver->cuDriverGetVersion(&version) != CUDA_SUCCESS) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void Device::synchronize() const {
  const CUresult code = m_driver->cuCtxSynchronize();
  if (code == CUDA_SUCCESS) return;
  if (m_nvml && m_nvml->isLost())
    fail(Outcome::DeviceLost, "The GPU is lost: the driver no longer reaches it.",
         "Restart its machine or reset the GPU.");
  m_driver->check(code, "waiting for the kernels");
}

DeviceDescription Device::describe() const {
  DeviceDescription result;
  result.name = m_name;
  result.driver = driverVersion();
  result.cudaVersion = cudaVersion();
  result.major = m_major;
  result.minor = m_minor;
  CUuuid uuid{};
  if (m_driver->cuDeviceGetUuid(&uuid, m_device) == CUDA_SUCCESS) result.uuid = uuidText(uuid);
  std::size_t bytes = 0;
  if (m_driver->cuDeviceTotalMem(&bytes, m_device) == CUDA_SUCCESS)
    result.memoryBytes = static_cast<std::int64_t>(bytes);
  result.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  result.absent = m_absent;
  for (const auto &[name, queried] : kQueried) {
    const std::int64_t value = attribute(queried);
    if (value > 0 || mayBeZero(name))
      result.values[name] = static_cast<double>(value);
    else
      result.absent.push_back(std::string(name) + ": the driver does not report it");
  }
  // NVML reports the fastest clock in MHz. The driver's own rate in kHz is missing in newer
  // drivers, so NVML comes first.
  double hertz = m_nvml ? m_nvml->mostMultiprocessorHz() : 0;
  if (hertz <= 0) hertz = 1e3 * static_cast<double>(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  if (hertz > 0)
    result.values["clock_hz"] = hertz;
  else
    result.absent.push_back("clock_hz: neither the driver nor NVML reports it");
  result.memoryClockHz = m_nvml ? m_nvml->mostMemoryHz() : 0;
  if (result.memoryClockHz <= 0)
    result.memoryClockHz =
        1e3 * static_cast<double>(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  return result;
}

} // namespace tessera::bench

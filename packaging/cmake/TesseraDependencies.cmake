# SPDX-License-Identifier: MIT
# Every third-party package in one place. Halide comes from the PyPI wheel in the project's own
# Python environment unless the caller names another one.

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 3.37 REQUIRED)
find_package(spdlog 1.10 REQUIRED)

# Static, since tessera-gpu is copied to machines that may have neither library; by targets of our
# own, since Halide's package looks for the shared ones under CMake's names. Their symbols stay inside
# each program: Qt and Graphviz bring the shared libraries into the process, and the two must not mix.
find_path(TESSERA_ZLIB_INCLUDE zlib.h REQUIRED)
find_library(TESSERA_ZLIB_STATIC "${CMAKE_STATIC_LIBRARY_PREFIX}z${CMAKE_STATIC_LIBRARY_SUFFIX}" REQUIRED)
add_library(tessera_zlib STATIC IMPORTED)
set_target_properties(tessera_zlib PROPERTIES
  IMPORTED_LOCATION "${TESSERA_ZLIB_STATIC}"
  INTERFACE_INCLUDE_DIRECTORIES "${TESSERA_ZLIB_INCLUDE}"
  INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs,libz.a")
find_path(TESSERA_LIBPNG_INCLUDE png.h REQUIRED)
find_library(TESSERA_LIBPNG_STATIC "${CMAKE_STATIC_LIBRARY_PREFIX}png${CMAKE_STATIC_LIBRARY_SUFFIX}" REQUIRED)
add_library(tessera_libpng STATIC IMPORTED)
set_target_properties(tessera_libpng PROPERTIES
  IMPORTED_LOCATION "${TESSERA_LIBPNG_STATIC}"
  INTERFACE_INCLUDE_DIRECTORIES "${TESSERA_LIBPNG_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "tessera_zlib;m"
  INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs,libpng.a")

# A cached folder may be gone: the environment is made anew when it moves.
if(NOT EXISTS "${Halide_DIR}/HalideConfig.cmake")
  file(GLOB _wheels "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide")
  if(_wheels)
    list(GET _wheels 0 _wheel)
    set(Halide_DIR "${_wheel}/lib64/cmake/Halide" CACHE PATH "" FORCE)
    set(HalideHelpers_DIR "${_wheel}/lib64/cmake/HalideHelpers" CACHE PATH "" FORCE)
  endif()
endif()
find_package(Halide 21 REQUIRED)
# Generators' sources are compiled against the same Halide that Tessera was built with.
cmake_path(SET TESSERA_HALIDE_ROOT NORMALIZE "${Halide_DIR}/../../..")

if(TESSERA_BUILD_EXPLORER OR NOT DEFINED TESSERA_BUILD_EXPLORER)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg PrintSupport)
  # Where packaging/lib/qcustomplot.sh has unpacked it; else that of the system.
  set(_unpacked "${PROJECT_SOURCE_DIR}/.cache/qcustomplot/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/QCustomPlotQt6")
  if(NOT EXISTS "${QCustomPlotQt6_DIR}/QCustomPlotQt6Config.cmake"
     AND EXISTS "${_unpacked}/QCustomPlotQt6Config.cmake")
    set(QCustomPlotQt6_DIR "${_unpacked}" CACHE PATH "" FORCE)
  endif()
  find_package(QCustomPlotQt6 QUIET)
  if(NOT QCustomPlotQt6_FOUND)
    message(FATAL_ERROR "QCustomPlot for Qt 6 was not found. packaging/run and packaging/test bring "
      "it (packaging/lib/qcustomplot.sh); another one is named by -DQCustomPlotQt6_DIR=FOLDER")
  endif()
  set_property(TARGET QCustomPlotQt6::QCustomPlotQt6 APPEND PROPERTY
    INTERFACE_COMPILE_DEFINITIONS QCUSTOMPLOT_USE_LIBRARY)
endif()

find_package(PkgConfig REQUIRED)
pkg_check_modules(Graphviz REQUIRED IMPORTED_TARGET libgvc libcgraph)

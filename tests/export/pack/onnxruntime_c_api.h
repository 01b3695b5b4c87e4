// Stands in for ONNX Runtime's own header while the example is compiled in a test, where only
// the library is to be had. The API is a table of functions whose places never change; only
// those that the example calls are named, the others are counted.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define ORT_API_VERSION 15

extern "C" {

struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtRunOptions;
struct OrtMemoryInfo;
struct OrtValue;
struct OrtTensorTypeAndShapeInfo;

enum OrtLoggingLevel { ORT_LOGGING_LEVEL_ERROR = 3 };
enum OrtAllocatorType { OrtDeviceAllocator = 0, OrtArenaAllocator = 1 };
enum OrtMemType { OrtMemTypeDefault = 0 };
enum ONNXTensorElementDataType { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7 };

struct OrtApi {
  void* from_0[2];
  const char* (*GetErrorMessage)(const OrtStatus*);                                // 2
  OrtStatus* (*CreateEnv)(OrtLoggingLevel, const char*, OrtEnv**);                 // 3
  void* from_4[3];
  OrtStatus* (*CreateSession)(const OrtEnv*, const char*, const OrtSessionOptions*,
                              OrtSession**);                                       // 7
  void* from_8[1];
  OrtStatus* (*Run)(OrtSession*, const OrtRunOptions*, const char* const*,
                    const OrtValue* const*, size_t, const char* const*, size_t,
                    OrtValue**);                                                   // 9
  OrtStatus* (*CreateSessionOptions)(OrtSessionOptions**);                         // 10
  void* from_11[13];
  OrtStatus* (*SetIntraOpNumThreads)(OrtSessionOptions*, int);                     // 24
  void* from_25[24];
  OrtStatus* (*CreateTensorWithDataAsOrtValue)(const OrtMemoryInfo*, void*, size_t,
                                               const int64_t*, size_t,
                                               ONNXTensorElementDataType,
                                               OrtValue**);                        // 49
  void* from_50[1];
  OrtStatus* (*GetTensorMutableData)(OrtValue*, void**);                           // 51
  void* from_52[12];
  OrtStatus* (*GetTensorShapeElementCount)(const OrtTensorTypeAndShapeInfo*, size_t*);  // 64
  OrtStatus* (*GetTensorTypeAndShape)(const OrtValue*, OrtTensorTypeAndShapeInfo**);    // 65
  void* from_66[3];
  OrtStatus* (*CreateCpuMemoryInfo)(OrtAllocatorType, OrtMemType, OrtMemoryInfo**);     // 69
  void* from_70[22];
  void (*ReleaseEnv)(OrtEnv*);                                                     // 92
  void (*ReleaseStatus)(OrtStatus*);                                               // 93
  void (*ReleaseMemoryInfo)(OrtMemoryInfo*);                                       // 94
  void (*ReleaseSession)(OrtSession*);                                             // 95
  void (*ReleaseValue)(OrtValue*);                                                 // 96
  void (*ReleaseRunOptions)(OrtRunOptions*);                                       // 97
  void* from_98[1];
  void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo*);               // 99
  void (*ReleaseSessionOptions)(OrtSessionOptions*);                               // 100
};

struct OrtApiBase {
  const OrtApi* (*GetApi)(uint32_t);
  const char* (*GetVersionString)();
};

const OrtApiBase* OrtGetApiBase();

}  // extern "C"

// The next-word logits of a prompt, with ONNX Runtime's C API.
//
// Take include/ and lib/ from a release of ONNX Runtime, then
//   g++ -std=c++17 run.cpp -I include -L lib -lonnxruntime -o run
//   ./run ../mini_gpt_teaching.onnx 0 1
// prints the logit of each word after tokens 0 and 1.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "onnxruntime_c_api.h"

static const OrtApi* api = OrtGetApiBase()->GetApi(ORT_API_VERSION);

static void check(OrtStatus* status) {
  if (status == nullptr) return;
  std::fprintf(stderr, "%s\n", api->GetErrorMessage(status));
  std::exit(1);
}

// ONNX Runtime 1.32 would contact its vendor and write under the home folder; read by CreateEnv.
static void keep_quiet() {
#ifdef _WIN32
  _putenv_s("ORT_DISABLE_TELEMETRY", "1");
#else
  setenv("ORT_DISABLE_TELEMETRY", "1", 1);
#endif
}

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: run MODEL ID [ID...]\n");
    return 2;
  }
  std::vector<int64_t> ids;
  for (int index = 2; index < count; ++index) ids.push_back(std::atoll(arguments[index]));

  keep_quiet();
  OrtEnv* env = nullptr;
  check(api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "mini_gpt", &env));
  OrtSessionOptions* options = nullptr;
  check(api->CreateSessionOptions(&options));
  check(api->SetIntraOpNumThreads(options, 1));  // the network is tiny
  OrtSession* session = nullptr;
  check(api->CreateSession(env, arguments[1], options, &session));

  OrtMemoryInfo* memory = nullptr;
  check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  const int64_t shape[] = {1, static_cast<int64_t>(ids.size())};  // [batch, sequence]
  OrtValue* token_ids = nullptr;
  check(api->CreateTensorWithDataAsOrtValue(memory, ids.data(), ids.size() * sizeof(int64_t),
                                            shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
                                            &token_ids));

  const char* inputs[] = {"token_ids"};
  const char* outputs[] = {"logits"};
  const OrtValue* given[] = {token_ids};
  OrtValue* logits = nullptr;
  check(api->Run(session, nullptr, inputs, given, 1, outputs, 1, &logits));

  OrtTensorTypeAndShapeInfo* info = nullptr;
  size_t total = 0;
  check(api->GetTensorTypeAndShape(logits, &info));
  check(api->GetTensorShapeElementCount(info, &total));
  float* values = nullptr;
  check(api->GetTensorMutableData(logits, reinterpret_cast<void**>(&values)));
  const size_t words = total / ids.size();  // logits: [1, sequence, words]
  for (size_t word = 0; word < words; ++word) {
    std::printf("%.7g\n", values[total - words + word]);
  }

  api->ReleaseTensorTypeAndShapeInfo(info);
  api->ReleaseValue(logits);
  api->ReleaseValue(token_ids);
  api->ReleaseMemoryInfo(memory);
  api->ReleaseSession(session);
  api->ReleaseSessionOptions(options);
  api->ReleaseEnv(env);
  return 0;
}

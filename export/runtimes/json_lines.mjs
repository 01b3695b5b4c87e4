// The script's side of json_lines.py: `answering(open)` answers each question, a line of JSON, with
// {given} or {error}; the first answer says that `open`, which returns the answering function, is
// done. The working directory holds node_modules.

import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";

const LONGEST_ERROR = 300;

export function packageFile(name) {
  return createRequire(path.join(process.cwd(), "package.json")).resolve(name);
}

export async function answering(open) {
  const say = process.stdout.write.bind(process.stdout);
  // What a package prints must not be read as an answer.
  Object.defineProperty(process, "stdout", { get: () => process.stderr });

  async function tell(work) {
    let answer;
    try {
      answer = { given: (await work()) ?? null };
    } catch (error) {
      answer = { error: String(error).split("\n")[0].slice(0, LONGEST_ERROR) };
    }
    say(`${JSON.stringify(answer)}\n`);
  }

  let answer;
  await tell(async () => {
    answer = await open();
  });
  for await (const line of createInterface({ input: process.stdin })) {
    await tell(() => answer(JSON.parse(line)));
  }
  process.exit(0);
}

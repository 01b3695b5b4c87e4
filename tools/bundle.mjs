/**
 * Writes web/bundle/: the page's modules in few files, small, each panel one of its own that comes
 * when it is opened. `npm run bundle`; with `--check` it only says whether the folder holds what
 * it would write. The same sources give the same bytes everywhere.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WEB = path.join(ROOT, "web");
const FOLDER = path.join(WEB, "bundle");
const ENTRY = "start";
const PANELS = readdirSync(path.join(WEB, "panels")).filter((name) => name.endsWith(".js")).map((name) => `panels/${name.slice(0, -3)}`);
const STATIC_IMPORT = /^\s*(?:import|export)\b[^;]*?\bfrom\s*["'](\.[^"']+)["']/gm;

/** `{name: content}` of the folder, as the sources now stand. */
export async function bundled() {
  const first = modulesOf(path.join(WEB, `${ENTRY}.js`));
  const { output } = await build({
    cwd: ROOT,
    input: Object.fromEntries([ENTRY, ...PANELS].map((name) => [name, path.join(WEB, `${name}.js`)])),
    preserveEntrySignatures: "allow-extension",
    output: {
      dir: FOLDER,
      format: "es",
      minify: true,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      codeSplitting: {
        groups: [
          // All that the first view needs is one file; what only panels share is another.
          { name: "first", test: (id) => first.has(id), priority: 2 },
          { name: "panels/shared", test: /web.(?!panels.[a-z_]+.js)/, minShareCount: 2, priority: 1 },
        ],
      },
    },
    write: false,
    logLevel: "warn",
  });
  return Object.fromEntries(output.map(({ fileName, code }) => [fileName, code]));
}

/** A module and all that it imports at once, not only when something is opened. */
function modulesOf(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, target] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT)) {
    modulesOf(path.resolve(path.dirname(file), target), found);
  }
  return found;
}

/** What lies in the folder. */
export function kept() {
  if (!existsSync(FOLDER)) return {};
  const names = readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith(".js"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(FOLDER, name), "utf8")]));
}

function write(files) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(path.join(FOLDER, "panels"), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(FOLDER, name), content);
}

async function main() {
  const files = await bundled();
  if (!process.argv.includes("--check")) {
    write(files);
  } else if (JSON.stringify(sorted(kept())) !== JSON.stringify(sorted(files))) {
    process.exitCode = 1;
    console.error("web/bundle is not what its sources make: run `npm run bundle`");
  }
}

const sorted = (files) => Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

/** Renders the workings on stdin ({formula, lines} of each) and says how many formulas there were. */

import { readFileSync } from "node:fs";
import process from "node:process";

import { renderWorking } from "./rendered_latex.js";

const workings = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(String(workings.reduce((count, working) => count + renderWorking(working), 0)));

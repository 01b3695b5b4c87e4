/** Renders the workings on stdin ({formula, lines} of each) and says how many formulas there were. */

import process from "node:process";
import { json } from "node:stream/consumers";

import { renderWorking } from "./rendered_latex.js";

const workings = await json(process.stdin); // a pipe may have nothing yet
process.stdout.write(String(workings.reduce((count, working) => count + renderWorking(working), 0)));

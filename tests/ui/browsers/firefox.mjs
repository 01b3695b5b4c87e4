/**
 * Takes the steps of standard input in Firefox and writes what was read as JSON.
 *
 * Debian's Firefox speaks WebDriver BiDi, which puppeteer-core drives; Playwright's own protocol
 * needs a Firefox of its own. Input: {program, url, steps, seconds}; output: {read, said}.
 */

import { readFileSync } from "node:fs";
import process from "node:process";

import puppeteer from "puppeteer-core";

const { program, url, steps, seconds } = JSON.parse(readFileSync(0, "utf8"));

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  headless: true,
  args: ["--width=1280", "--height=900"],
});

try {
  const page = await browser.newPage();
  page.setDefaultTimeout(seconds * 1000);
  await page.setViewport({ width: 1280, height: 900 });
  const said = [];
  page.on("console", (message) => {
    if (message.type() === "error") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(`uncaught: ${error.message}`));
  await page.goto(url, { waitUntil: "domcontentloaded" });
  const read = {};
  for (const step of steps) await take(page, step, read);
  process.stdout.write(JSON.stringify({ read, said }));
} finally {
  await browser.close();
}

async function take(page, step, read) {
  if (step.kind === "wait") await page.waitForFunction(step.expression, { polling: 100 });
  if (step.kind === "read") read[step.name] = await page.evaluate(step.expression);
  if (step.kind === "click") await page.locator(step.selector).click();
  if (step.kind === "fill") await page.locator(step.selector).fill(step.text);
  if (step.kind === "press") await page.keyboard.press(step.key);
}

/** What shown probabilities add up to: each is rounded by itself, so it need not be 1.0000. */

const DECIMALS = 4;
const ONE = 10 ** DECIMALS;

/** The sum of `shares` as they are shown, to four decimals. */
export function roundedSum(shares) {
  const units = shares.reduce((total, share) => total + Math.round(Number(share.toFixed(DECIMALS)) * ONE), 0);
  return (units / ONE).toFixed(DECIMALS);
}

/** Why a row of probabilities does not add up to 1, or "" where it does. */
export function roundingNote(shares, t) {
  const sum = roundedSum(shares);
  return sum === "1.0000" ? "" : t("shell.rounded_sum", { sum });
}

/** The same of many rows: the sums other than 1 that stand among them, or "". */
export function roundingNoteOfRows(rows, t) {
  const sums = [...new Set(rows.map(roundedSum))].filter((sum) => sum !== "1.0000").sort();
  return sums.length ? t("shell.rounded_sums", { sums: sums.join(t("shell.list_or")) }) : "";
}

/** Number formats of the cost panel. */

const FORMAT = new Intl.NumberFormat("en-US");

/** 10871635968 as "10,871,635,968": groups of three, in every language of the page. */
export function whole(value) {
  return FORMAT.format(value);
}

/** Milliseconds with three significant digits: 0.0312, 31.2, 6,240. */
export function milliseconds(value) {
  if (value === null) return "–";
  return value >= 1000 ? whole(Math.round(value)) : String(Number(value.toPrecision(3)));
}

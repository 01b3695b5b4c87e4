/** Whether the reader prefers that nothing moves; where a browser cannot say, nothing does. */
export function prefersStillness() {
  return !window.matchMedia || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * The room for the map in px, read from the page once and then told by an observer.
 *
 * Its width is that of the ruler, which is as long as the map with nothing open beside it: what
 * opens there makes the map scroll and never draws it anew. Its height is what the window leaves
 * below the map's upper edge on a page that has not been scrolled.
 */

const FALLBACK = { width: 1200, height: Infinity }; // where nothing is laid out, as in a test
const LEAST_HEIGHT = 400;
const BELOW = 34; // px below the board: what can be done with it

/**
 * @param {object} given `ruler`; `header`: what stands in the map above the board; `seen`: see
 *   ../seen.js
 * @param {() => void} onChange called when the room has changed
 */
export function createRoom({ ruler, header, seen }, onChange) {
  let width = 0;
  let height = 0;

  function measureHeight() {
    if (!ruler.clientWidth) return FALLBACK.height;
    const top = ruler.getBoundingClientRect().top + window.scrollY + header.offsetHeight;
    return Math.max(LEAST_HEIGHT, Math.floor(seen.height() - top - BELOW));
  }

  if (typeof ResizeObserver === "function") {
    new ResizeObserver(([entry]) => {
      const now = Math.floor(entry.contentRect.width);
      if (!now || now === width) return;
      width = now;
      height = measureHeight();
      requestAnimationFrame(onChange); // drawing sizes what others observe
    }).observe(ruler);
    window.addEventListener("resize", () => {
      const now = measureHeight();
      if (now === height) return;
      height = now;
      onChange();
    });
  }

  return {
    width: () => (width ||= Math.floor(ruler.clientWidth) || FALLBACK.width),
    height: () => (height ||= measureHeight()),
  };
}


/** An SVG text as a PNG file, drawn by the browser; nothing is loaded from anywhere. */

const SCALE = 2; // pixels a px, for slides

/**
 * @param {{text: string, width: number, height: number}} picture
 * @returns {Promise<Blob>} rejects where the browser cannot draw it
 */
export async function pngOf({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the picture is too large for this browser");
  return blob;
}

// Reads and crops the avatar in the browser, so that only a small square is uploaded.
import { convertToPixelCrop, type PercentCrop } from 'react-image-crop';
import { PICTURE_TYPES } from '#stores/studio/uploads.ts';

/** A chosen file, rotated upright and scaled down for editing. */
export interface EditablePicture {
  readonly canvas: HTMLCanvasElement;
  /** A `data:` URL, because our Content-Security-Policy forbids `blob:` images. */
  readonly url: string;
}

/** Twice the avatar's side: cropping half of the width and height keeps the full resolution. */
const MAX_SIDE_PX = 2048;
const AVATAR_SIDE_PX = 1024;
const JPEG_QUALITY = 0.9;

/** Reads a file as a picture. @throws if the browser cannot show it as one */
export async function readPicture(file: File): Promise<EditablePicture> {
  if (file.type !== '' && !PICTURE_TYPES.includes(file.type)) throw new Error('Not a picture');
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  const canvas = drawToCanvas(bitmap, [0, 0, width, height], width * scale, height * scale);
  bitmap.close();
  return { canvas, url: canvas.toDataURL('image/jpeg', JPEG_QUALITY) };
}

/** Cuts a square out of a picture, as a JPEG with sides of at most `AVATAR_SIDE_PX`. */
export function cropSquare({ canvas }: EditablePicture, crop: PercentCrop): Promise<Blob> {
  const { x, y, width, height } = convertToPixelCrop(crop, canvas.width, canvas.height);
  const side = Math.min(AVATAR_SIDE_PX, width);
  const square = drawToCanvas(canvas, [x, y, width, height], side, side);
  return new Promise((resolve, reject) => {
    square.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be cropped'))),
      'image/jpeg',
      JPEG_QUALITY,
    );
  });
}

/** Scales a part of a picture to a canvas of `width` by `height` pixels, rounded to at least 1. */
function drawToCanvas(
  source: CanvasImageSource,
  part: [x: number, y: number, width: number, height: number],
  width: number,
  height: number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures');
  context.imageSmoothingQuality = 'high';
  // JPEG has no transparency: transparent parts become white.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, ...part, 0, 0, canvas.width, canvas.height);
  return canvas;
}

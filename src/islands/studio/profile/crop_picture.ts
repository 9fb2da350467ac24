import { PICTURE_TYPES } from '#stores/studio/uploads.ts';

/** A chosen file, upright and small enough to work with. */
export interface EditablePicture {
  readonly canvas: HTMLCanvasElement;
  /** The same as a data URL: the policy lets images come from there. */
  readonly url: string;
}

/** A part of a picture, in percent of its width and height. */
export interface CropArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Longer than twice the avatar: one may cut out a quarter without losing anything. */
const MAX_SIDE_PX = 2048;
const AVATAR_SIDE_PX = 1024;
const JPEG_QUALITY = 0.9;

/** Opens a file that was chosen. @throws when it is no picture that browsers can show */
export async function readPicture(file: File): Promise<EditablePicture> {
  if (file.type !== '' && !PICTURE_TYPES.includes(file.type)) throw new Error('Not a picture');
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = drawToCanvas(
    bitmap,
    { x: 0, y: 0, width: bitmap.width, height: bitmap.height },
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  bitmap.close();
  return { canvas, url: canvas.toDataURL('image/jpeg', JPEG_QUALITY) };
}

/** Cuts a square out of a picture, as a JPEG of at most 1024 pixels a side. */
export function cropSquare({ canvas }: EditablePicture, part: CropArea): Promise<Blob> {
  const width = (part.width / 100) * canvas.width;
  const side = Math.max(1, Math.min(AVATAR_SIDE_PX, Math.round(width)));
  const cut = drawToCanvas(
    canvas,
    {
      x: (part.x / 100) * canvas.width,
      y: (part.y / 100) * canvas.height,
      width,
      height: (part.height / 100) * canvas.height,
    },
    side,
    side,
  );
  return new Promise((resolve, reject) => {
    cut.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be cut'))),
      'image/jpeg',
      JPEG_QUALITY,
    );
  });
}

function drawToCanvas(source: CanvasImageSource, from: CropArea, width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  context.imageSmoothingQuality = 'high';
  // JPEG knows no transparency; what is see-through lies on white.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(source, from.x, from.y, from.width, from.height, 0, 0, width, height);
  return canvas;
}

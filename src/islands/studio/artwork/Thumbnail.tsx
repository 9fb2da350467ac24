import { useEffect, useRef } from 'react';

const SIZE_PX = 112;

/** One at a time: a decoded photo takes fifty times the memory of its file. */
let drawQueue: Promise<void> = Promise.resolve();

/** A preview of a chosen file, on a canvas: our Content-Security-Policy forbids `blob:` images. */
export function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    drawQueue = drawQueue.then(() => drawThumbnail(file, canvas.current));
  }, [file]);
  return (
    <span aria-hidden="true" className="shrink-0">
      <canvas
        ref={canvas}
        width={SIZE_PX}
        height={SIZE_PX}
        className="size-14 rounded-md border border-line bg-flash"
      />
    </span>
  );
}

async function drawThumbnail(file: File, canvas: HTMLCanvasElement | null): Promise<void> {
  // The upload may have been removed before its turn in the queue.
  const context = canvas?.isConnected ? canvas.getContext('2d') : null;
  if (!context) return;
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    const side = Math.min(width, height);
    const [left, top] = [(width - side) / 2, (height - side) / 2];
    context.drawImage(picture, left, top, side, side, 0, 0, SIZE_PX, SIZE_PX);
    picture.close();
  } catch {
    // Not a picture. The API refuses it, and the upload list shows that error.
  }
}

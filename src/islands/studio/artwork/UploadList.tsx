import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { FileUpload, UploadQueue, UploadState } from '#stores/studio/uploads.ts';
import { useBarHeight } from '../../bar_height.ts';
import { Button } from '../buttons.tsx';
import { Icon } from '../Icon.tsx';

/**
 * The files of an upload queue with their progress; nothing when there are none. Put it after the
 * list that they join: it stays in view at the bottom of the screen, so that the list does not move.
 */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const uploads = useStore(queue.$uploads);
  const section = useRef<HTMLElement>(null);
  useBarHeight(section, uploads.length > 0);
  return (
    <>
      <p role="status" className="sr-only">
        {formatSummary(uploads)}
      </p>
      {uploads.length > 0 && (
        <section
          ref={section}
          aria-label="Uploads"
          className="card sticky bottom-20 z-20 max-h-[40svh] overflow-y-auto shadow-lg lg:bottom-4"
        >
          <ul className="divide-y divide-line">
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} queue={queue} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface UploadRowProps {
  upload: FileUpload;
  queue: UploadQueue;
}

function UploadRow({ upload, queue }: UploadRowProps) {
  const { file, state } = upload;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3 sm:gap-x-4 sm:px-4">
      <Thumbnail file={file} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <p className="truncate font-semibold">{file.name}</p>
        {state.kind === 'failed' ? (
          <p role="alert" className="text-danger">
            {state.text}
          </p>
        ) : (
          <UploadProgress name={file.name} state={state} />
        )}
      </div>
      {state.kind === 'done' ? (
        <Icon name="check" className="size-6 text-success" />
      ) : (
        <UploadActions upload={upload} queue={queue} />
      )}
    </li>
  );
}

/** Nothing while the server prepares a picture: it has the whole file, so cancelling is too late. */
function UploadActions({ upload: { id, file, state }, queue }: UploadRowProps) {
  if (state.kind === 'preparing') return null;
  const hasFailed = state.kind === 'failed';
  const removeLabel = hasFailed ? 'Remove' : 'Cancel';
  return (
    <div className={`flex gap-2 ${hasFailed ? 'max-sm:w-full max-sm:pl-17' : ''}`}>
      {hasFailed && state.canRetry && (
        <Button label="Retry" aria-label={`Retry ${file.name}`} onClick={() => queue.retry(id)} />
      )}
      <Button
        label={removeLabel}
        look="quiet"
        className="max-sm:px-3"
        aria-label={`${removeLabel} ${file.name}`}
        onClick={() => queue.remove(id)}
      />
    </div>
  );
}

type ActiveUploadState = Exclude<UploadState, { kind: 'failed' }>;

function UploadProgress({ name, state }: { name: string; state: ActiveUploadState }) {
  const { share, text } = describeProgress(state);
  return (
    <div className="grid gap-1.5 sm:flex sm:items-center sm:gap-3">
      <progress
        aria-label={name}
        max={1}
        value={share}
        className="h-2 w-full min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-main [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-main [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="text-sm text-muted sm:w-24 sm:shrink-0 sm:text-right">{text}</p>
    </div>
  );
}

const STATE_TEXTS = { waiting: 'Waiting…', preparing: 'Preparing…', done: 'Added' };

/** `share`: the part that the server has, from 0 to 1. */
function describeProgress(state: ActiveUploadState): { share: number; text: string } {
  if (state.kind === 'sending')
    return { share: state.share, text: `${Math.round(state.share * 100)}%` };
  return { share: state.kind === 'waiting' ? 0 : 1, text: STATE_TEXTS[state.kind] };
}

/** For screen readers, without percentages: each change would interrupt the previous announcement. */
function formatSummary(uploads: readonly FileUpload[]): string {
  const finished = uploads.filter(({ state: { kind } }) => kind === 'done' || kind === 'failed');
  if (finished.length === uploads.length) return '';
  return `Adding pictures: ${finished.length} of ${uploads.length} done.`;
}

/** Pixels of the canvas: two for each CSS pixel, for sharp screens. */
const THUMBNAIL_PX = 112;

/** Draws one thumbnail at a time: a decoded photo takes fifty times the memory of its file. */
let drawQueue: Promise<void> = Promise.resolve();

/** A preview of a chosen file, on a canvas: our Content-Security-Policy forbids `blob:` images. */
function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    drawQueue = drawQueue.then(() => drawThumbnail(file, canvas.current));
  }, [file]);
  return (
    <span aria-hidden="true" className="shrink-0">
      <canvas
        ref={canvas}
        width={THUMBNAIL_PX}
        height={THUMBNAIL_PX}
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
    // The largest square in the middle.
    const side = Math.min(width, height);
    const [left, top] = [(width - side) / 2, (height - side) / 2];
    context.drawImage(picture, left, top, side, side, 0, 0, THUMBNAIL_PX, THUMBNAIL_PX);
    picture.close();
  } catch {
    // Not a picture. The API refuses it, and the upload list shows that error.
  }
}

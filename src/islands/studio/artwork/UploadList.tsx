import type { FileUpload, UploadState } from '#stores/studio/uploads.ts';
import { Icon } from '../Icon.tsx';
import { Thumbnail } from './Thumbnail.tsx';

interface UploadListProps {
  uploads: readonly FileUpload[];
  onRetry: (id: number) => void;
  onRemove: (id: number) => void;
}

/** The files on their way, each with how far it is; nothing when there are none. */
export function UploadList({ uploads, onRetry, onRemove }: UploadListProps) {
  return (
    <>
      <p role="status" className="sr-only">
        {formatSummary(uploads)}
      </p>
      {uploads.length > 0 && (
        <section aria-label="Uploads" className="card">
          <ul className="divide-y divide-line">
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} onRetry={onRetry} onRemove={onRemove} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface UploadRowProps extends Pick<UploadListProps, 'onRetry' | 'onRemove'> {
  upload: FileUpload;
}

function UploadRow({ upload: { id, file, state }, onRetry, onRemove }: UploadRowProps) {
  const { kind } = state;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3 sm:gap-x-4 sm:px-4">
      <Thumbnail file={file} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <p className="truncate font-semibold">{file.name}</p>
        {kind === 'failed' ? (
          <p role="alert" className="text-danger">
            {state.text}
          </p>
        ) : (
          <UploadProgress name={file.name} state={state} />
        )}
      </div>
      {kind === 'done' ? (
        <Icon name="check" className="size-6 text-success" />
      ) : (
        <UploadActions
          name={file.name}
          state={state}
          onRetry={() => onRetry(id)}
          onRemove={() => onRemove(id)}
        />
      )}
    </li>
  );
}

interface UploadActionsProps {
  name: string;
  state: UploadState;
  onRetry: () => void;
  onRemove: () => void;
}

/** Nothing calls a picture off once the server has it. */
function UploadActions({ name, state, onRetry, onRemove }: UploadActionsProps) {
  if (state.kind === 'preparing') return null;
  const hasFailed = state.kind === 'failed';
  return (
    <div className={`flex gap-2 ${hasFailed ? 'max-sm:w-full max-sm:pl-17' : ''}`}>
      {hasFailed && state.canRetry && (
        <button type="button" className="button" aria-label={`Retry ${name}`} onClick={onRetry}>
          Retry
        </button>
      )}
      <button
        type="button"
        className="button border-transparent max-sm:px-3"
        aria-label={`${hasFailed ? 'Remove' : 'Cancel'} ${name}`}
        onClick={onRemove}
      >
        {hasFailed ? 'Remove' : 'Cancel'}
      </button>
    </div>
  );
}

type ActiveUploadState = Exclude<UploadState, { kind: 'failed' }>;

function UploadProgress({ name, state }: { name: string; state: ActiveUploadState }) {
  const share = progressOf(state);
  return (
    <div className="grid gap-1.5 sm:flex sm:items-center sm:gap-3">
      <progress
        aria-label={name}
        max={1}
        value={share}
        className="h-2 w-full min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-main [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-main [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="text-sm text-muted sm:w-24 sm:shrink-0 sm:text-right">
        {formatProgress(state)}
      </p>
    </div>
  );
}

function progressOf(state: ActiveUploadState): number {
  if (state.kind === 'sending') return state.share;
  return state.kind === 'waiting' ? 0 : 1;
}

function formatProgress(state: ActiveUploadState): string {
  if (state.kind === 'sending') return `${Math.round(state.share * 100)}%`;
  return { waiting: 'Waiting…', preparing: 'Preparing…', done: 'Added' }[state.kind];
}

/** For readers: percentages would never let them finish. */
function formatSummary(uploads: readonly FileUpload[]): string {
  const kinds = uploads.map(({ state }) => state.kind);
  const settled = kinds.filter((kind) => kind === 'done' || kind === 'failed').length;
  if (settled === uploads.length) return '';
  return `Adding pictures: ${settled} of ${uploads.length} done.`;
}

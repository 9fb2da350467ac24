import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { useBarHeight } from '../../bar_height.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** A sticky bar to save or discard the changes; hidden while there are none. */
export function SaveBar({ hours, saveFailed }: { hours: HoursEditor; saveFailed: boolean }) {
  const isChanged = useStore(hours.$isChanged);
  const isSaving = useStore(hours.$isSaving);
  const preview = useStore(hours.$preview);
  const problem = useStore(hours.$saveError);
  const { settings } = useStore(hours.$validation);
  const bar = useRef<HTMLDivElement>(null);
  useBarHeight(bar, isChanged);
  if (!isChanged) return null;
  const timeCount = preview?.flatMap(({ times }) => times).length ?? 0;
  return (
    <div
      ref={bar}
      className="sticky bottom-20 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-card px-4 py-3 shadow-lg lg:bottom-4 lg:col-span-2"
    >
      <div role="status" className="mr-auto">
        <p className="font-semibold">Not saved yet</p>
        {settings === null ? (
          <p className={saveFailed ? 'text-danger' : 'text-muted'}>
            Something above needs a look first.
          </p>
        ) : (
          <p className="text-muted">
            <span>
              {`${timeCount === 0 ? 'No times' : timeCount === 1 ? '1 time' : `${timeCount} times`} in the next two weeks. `}
            </span>
            <a href="#preview-heading" className="link lg:hidden">
              See them
            </a>
          </p>
        )}
      </div>
      <div role="alert" className="empty:hidden max-sm:order-first max-sm:w-full">
        {problem && <p className="text-danger">{`Not saved. ${problem}`}</p>}
      </div>
      <button type="button" className="button" disabled={isSaving} onClick={hours.discard}>
        Discard
      </button>
      <BusyButton type="submit" className="button button-main" busy={isSaving}>
        {isSaving ? 'Saving…' : 'Save'}
      </BusyButton>
    </div>
  );
}

import { useStore } from '@nanostores/react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';

/** Stays in sight as long as there is something to save. */
export function UnsavedChangesBar({ hours, tried }: { hours: HoursEditor; tried: boolean }) {
  const changed = useStore(hours.$isChanged);
  const saving = useStore(hours.$isSaving);
  const preview = useStore(hours.$preview);
  const problem = useStore(hours.$saveError);
  const { settings } = useStore(hours.$validation);
  if (!changed) return null;
  const times = (preview ?? []).reduce((sum, { times: windows }) => sum + windows.length, 0);
  return (
    <div className="sticky bottom-20 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-card px-4 py-3 shadow-lg lg:bottom-4 lg:col-span-2">
      <div role="status" className="mr-auto">
        <p className="font-semibold">Not saved yet</p>
        {settings === null ? (
          <p className={tried ? 'text-danger' : 'text-muted'}>
            Something above needs a look first.
          </p>
        ) : (
          <p className="text-muted">
            {times === 0 ? 'No times' : times === 1 ? '1 time' : `${times} times`} in the next two
            weeks.{' '}
            <a href="#preview-heading" className="link lg:hidden">
              See them
            </a>
          </p>
        )}
      </div>
      <div role="alert" className="empty:hidden max-sm:order-first max-sm:w-full">
        {problem && <p className="text-danger">Not saved. {problem}</p>}
      </div>
      <button type="button" className="button" disabled={saving} onClick={hours.discard}>
        Discard
      </button>
      <BusyButton type="submit" className="button button-main" busy={saving}>
        {saving ? 'Saving…' : 'Save'}
      </BusyButton>
    </div>
  );
}

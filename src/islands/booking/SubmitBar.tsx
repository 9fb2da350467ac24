import { useEffect, useRef } from 'react';
import type { Submission } from '#stores/submission.ts';
import { useHydrated } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';

interface SubmitBarProps {
  submission: Submission;
  hasChanges: boolean;
  isDesignGone: boolean;
  /** Goes on without the design. */
  onDropDesign: () => void;
  onCancel: () => void;
}

function statusText(submission: Submission): string {
  if (submission === 'working')
    return 'One moment: a quick check against spam. You need to do nothing.';
  return submission === 'idle' ? '' : 'Saving…';
}

export function SubmitBar(props: SubmitBarProps) {
  const { submission, hasChanges, isDesignGone, onDropDesign, onCancel } = props;
  const sending = submission !== 'idle';
  const hydrated = useHydrated();
  const saveButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A part of the page outside of this island (DesignAside.astro).
    if (isDesignGone) document.getElementById('design-gone')?.removeAttribute('hidden');
  }, [isDesignGone]);

  function dropDesign(): void {
    onDropDesign();
    const url = new URL(location.href);
    url.searchParams.delete('design');
    history.replaceState(history.state, '', url);
    saveButton.current?.focus();
  }

  return (
    <div className="grid gap-4">
      <p className="font-semibold">Payment due at appointment</p>
      <div role="alert" className="empty:hidden">
        {isDesignGone && (
          <>
            <p>You can go on without it. Everything you typed is still here.</p>
            <button type="button" className="button mt-2" onClick={dropDesign}>
              Go on without the design
            </button>
          </>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <BusyButton
          ref={saveButton}
          type="submit"
          className="button button-main grow sm:min-w-40 sm:grow-0"
          disabled={!hasChanges}
          busy={sending}
        >
          {sending ? 'Saving…' : 'Save'}
        </BusyButton>
        <button
          type="button"
          className="button grow sm:grow-0"
          disabled={sending || !hydrated}
          onClick={onCancel}
        >
          Cancel
        </button>
      </div>
      <p role="status" className={submission === 'working' ? 'text-muted' : 'sr-only'}>
        {statusText(submission)}
      </p>
    </div>
  );
}

import type { Submission } from '#stores/submission.ts';
import { useHydrated } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';

interface SubmitBarProps {
  submission: Submission;
  hasChanges: boolean;
  onCancel: () => void;
}

function statusText(submission: Submission): string {
  if (submission === 'working')
    return 'One moment: a quick check against spam. You need to do nothing.';
  return submission === 'idle' ? '' : 'Saving…';
}

export function SubmitBar({ submission, hasChanges, onCancel }: SubmitBarProps) {
  const sending = submission !== 'idle';
  const hydrated = useHydrated();
  return (
    <div className="grid gap-4">
      <p className="font-semibold">Payment due at appointment</p>
      <div className="flex flex-wrap gap-3">
        <BusyButton
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

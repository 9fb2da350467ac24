import type { Submission } from '#stores/submission.ts';
import { Spinner } from '../Spinner.tsx';

interface SubmitBarProps {
  submission: Submission;
  /** Whether there is anything to send. */
  hasChanges: boolean;
  onCancel: () => void;
}

export function SubmitBar({ submission, hasChanges: changed, onCancel }: SubmitBarProps) {
  const sending = submission.kind !== 'idle';
  return (
    <div className="grid gap-4">
      <p className="font-semibold">Payment due at appointment</p>
      <div className="flex flex-wrap gap-3">
        {/* While sending it only says so: a disabled button would lose the keyboard's place. */}
        <button
          type="submit"
          className="button button-main grow sm:min-w-40 sm:grow-0"
          disabled={!changed && !sending}
          aria-disabled={sending || undefined}
        >
          {sending && <Spinner />}
          {sending ? 'Saving…' : 'Save'}
        </button>
        <button
          type="button"
          className="button grow sm:grow-0"
          disabled={sending}
          onClick={onCancel}
        >
          Cancel
        </button>
      </div>
      <p role="status" className="sr-only">
        {sending ? 'Saving…' : ''}
      </p>
    </div>
  );
}

import { useState } from 'react';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children?: Elements;
  confirmLabel: string;
  /** On the button that changes nothing. */
  cancelLabel?: string;
  /** Whether the button warns by its color. */
  danger?: boolean;
  /** Must not reject. The dialog is busy until it resolves, and then closes. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, cancelLabel = 'Keep it', danger } = props;
  const { onConfirm, onClose } = props;
  const [isBusy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    onClose();
  }

  return (
    // The action cannot be stopped, so the dialog stays open while it runs.
    <Dialog title={title} onClose={() => !isBusy && onClose()}>
      {children}
      <div className="mt-6 flex flex-wrap gap-3">
        <BusyButton
          busy={isBusy}
          className={danger ? 'button button-danger' : 'button button-main'}
          onClick={confirm}
        >
          {confirmLabel}
        </BusyButton>
        <button type="button" className="button" disabled={isBusy} onClick={onClose}>
          {cancelLabel}
        </button>
      </div>
    </Dialog>
  );
}

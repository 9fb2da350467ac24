import { type ReactNode, useState } from 'react';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children?: ReactNode;
  /** What the button says, such as `Cancel appointment`. */
  confirmLabel: string;
  /** What keeps everything as it is. */
  cancelLabel?: string;
  danger?: boolean;
  /** Runs while the dialog shows that it is busy; it closes when this is done, also in vain. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel: yes,
  cancelLabel: no = 'Keep it',
  danger = false,
  onConfirm: onYes,
  onClose,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    await onYes();
    setBusy(false);
    onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="mt-6 flex flex-wrap gap-3">
        <BusyButton
          busy={busy}
          className={danger ? 'button button-danger' : 'button button-main'}
          onClick={run}
        >
          {yes}
        </BusyButton>
        <button type="button" className="button" onClick={onClose}>
          {no}
        </button>
      </div>
    </Dialog>
  );
}

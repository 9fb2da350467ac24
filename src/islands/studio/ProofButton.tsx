import { useState } from 'react';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import type { Elements } from '../elements.ts';
import { PasswordForm, useProofForm } from './PasswordForm.tsx';

interface ProofDialogProps {
  title: string;
  children: Elements;
  /** Of the artist whose password it is. */
  email: string;
  confirmLabel: string;
  cancelLabel: string;
  danger?: boolean;
  /** Rejects with an `ApiError` of status 400 for a wrong password or passkey. */
  onConfirm: (proof: OwnerProof) => Promise<unknown>;
}

interface ProofButtonProps extends ProofDialogProps {
  label: string;
  /** Added to the label for screen readers. */
  labelEnd?: string;
}

/** A button whose action runs once a dialog got the password or a passkey. */
export function ProofButton({ label, labelEnd, ...dialog }: ProofButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setIsAsking(true)}>
        <span>{label}</span>
        {labelEnd && <span className="sr-only">{labelEnd}</span>}
      </button>
      {isAsking && <ProofDialog {...dialog} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function ProofDialog({
  title,
  children,
  onConfirm,
  onClose,
  confirmLabel,
  ...form
}: ProofDialogProps & { onClose: () => void }) {
  const state = useProofForm(async (proof) => {
    await onConfirm(proof);
    onClose();
  });
  return (
    <Dialog title={title} onClose={() => state.isSubmitting || onClose()}>
      <div className="grid gap-5">
        {children}
        <PasswordForm state={state} submitLabel={confirmLabel} onCancel={onClose} {...form} />
      </div>
    </Dialog>
  );
}

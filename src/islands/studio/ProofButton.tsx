import type { ComponentProps } from 'react';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import type { Elements } from '../elements.ts';
import { DialogButton } from './buttons.tsx';
import { PasswordForm, useProofForm } from './PasswordForm.tsx';

interface ProofDialogProps
  extends Omit<ComponentProps<typeof PasswordForm>, 'state' | 'submitLabel' | 'onCancel'> {
  title: string;
  children: Elements;
  confirmLabel: string;
  /** Rejects with an `ApiError` of status 400 for a wrong password or passkey. */
  onConfirm: (proof: OwnerProof) => Promise<unknown>;
  onClose: () => void;
}

type ProofButtonProps = Omit<ProofDialogProps, 'onClose'> &
  Pick<ComponentProps<typeof DialogButton>, 'label' | 'labelEnd'>;

/** A button that asks for the password or a passkey in a dialog, and then runs its action. */
export function ProofButton({ label, labelEnd, ...dialog }: ProofButtonProps) {
  return (
    <DialogButton
      label={label}
      labelEnd={labelEnd}
      dialog={(onClose) => <ProofDialog {...dialog} onClose={onClose} />}
    />
  );
}

/** Asks for the password or a passkey, and closes once the action is done. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, children, confirmLabel, onConfirm, onClose, ...form } = props;
  const state = useProofForm(async (proof) => {
    await onConfirm(proof);
    onClose();
  });
  return (
    <Dialog title={title} onClose={() => state.isSubmitting || onClose()}>
      <div className="grid gap-5">
        {children}
        <PasswordForm {...form} state={state} submitLabel={confirmLabel} onCancel={onClose} />
      </div>
    </Dialog>
  );
}

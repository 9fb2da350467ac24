import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { DialogButton } from './buttons.tsx';

/** `label`, `labelEnd`, `look` and `className` are the button's; the rest is the dialog's. */
type ConfirmButtonProps = Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> &
  Pick<ComponentProps<typeof DialogButton>, 'label' | 'labelEnd' | 'look' | 'className'>;

/** A button whose action runs once it is confirmed in a dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, labelEnd, look, className, ...dialog } = props;
  const button = { label, labelEnd, look, className };
  return (
    <DialogButton
      {...button}
      dialog={(onClose) => <ConfirmDialog {...dialog} onClose={onClose} />}
    />
  );
}

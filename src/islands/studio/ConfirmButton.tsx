import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { DialogButton } from './buttons.tsx';

/** `label`, `labelEnd`, `aria-label`, `look` and `className` are the button's; the rest is the dialog's. */
type ConfirmButtonProps = Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> &
  Pick<
    ComponentProps<typeof DialogButton>,
    'label' | 'labelEnd' | 'aria-label' | 'look' | 'className'
  >;

/** A button that asks in a dialog whether to run its action. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, labelEnd, 'aria-label': name, look, className, ...dialog } = props;
  const button = { label, labelEnd, 'aria-label': name, look, className };
  return (
    <DialogButton
      {...button}
      dialog={(onClose) => <ConfirmDialog {...dialog} onClose={onClose} />}
    />
  );
}

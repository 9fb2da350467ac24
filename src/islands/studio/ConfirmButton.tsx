import { type ComponentProps, useState } from 'react';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';

type ConfirmButtonProps = Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> & {
  /** On the button; the other labels are the dialog's. */
  label: string;
  /** Added to the label for screen readers. */
  labelEnd?: string;
  className?: string;
};

/** A button whose action runs once it is confirmed in a dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, labelEnd, className = 'button', ...dialog } = props;
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" className={className} onClick={() => setIsAsking(true)}>
        <span>{label}</span>
        {labelEnd && <span className="sr-only">{labelEnd}</span>}
      </button>
      {isAsking && <ConfirmDialog {...dialog} onClose={() => setIsAsking(false)} />}
    </>
  );
}

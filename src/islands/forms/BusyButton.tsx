import type { ComponentProps } from 'react';
import { Spinner } from '../Spinner.tsx';

type BusyButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  busy: boolean;
  disabled?: boolean;
};

/**
 * A button that ignores clicks and shows a spinner while its work runs. It is not disabled then,
 * because a disabled button loses the keyboard focus.
 */
export function BusyButton({ busy, disabled, children, onClick, ...attributes }: BusyButtonProps) {
  return (
    <button
      type="button"
      className="button"
      {...attributes}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <Spinner />}
      <span>{children}</span>
    </button>
  );
}

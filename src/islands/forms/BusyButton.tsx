import type { ComponentProps } from 'react';
import { Spinner } from '../Spinner.tsx';

type BusyButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  busy: boolean;
  disabled?: boolean;
};

/** While `busy` it ignores clicks. It is not disabled then: a disabled button loses the keyboard focus. */
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

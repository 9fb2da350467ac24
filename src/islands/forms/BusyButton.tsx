import type { ComponentProps } from 'react';
import { Spinner } from '../Spinner.tsx';

type BusyButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  busy: boolean;
  disabled?: boolean;
};

/**
 * A button that shows that its work is under way. Meanwhile it only says so and does nothing: a
 * disabled button would lose the keyboard's place.
 */
export function BusyButton({
  busy,
  disabled = false,
  type = 'button',
  className = 'button',
  children,
  onClick,
  ...attributes
}: BusyButtonProps) {
  return (
    <button
      {...attributes}
      type={type}
      className={className}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

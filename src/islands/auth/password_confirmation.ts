import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** Whenever the password changes, validates its confirmation once more if that was invalid. */
export function usePasswordConfirmation<In extends FieldValues, Out extends FieldValues>(
  { subscribe, getFieldState, trigger }: UseFormReturn<In, unknown, Out>,
  password: Path<In>,
  confirmation: Path<In>,
): void {
  useEffect(
    () =>
      subscribe({
        name: password,
        exact: true,
        formState: { values: true },
        callback: () => {
          if (getFieldState(confirmation).invalid) void trigger(confirmation);
        },
      }),
    [subscribe, getFieldState, trigger, password, confirmation],
  );
}

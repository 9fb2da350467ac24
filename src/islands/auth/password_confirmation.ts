import { useEffect } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';

/** Validates an invalid confirmation again whenever the password changes. */
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

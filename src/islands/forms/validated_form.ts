import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  get,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiError } from '#client/call.ts';
import { plainError } from '#contract/plain_errors.ts';
import { errorText } from '#stores/error_text.ts';
import { registerFormDraft, takeFormDraft } from '#stores/form_drafts.ts';

/** A form validated by a contract schema: on blur, with all errors (specification, section 5). */
export function useValidatedForm<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    defaultValues,
    resolver: zodResolver(schema, { error: plainError }),
    mode: 'onBlur',
    criteriaMode: 'all',
  });
}

/**
 * Saves unsent changes when the artist must log in again, and restores them after the login.
 * @param name unique on the page
 */
export function useFormDraft<In extends FieldValues, Out extends FieldValues>(
  name: string,
  form: UseFormReturn<In, unknown, Out>,
): void {
  const { getValues, reset } = form;
  const { isDirty } = form.formState;
  useEffect(() => {
    const draft = takeFormDraft(name);
    // With the old default values, the form counts the restored values as changes.
    if (typeof draft === 'object' && draft !== null)
      reset({ ...getValues(), ...draft }, { keepDefaultValues: true });
  }, [name, getValues, reset]);
  useEffect(
    () => registerFormDraft(name, () => (isDirty ? getValues() : undefined)),
    [name, isDirty, getValues],
  );
}

/**
 * Shows the API's errors on the form's fields.
 * @returns the first error that belongs to no field, for the caller to show; null if there is none
 */
export function showServerErrors<In extends FieldValues, Out extends FieldValues>(
  { getValues, setError }: UseFormReturn<In, unknown, Out>,
  error: unknown,
): string | null {
  if (!(error instanceof ApiError) || typeof error.detail === 'string') return errorText(error);
  const values = getValues();
  let otherError: string | null = null;
  let shouldFocus = true;
  for (const { loc, msg } of error.detail) {
    const path = loc.slice(1).join('.');
    if (loc[0] === 'body' && isFieldPath(values, path)) {
      setError(path, { type: 'server', message: msg }, { shouldFocus });
      shouldFocus = false;
    } else otherError ??= msg;
  }
  return otherError;
}

function isFieldPath<In extends FieldValues>(values: In, path: string): path is Path<In> {
  return path !== '' && get(values, path) !== undefined;
}

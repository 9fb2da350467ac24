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
import { ApiError } from '#client/http.ts';
import { errorText } from '#stores/error_text.ts';
import { registerFormDraft, takeFormDraft } from '#stores/form_drafts.ts';

/**
 * A form judged by the contract's own schema: on blur, collecting all criteria (specification,
 * section 5).
 */
export function useValidatedForm<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    defaultValues,
    resolver: zodResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
  });
}

/**
 * Keeps what is typed should the artist have to log in again, and fills it in afterwards.
 * @param name of the form on its page
 */
export function useFormDraft<In extends FieldValues, Out extends FieldValues>(
  name: string,
  form: UseFormReturn<In, unknown, Out>,
): void {
  const { getValues, reset } = form;
  const { isDirty } = form.formState;
  useEffect(() => {
    const typed = takeFormDraft(name);
    // Compared with the defaults, what was kept counts as a change.
    if (typeof typed === 'object' && typed !== null)
      reset({ ...getValues(), ...typed }, { keepDefaultValues: true });
  }, [name, getValues, reset]);
  useEffect(
    () => registerFormDraft(name, () => (isDirty ? getValues() : undefined)),
    [name, isDirty, getValues],
  );
}

/**
 * Puts what the API found wrong beside the form's fields.
 * @returns what no field can show, to be told elsewhere; null when all was shown
 */
export function showServerErrors<In extends FieldValues, Out extends FieldValues>(
  { getValues, setError }: UseFormReturn<In, unknown, Out>,
  error: unknown,
): string | null {
  if (!(error instanceof ApiError) || typeof error.detail === 'string') return errorText(error);
  const values = getValues();
  let rest: string | null = null;
  let shouldFocus = true;
  for (const { loc, msg } of error.detail) {
    const path = loc.slice(1).join('.');
    if (loc[0] === 'body' && isFieldPath(values, path)) {
      setError(path, { type: 'server', message: msg }, { shouldFocus });
      shouldFocus = false;
    } else rest ??= msg;
  }
  return rest;
}

function isFieldPath<In extends FieldValues>(values: In, path: string): path is Path<In> {
  return path !== '' && get(values, path) !== undefined;
}

import { useEffect } from 'react';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { registerFormDraft, takeFormDraft } from '#stores/form_drafts.ts';
import { createResolver } from './schema_resolver.ts';

/** A form validated by a contract schema: on blur, with all errors (specification, section 5). */
export function useValidatedForm<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    defaultValues,
    resolver: createResolver(schema),
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

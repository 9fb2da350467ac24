import { useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError, formatError } from '#client/call.ts';
import { registerFormDraft, takeFormDraft } from '#stores/form_drafts.ts';
import { $token } from '#stores/session.ts';
import { showServerErrors } from '../forms/server_errors.ts';

/** A refusal that concerns one field, such as 409 for an email that is taken. */
interface FieldRefusal<In extends FieldValues> {
  readonly status: number;
  readonly field: Path<In>;
  /** Shown instead of the API's own text. */
  readonly message?: string;
}

/**
 * Validates a form and saves it. Errors of the API appear beside their fields.
 * @param save gets all values, and those that the user changed. Sending only the changed ones
 *   leaves fields that were changed in another tab as they are.
 * @param refusals that appear beside a field
 * @returns the form, its submit handler, and the text of an error that belongs to no field
 */
export function useFormSubmit<In extends FieldValues, Out extends FieldValues>(
  form: UseFormReturn<In, unknown, Out>,
  save: (values: Out, changes: Partial<Out>) => Promise<unknown>,
  ...refusals: readonly FieldRefusal<In>[]
) {
  const [problem, setProblem] = useState<string | null>(null);
  const { dirtyFields, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    try {
      await save(values, onlyDirty(values, dirtyFields));
    } catch (error) {
      const refusal = refusals.find(
        ({ status }) => error instanceof ApiError && error.status === status,
      );
      if (refusal) {
        const message = refusal.message ?? formatError(error);
        form.setError(refusal.field, { type: 'server', message }, { shouldFocus: true });
      } else setProblem(showServerErrors(form, error));
    }
  });
  return { form, submit, problem, isSubmitting };
}

/** Only the values that the user changed. @param dirtyFields React Hook Form's: its keys are their names */
export function onlyDirty<Out extends object>(values: Out, dirtyFields: object): Partial<Out> {
  const changes: Partial<Out> = { ...values };
  for (const name in changes) if (!(name in dirtyFields)) delete changes[name];
  return changes;
}

/** Makes the browser ask before the artist leaves the page with unsaved changes. */
export function useUnsavedChangesWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      // Without a token the page redirects to the login, and a form draft stores the changes.
      if ($token.get() !== undefined) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
}

/**
 * Keeps unsent changes: asks before the artist leaves the page, saves them when the artist must log in
 * again, and restores them after the login.
 * @param name unique on the page
 */
export function useUnsavedChanges<In extends FieldValues, Out extends FieldValues>(
  name: string,
  form: UseFormReturn<In, unknown, Out>,
): void {
  const { getValues, reset } = form;
  const { isDirty } = form.formState;
  useUnsavedChangesWarning(isDirty);
  useEffect(() => {
    const draft = takeFormDraft(name);
    // The default values stay the saved ones, so that the form counts the restored values as changes.
    if (typeof draft === 'object' && draft !== null)
      reset({ ...getValues(), ...draft }, { keepDefaultValues: true });
  }, [name, getValues, reset]);
  useEffect(
    () => registerFormDraft(name, () => (isDirty ? getValues() : undefined)),
    [name, isDirty, getValues],
  );
}

/** Calls `apply` after a render with values that differ, as JSON, from those of the last render. */
export function useChangedValues<T>(values: T, apply: (values: T) => void): void {
  const json = JSON.stringify(values);
  const lastJson = useRef(json);
  useEffect(() => {
    if (lastJson.current === json) return;
    lastJson.current = json;
    apply(values);
  });
}

/** A question that a dialog asks the artist while a function waits for the answer. */
export function useQuestion<Question, Answer>() {
  const [asked, setAsked] = useState<{
    readonly question: Question;
    readonly resolve: (answer: Answer | null) => void;
  } | null>(null);
  return {
    /** Null while nothing is asked. */
    question: asked?.question ?? null,
    /** Resolves to null when the artist cancels. */
    ask: (question: Question) =>
      new Promise<Answer | null>((resolve) => setAsked({ question, resolve })),
    answer(given: Answer | null): void {
      asked?.resolve(given);
      setAsked(null);
    },
  };
}

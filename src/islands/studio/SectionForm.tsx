import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  type UseFormReturn,
} from 'react-hook-form';
import { ApiError, formatError } from '#client/http.ts';
import { $token } from '#stores/session.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors, useFormDraft } from '../forms/validated_form.ts';

interface SectionFormProps<In extends FieldValues, Out extends FieldValues> {
  form: UseFormReturn<In, unknown, Out>;
  /** What is typed is kept by this name over an expired login. */
  draftName: string;
  /** What is saved now; the fields follow it until something is typed. */
  savedValues: In & DefaultValues<In>;
  /** What its button says, such as `Save studio`. */
  saveLabel: string;
  /** Saves, and answers what is saved now; null when it was called off. @throws the refusal */
  onSave: (values: Out) => Promise<(In & DefaultValues<In>) | null>;
  /** The field that a conflict is about, such as an email that is taken. */
  conflictField?: Path<In>;
  children: ReactNode;
}

/** A part of a page that is saved by itself, once something in it was changed. */
export function SectionForm<In extends FieldValues, Out extends FieldValues>({
  form,
  draftName: name,
  savedValues: saved,
  saveLabel: save,
  onSave,
  conflictField: unique,
  children,
}: SectionFormProps<In, Out>) {
  const [problem, setProblem] = useState<string | null>(null);
  const { isDirty, isSubmitting } = form.formState;
  const { reset } = form;
  useFormDraft(name, form);
  useUnsavedChangesWarning(isDirty);

  const savedText = JSON.stringify(saved);
  const followed = useRef(savedText);
  useEffect(() => {
    // Compared by text: a new object with the same values is no news.
    if (followed.current === savedText) return;
    followed.current = savedText;
    if (!isDirty) reset(saved);
  }, [savedText, saved, isDirty, reset]);

  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    const sent = JSON.stringify(form.getValues());
    try {
      const now = await onSave(values);
      if (now === null) return;
      const typed = structuredClone(form.getValues());
      reset(now);
      // What was typed while it was being saved is not saved yet.
      if (JSON.stringify(typed) !== sent) reset(typed, { keepDefaultValues: true });
    } catch (error) {
      if (unique && error instanceof ApiError && error.status === 409)
        form.setError(
          unique,
          { type: 'server', message: formatError(error) },
          { shouldFocus: true },
        );
      else setProblem(showServerErrors(form, error));
    }
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-2">
        {children}
        <div role="alert" className="text-danger">
          {problem && <p className="pb-3">{problem} What you typed is still here.</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          <BusyButton
            type="submit"
            busy={isSubmitting}
            disabled={!isDirty}
            className="button button-main"
          >
            {isSubmitting ? 'Saving…' : save}
          </BusyButton>
          {isDirty && !isSubmitting && (
            <button type="button" className="button" onClick={() => reset(saved)}>
              Discard<span className="sr-only"> changes: {save}</span>
            </button>
          )}
        </div>
      </form>
    </FormProvider>
  );
}

/** Asks before the page is left with changes; the way to the login is free, as they are kept. */
function useUnsavedChangesWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if ($token.get() !== undefined) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
}

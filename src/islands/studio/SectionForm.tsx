import { type ReactNode, useEffect, useRef } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  type UseFormReturn,
} from 'react-hook-form';
import { BusyButton } from '../forms/BusyButton.tsx';
import { useFormDraft } from '../forms/validated_form.ts';
import { useFormSubmit, useUnsavedChangesWarning } from './form_hooks.ts';

interface SectionFormProps<In extends FieldValues, Out extends FieldValues> {
  form: UseFormReturn<In, unknown, Out>;
  /** Unsaved input is stored under this name when the login expires, and restored afterwards. */
  draftName: string;
  /** The saved values. Fields show them until the artist edits something. */
  savedValues: In & DefaultValues<In>;
  saveLabel: string;
  /** Resolves to the saved values, or to null if the artist cancelled. @throws the API's refusal */
  onSave: (values: Out) => Promise<(In & DefaultValues<In>) | null>;
  /** The field that shows a 409, such as an email that is taken. */
  conflictField?: Path<In>;
  children: ReactNode;
}

/** A form for one section of a page, saved by its own button. */
export function SectionForm<In extends FieldValues, Out extends FieldValues>({
  form,
  draftName,
  savedValues,
  saveLabel,
  onSave,
  conflictField,
  children,
}: SectionFormProps<In, Out>) {
  const { isDirty, isSubmitting } = form.formState;
  const { reset } = form;
  useFormDraft(draftName, form);
  useUnsavedChangesWarning(isDirty);

  // Compared as JSON: each render may pass a new object with the same values.
  const savedJson = JSON.stringify(savedValues);
  const lastSavedJson = useRef(savedJson);
  useEffect(() => {
    if (lastSavedJson.current === savedJson) return;
    lastSavedJson.current = savedJson;
    if (!isDirty) reset(savedValues);
  }, [savedJson, savedValues, isDirty, reset]);

  async function save(values: Out): Promise<void> {
    const sent = JSON.stringify(form.getValues());
    const saved = await onSave(values);
    if (saved === null) return;
    const current = structuredClone(form.getValues());
    reset(saved);
    // Input typed during the request is not saved yet.
    if (JSON.stringify(current) !== sent) reset(current, { keepDefaultValues: true });
  }

  const refusal = conflictField && { status: 409, field: conflictField };
  const { submit, problem } = useFormSubmit(form, save, refusal);

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
            {isSubmitting ? 'Saving…' : saveLabel}
          </BusyButton>
          {isDirty && !isSubmitting && (
            <button type="button" className="button" onClick={() => reset(savedValues)}>
              Discard<span className="sr-only"> changes: {saveLabel}</span>
            </button>
          )}
        </div>
      </form>
    </FormProvider>
  );
}

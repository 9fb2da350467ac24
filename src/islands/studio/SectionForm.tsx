import { useRef } from 'react';
import { type DefaultValues, type FieldValues, FormProvider, type Path } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { useValidatedForm } from '../forms/validated_form.ts';
import { Button } from './buttons.tsx';
import { useChangedValues, useFormSubmit, useUnsavedChanges } from './form_hooks.ts';

interface SectionFormProps<Saved, In extends FieldValues, Out extends FieldValues> {
  schema: z.core.$ZodType<Out, In>;
  /** Unsaved input is stored under this name when the login expires, and restored afterwards. */
  draftName: string;
  /** What is stored now. The fields follow it until the artist edits one. */
  saved: Saved;
  toValues: (saved: Saved) => In & DefaultValues<In>;
  saveLabel: string;
  /** Resolves to what was saved, or to null if the artist cancelled. @throws the API's refusal */
  onSave: (values: Out, changes: Partial<Out>) => Promise<Saved | null>;
  /** The field that shows a 409, such as an email that is taken. */
  conflictField?: Path<In>;
  children: Elements;
}

/** A form for one section of a page, saved by its own button. */
export function SectionForm<Saved, In extends FieldValues, Out extends FieldValues>(
  props: SectionFormProps<Saved, In, Out>,
) {
  const { schema, draftName, saved, toValues, saveLabel, onSave, conflictField, children } = props;
  const savedValues = toValues(saved);
  const form = useValidatedForm(schema, savedValues);
  const { isDirty, isSubmitting } = form.formState;
  const { reset } = form;
  useUnsavedChanges(draftName, form);

  useChangedValues(savedValues, (values) => {
    if (!isDirty) reset(values);
  });

  const formElement = useRef<HTMLFormElement>(null);
  const saveButton = useRef<HTMLButtonElement>(null);

  async function save(values: Out, changes: Partial<Out>): Promise<void> {
    const sent = JSON.stringify(form.getValues());
    const savedNow = await onSave(values, changes);
    if (savedNow === null) return;
    const current = structuredClone(form.getValues());
    // After `reset` the save button is disabled, and a disabled button loses the focus.
    if (document.activeElement === saveButton.current)
      formElement.current?.focus({ preventScroll: true });
    reset(toValues(savedNow));
    // Input typed during the request is not saved yet.
    if (JSON.stringify(current) !== sent) reset(current, { keepDefaultValues: true });
  }

  const refusals = conflictField ? [{ status: 409, field: conflictField }] : [];
  const { submit, problem } = useFormSubmit(form, save, ...refusals);

  return (
    <FormProvider {...form}>
      <form
        ref={formElement}
        tabIndex={-1}
        noValidate
        onSubmit={submit}
        className="grid gap-2 outline-none focus-visible:shadow-none"
      >
        {children}
        <div role="alert" className="text-danger">
          {problem && <p className="pb-3">{`${problem} What you typed is still here.`}</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          <BusyButton
            ref={saveButton}
            type="submit"
            busy={isSubmitting}
            disabled={!isDirty}
            className="button button-main"
          >
            {isSubmitting ? 'Saving…' : saveLabel}
          </BusyButton>
          {isDirty && !isSubmitting && (
            <Button
              label="Discard"
              labelEnd={` changes: ${saveLabel}`}
              onClick={() => reset(savedValues)}
            />
          )}
        </div>
      </form>
    </FormProvider>
  );
}

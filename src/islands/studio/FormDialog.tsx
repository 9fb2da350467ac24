import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldValues, FormProvider } from 'react-hook-form';
import type * as z from 'zod/mini';
import { closeDialog } from '#stores/studio/dialog.ts';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { useValidatedForm } from '../forms/validated_form.ts';
import { Button } from './buttons.tsx';
import { useFormSubmit, useUnsavedChanges } from './form_hooks.ts';

interface FormDialogProps<In extends FieldValues, Out extends FieldValues> {
  title: string;
  schema: z.core.$ZodType<Out, In>;
  defaultValues: DefaultValues<In>;
  /** Unsaved input is stored under this name when the login expires, and restored afterwards. */
  draftName: string;
  saveLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  wide?: boolean;
  /**
   * Rejects with the API's refusal, which the form then shows.
   * @param changes the values that the user changed
   */
  onSave: (values: Out, changes: Partial<Out>) => Promise<unknown>;
  /** By default closes the dialog in `$dialog`. */
  onClose?: () => void;
  children: Elements;
}

/** A form in a dialog. It closes once saved, and asks before it discards unsaved input. */
export function FormDialog<In extends FieldValues, Out extends FieldValues>(
  props: FormDialogProps<In, Out>,
) {
  const { title, schema, defaultValues, draftName, saveLabel, onSave, children } = props;
  const { cancelLabel = 'Cancel', danger = false, wide = false, onClose = closeDialog } = props;
  const [isAskingToDiscard, setIsAskingToDiscard] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const form = useValidatedForm(schema, defaultValues);
  const { isDirty, isSubmitting } = form.formState;
  useUnsavedChanges(draftName, form);

  const { submit, problem } = useFormSubmit(form, async (values, changes) => {
    setIsSaving(true);
    try {
      await onSave(values, changes);
    } finally {
      // At once: React Hook Form then focuses a field with an error, which must not be inert.
      flushSync(() => setIsSaving(false));
    }
    onClose();
  });

  function cancel(): void {
    if (isSubmitting) return;
    if (isDirty) setIsAskingToDiscard(true);
    else onClose();
  }

  return (
    <Dialog title={title} wide={wide} onClose={cancel}>
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-2">
          {/* Input during a save would be lost when the dialog closes. */}
          <div inert={isSaving} className="grid grow grid-cols-1 content-start gap-2">
            {children}
          </div>
          {/* Sticky: on a phone the buttons and the error stay visible below a long form. */}
          <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap gap-3 border-t border-line bg-paper px-5 py-4 sm:-mx-6 sm:-mb-6 sm:px-6">
            <div role="alert" className="basis-full text-danger empty:hidden">
              {problem && <p>{`${problem} What you typed is still here.`}</p>}
            </div>
            <BusyButton
              type="submit"
              busy={isSubmitting}
              className={danger ? 'button button-danger' : 'button button-main'}
            >
              {isSubmitting ? 'Saving…' : saveLabel}
            </BusyButton>
            <Button label={cancelLabel} look="quiet" onClick={cancel} />
          </div>
        </form>
      </FormProvider>
      {isAskingToDiscard && (
        <ConfirmDialog
          title="Discard your changes?"
          confirmLabel="Discard"
          cancelLabel="Keep editing"
          danger
          onConfirm={async () => onClose()}
          onClose={() => setIsAskingToDiscard(false)}
        >
          <p>What you typed has not been saved.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

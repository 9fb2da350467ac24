import { type ReactNode, useState } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import { ConfirmDialog } from '../dialog/ConfirmDialog.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import { BusyButton } from '../forms/BusyButton.tsx';
import { showServerErrors, useFormDraft } from '../forms/validated_form.ts';

interface FormDialogProps<In extends FieldValues, Out extends FieldValues> {
  title: string;
  form: UseFormReturn<In, unknown, Out>;
  /** What is typed is kept by this name over an expired login. */
  draftName: string;
  /** What its button says. */
  saveLabel: string;
  /** What the button that leaves says. */
  cancelLabel?: string;
  /** Whether saving cannot be undone. */
  danger?: boolean;
  /** Wide enough for a calendar beside the form. */
  wide?: boolean;
  /** Saves; throws what the API refused. */
  onSave: (values: Out) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog, which closes once it is saved and asks before it drops what was typed. */
export function FormDialog<In extends FieldValues, Out extends FieldValues>({
  title,
  form,
  draftName: name,
  saveLabel: save,
  cancelLabel: leaving = 'Cancel',
  danger = false,
  wide = false,
  onSave,
  onClose,
  children,
}: FormDialogProps<In, Out>) {
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const { isDirty, isSubmitting } = form.formState;
  useFormDraft(name, form);

  const submit = form.handleSubmit(async (values) => {
    setProblem(null);
    try {
      await onSave(values);
      onClose();
    } catch (error) {
      setProblem(showServerErrors(form, error));
    }
  });

  function leave(): void {
    if (isSubmitting) return;
    if (isDirty) setAsking(true);
    else onClose();
  }

  return (
    <Dialog title={title} wide={wide} onClose={leave}>
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="grid gap-2">
          {children}
          <div role="alert" className="text-danger">
            {problem && <p className="pb-3">{problem} What you typed is still here.</p>}
          </div>
          {/* At hand on a phone too, however long the form. */}
          <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap gap-3 border-t border-line bg-paper px-5 py-4 sm:-mx-6 sm:-mb-6 sm:px-6">
            <BusyButton
              type="submit"
              busy={isSubmitting}
              className={danger ? 'button button-danger' : 'button button-main'}
            >
              {isSubmitting ? 'Saving…' : save}
            </BusyButton>
            <button type="button" className="button" onClick={leave}>
              {leaving}
            </button>
          </div>
        </form>
      </FormProvider>
      {asking && (
        <ConfirmDialog
          title="Discard your changes?"
          confirmLabel="Discard"
          cancelLabel="Keep editing"
          danger
          onConfirm={async () => onClose()}
          onClose={() => setAsking(false)}
        >
          <p>What you typed has not been saved.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

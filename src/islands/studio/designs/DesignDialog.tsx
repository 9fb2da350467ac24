import { useFormContext } from 'react-hook-form';
import { type Design, DesignChanges } from '#contract/design.ts';
import { DESIGN_STATUSES } from '#domain/artwork.ts';
import { saveDesign } from '#stores/studio/designs.ts';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { Picture } from '../../pictures/Picture.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { DESIGN_STATUS_LABELS } from './labels.ts';

export function DesignDialog({ design }: { design: Design }) {
  const { id, name, description, status, image } = design;
  return (
    <FormDialog
      title="Edit design"
      schema={DesignChanges}
      defaultValues={{ name, description, status }}
      draftName={`design ${id}`}
      saveLabel="Save"
      onSave={(_, changes) => saveDesign(id, changes)}
    >
      <Picture
        image={image}
        sizes="10rem"
        className="mb-2 aspect-4/5 w-32 rounded-lg border border-line bg-flash"
        fit="contain"
      />
      <TextField name="name" label="Name" required />
      <TextAreaField
        name="description"
        label="Description"
        hint="Describe what one sees; people who cannot see it hear this. Clients read it under the picture."
        rows={4}
      />
      <StatusField />
    </FormDialog>
  );
}

function StatusField() {
  const { register } = useFormContext();
  return (
    <fieldset className="grid gap-1 pb-4">
      <legend className="pb-1 font-semibold">Who sees it</legend>
      {DESIGN_STATUSES.map((status) => (
        <label key={status} className="flex min-h-11 cursor-pointer items-start gap-3 py-1.5">
          <input
            {...register('status')}
            type="radio"
            value={status}
            className="mt-0.5 size-5 shrink-0 accent-main"
          />
          <span>
            <span className="block font-semibold">{DESIGN_STATUS_LABELS[status].name}</span>
            <span className="block text-sm text-muted">
              {DESIGN_STATUS_LABELS[status].description}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

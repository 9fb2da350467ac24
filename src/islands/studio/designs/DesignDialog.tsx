import { type Design, DesignChanges } from '#contract/design.ts';
import { saveDesign } from '#stores/studio/designs.ts';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { DesignStatusField } from './DesignStatusField.tsx';

interface DesignDialogProps {
  design: Design;
  onClose: () => void;
}

export function DesignDialog({ design, onClose }: DesignDialogProps) {
  const { id, name, description, status, image } = design;
  const form = useValidatedForm(DesignChanges, { name, description, status });
  return (
    <FormDialog
      title="Edit design"
      form={form}
      draftName="design"
      saveLabel="Save"
      onSave={(changes) => saveDesign(id, changes)}
      onClose={onClose}
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
      <DesignStatusField name="status" />
    </FormDialog>
  );
}

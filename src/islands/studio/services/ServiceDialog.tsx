import { NewService, type Service } from '#contract/service.ts';
import { addService, saveService } from '#stores/studio/services.ts';
import { CheckboxField } from '../../forms/CheckboxField.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { DurationField } from './DurationField.tsx';

const DEFAULT_MINUTES = 60;

/** Edits a service; null adds a new one. */
export function ServiceDialog({ service }: { service: Service | null }) {
  return (
    <FormDialog
      title={service ? 'Edit service' : 'New service'}
      schema={NewService}
      defaultValues={{
        name: service?.name ?? '',
        description: service?.description ?? '',
        duration: service?.duration ?? DEFAULT_MINUTES,
        is_available: service?.is_available ?? true,
      }}
      draftName={`service ${service?.id}`}
      saveLabel={service ? 'Save' : 'Add service'}
      onSave={(values, changes) =>
        service ? saveService(service.id, changes) : addService(values)
      }
    >
      <TextField name="name" label="Name" hint="Such as Small flash, or Full day" required />
      <DurationField name="duration" />
      <TextAreaField
        name="description"
        label="Description"
        hint="What it is for, what it costs, how to prepare (optional)"
        rows={4}
      />
      <CheckboxField
        name="is_available"
        label="Clients can book it"
        hint="Otherwise it is hidden, and only you see it."
      />
    </FormDialog>
  );
}

import * as z from 'zod/mini';
import { NewService, type Service } from '#contract/service.ts';
import { addService, saveService } from '#stores/studio/services.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { CheckboxField } from '../../forms/CheckboxField.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { priceFormSchema, toPriceForm } from '../money/price_form.ts';
import { DurationField } from './DurationField.tsx';

const DEFAULT_MINUTES = 60;

interface ServiceDialogProps {
  service: Service | null;
  /** Of a new price; a price that is set keeps its own. */
  currency: string;
}

/** Edits a service; null adds a new one. */
export function ServiceDialog({ service, currency: ownCurrency }: ServiceDialogProps) {
  const price = service?.price ?? null;
  const currency = price?.currency ?? ownCurrency;
  const locale = visitorLocale();
  return (
    <FormDialog
      title={service ? 'Edit service' : 'New service'}
      schema={z.extend(NewService, { price: priceFormSchema(currency, locale) })}
      defaultValues={{
        name: service?.name ?? '',
        description: service?.description ?? '',
        duration: service?.duration ?? DEFAULT_MINUTES,
        is_available: service?.is_available ?? true,
        price: toPriceForm(price, locale),
      }}
      draftName={`service ${service?.id}`}
      saveLabel={service ? 'Save' : 'Add service'}
      onSave={(values, changes) =>
        service ? saveService(service.id, changes) : addService(values)
      }
    >
      <TextField name="name" label="Name" hint="Such as Small flash, or Full day" required />
      <DurationField name="duration" />
      <PriceFields name="price" currency={currency} />
      <TextAreaField
        name="description"
        label="Description"
        hint="What it is for, how to prepare (optional)"
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

import { useFormContext } from 'react-hook-form';
import type { Design } from '#contract/design.ts';
import { BODY_LOCATIONS } from '#domain/appointments/appointment_choices.ts';
import { BODY_LOCATION_LABELS } from '#domain/appointments/appointment_labels.ts';
import { DESIGN_STATUSES } from '#domain/studio/artwork.ts';
import { sideUnit } from '#domain/studio/design.ts';
import { $allServices } from '#stores/studio/choices.ts';
import { saveDesign } from '#stores/studio/designs.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { SelectField, TextAreaField, TextField } from '../../forms/fields.tsx';
import { Picture } from '../../pictures/Picture.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { DurationField } from '../services/DurationField.tsx';
import { designFormSchema, toDesignForm } from './design_form.ts';
import { DESIGN_STATUS_LABELS } from './labels.ts';

interface DesignDialogProps {
  design: Design;
  /** The currency of a new price; a stored price keeps its own. */
  artistCurrency: string;
}

export function DesignDialog({ design, artistCurrency }: DesignDialogProps) {
  const { id, image } = design;
  const currency = design.price?.currency ?? artistCurrency;
  const locale = visitorLocale();
  const unit = sideUnit(locale);
  const decimal = { inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <FormDialog
      title="Edit design"
      schema={designFormSchema(design, currency, locale)}
      defaultValues={toDesignForm(design, locale)}
      draftName={`design ${id}`}
      saveLabel="Save"
      // All values, not only the changed ones: a changed `booking` changes other fields of the API.
      onSave={(values) => saveDesign(id, values)}
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
      <PriceFields name="price" currency={currency} />
      <BookingFields />
      <div className="grid gap-x-4 min-[22rem]:grid-cols-2">
        {/* Typed in cm or inches; the schema converts them to millimeters. */}
        <TextField {...decimal} name="width_mm" label={`Width (${unit})`} />
        <TextField {...decimal} name="height_mm" label={`Height (${unit})`} />
      </div>
      <PlacementFields />
      <SelectField
        name="color"
        label="Color"
        blank="Not said"
        texts={{ color: 'In color', black: 'In black' }}
      />
      <TextField
        name="editions"
        label="How often it may be tattooed"
        hint="Empty: as often as you like. 1: only once; when somebody has booked it, nobody else can."
        inputMode="numeric"
        autoComplete="off"
      />
      <StatusField design={design} />
    </FormDialog>
  );
}

const BOOKING_TEXTS = { service: 'With one service', length: 'For a length of its own' };

function BookingFields() {
  const booking: unknown = useFormContext().watch('booking');
  return (
    <>
      <SelectField
        name="booking"
        label="How it is booked"
        blank="Clients choose a service"
        texts={BOOKING_TEXTS}
      />
      {/* Rendered only with the services: a select cannot show a value without its option. */}
      {booking === 'service' && (
        <QueryView query={$allServices} label="services" room="line">
          {(services) => (
            <SelectField
              name="service_id"
              label="Service"
              texts={Object.fromEntries(services.map(({ id, name }) => [id, name]))}
            />
          )}
        </QueryView>
      )}
      {booking === 'length' && <DurationField name="duration" />}
    </>
  );
}

function PlacementFields() {
  const { register } = useFormContext();
  return (
    <fieldset className="pb-4">
      <legend className="pb-1 font-semibold">Where it fits</legend>
      <div className="flex flex-wrap gap-x-6">
        {BODY_LOCATIONS.map((location) => (
          <label key={location} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              {...register('placements')}
              type="checkbox"
              value={location}
              className="size-5 shrink-0 accent-main"
            />
            <span>{BODY_LOCATION_LABELS[location]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Who sees the design. Only a draft can stay a draft. */
function StatusField({ design }: { design: Design }) {
  const { register } = useFormContext();
  const statuses = DESIGN_STATUSES.filter((one) => one !== 'draft' || design.status === 'draft');
  return (
    <fieldset className="grid gap-1 pb-4">
      <legend className="pb-1 font-semibold">Who sees it</legend>
      {statuses.map((status) => (
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

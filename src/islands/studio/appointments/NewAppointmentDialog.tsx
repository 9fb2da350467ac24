import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { $allServices } from '#stores/studio/all_services.ts';
import { addAppointment, clearEntryParam, parseEntryStart } from '#stores/studio/appointments.ts';
import { SelectField, TextAreaField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { ClientFields } from './ClientFields.tsx';
import {
  BLANK_APPOINTMENT,
  type NewAppointmentForm,
  newAppointmentSchema,
} from './new_appointment_form.ts';
import { TimeFields } from './TimeFields.tsx';
import { defaultTime, parseTypedTime, toTypedTime } from './time_form.ts';

const DEFAULT_MINUTES = 120;

/** An appointment that was agreed on elsewhere. */
export function NewAppointmentDialog({ me, onClose }: { me: CurrentArtist; onClose: () => void }) {
  const zone = me.studio.time_zone;
  const schema = useMemo(() => newAppointmentSchema(zone), [zone]);
  const form = useValidatedForm(schema, { ...BLANK_APPOINTMENT, ...initialTime(me) });

  async function save(typed: NewAppointmentForm): Promise<void> {
    const stretch = parseTypedTime(zone, typed);
    if (stretch === null) return;
    await addAppointment({
      ...stretch,
      client: typed.who === 'known' ? typed.client_id : typed.client,
      serviceId: typed.service_id || null,
      notes: typed.customer_notes,
    });
  }

  return (
    <FormDialog
      title="Enter an appointment"
      form={form}
      draftName="enter"
      saveLabel="Enter appointment"
      wide
      onSave={save}
      onClose={() => {
        clearEntryParam();
        onClose();
      }}
    >
      <ClientFields />
      <ServiceField />
      <TimeFields me={me} />
      <TextAreaField name="customer_notes" label="Notes (optional)" rows={3} />
    </FormDialog>
  );
}

/** A service says how long it takes. */
function ServiceField() {
  const { data: services = [] } = useStore($allServices);
  const { setValue } = useFormContext();
  const chosen = String(useWatch({ name: 'service_id' }) ?? '');
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    const service = services.find(({ id }) => id === chosen);
    if (service) setValue('minutes', String(service.duration), { shouldValidate: true });
  }, [chosen, services, setValue]);
  if (services.length === 0) return null;
  return (
    <SelectField
      name="service_id"
      label="Service (optional)"
      blank="None of them"
      texts={Object.fromEntries(services.map((service) => [service.id, formatService(service)]))}
    />
  );
}

function formatService({ name, duration }: Service): string {
  return `${name}, ${duration} minutes`;
}

function initialTime(me: CurrentArtist) {
  const start = parseEntryStart();
  if (!start) return defaultTime(me, Date.now(), DEFAULT_MINUTES);
  return toTypedTime(me.studio.time_zone, { start, end: start + DEFAULT_MINUTES * MINUTE_MS });
}

import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CurrentArtist } from '#contract/artist.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { addAppointment, parseEntryStart, removeEntryParam } from '#stores/studio/appointments.ts';
import { closeDialog } from '#stores/studio/dialog.ts';
import { $allServices } from '#stores/studio/services.ts';
import { SelectField, TextAreaField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { ClientFields } from './ClientFields.tsx';
import {
  BLANK_APPOINTMENT,
  type NewAppointmentForm,
  newAppointmentSchema,
} from './new_appointment_form.ts';
import { TimeFields } from './TimeFields.tsx';
import { DEFAULT_MINUTES, defaultTime, parseTypedTime, toTypedTime } from './time_form.ts';

/** Adds an appointment that artist and client agreed on elsewhere, such as by phone. */
export function NewAppointmentDialog({ me }: { me: CurrentArtist }) {
  const zone = me.studio.time_zone;
  const schema = useMemo(() => newAppointmentSchema(zone), [zone]);

  async function save(typed: NewAppointmentForm): Promise<void> {
    const time = parseTypedTime(zone, typed);
    if (time === null) return;
    await addAppointment({
      ...time,
      client: typed.who === 'known' ? typed.client_id : typed.client,
      serviceId: typed.service_id || null,
      notes: typed.customer_notes,
    });
  }

  return (
    <FormDialog
      title="Enter an appointment"
      schema={schema}
      defaultValues={{ ...BLANK_APPOINTMENT, ...initialTime(me) }}
      draftName="enter"
      saveLabel="Enter appointment"
      wide
      onSave={save}
      onClose={() => {
        removeEntryParam();
        closeDialog();
      }}
    >
      <ClientFields />
      <ServiceField />
      <TimeFields me={me} movedId={null} />
      <TextAreaField name="customer_notes" label="Notes (optional)" rows={3} />
    </FormDialog>
  );
}

/** Choosing a service fills in its duration. */
function ServiceField() {
  const { data: services = [] } = useStore($allServices);
  const { setValue } = useFormContext();
  const selectedId = String(useWatch({ name: 'service_id' }) ?? '');
  const previousId = useRef(selectedId);
  useEffect(() => {
    // Only a new choice sets the duration: the artist may have typed another one since.
    if (previousId.current === selectedId) return;
    previousId.current = selectedId;
    const service = services.find(({ id }) => id === selectedId);
    if (service) setValue('minutes', String(service.duration), { shouldValidate: true });
  }, [selectedId, services, setValue]);
  if (services.length === 0) return null;
  return (
    <SelectField
      name="service_id"
      label="Service (optional)"
      blank="None of them"
      texts={Object.fromEntries(
        services.map(({ id, name, duration }) => [id, `${name}, ${duration} minutes`]),
      )}
    />
  );
}

/** The time that the address names, as a link from the calendar does; else a default. */
function initialTime(me: CurrentArtist) {
  const start = parseEntryStart();
  if (start === null) return defaultTime(me);
  return toTypedTime(me.studio.time_zone, { start, end: start + DEFAULT_MINUTES * MINUTE_MS });
}

import { useMemo } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { toTypedHours } from '#domain/booking/opening_hours.ts';
import { openingWindowsOn } from '#domain/booking/schedule.ts';
import { START_ON_CLOSED_DAY } from '#domain/studio/studio_time.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import { addAppointment } from '#stores/studio/appointment_time.ts';
import { type EntryStart, parseEntryStart, removeEntryParam } from '#stores/studio/appointments.ts';
import { parseAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { closeDialog } from '#stores/studio/dialog.ts';
import { firstDateToSuggest, type TimeSuggestion } from '#stores/studio/suggested_time.ts';
import { TextAreaField } from '../../forms/fields.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { NotesField } from '../NotesField.tsx';
import {
  BLANK_APPOINTMENT,
  DEFAULT_MINUTES,
  defaultTime,
  type NewAppointmentForm,
  newAppointmentSchema,
  readTypedTime,
  toDetailsForm,
} from './appointment_form.ts';
import { ClientFields } from './ClientFields.tsx';
import { appointmentClientName, privateNotesHint } from './labels.ts';
import { SubjectFields } from './SubjectFields.tsx';
import { TimeFields } from './TimeFields.tsx';

interface NewAppointmentDialogProps {
  me: CurrentArtist;
  /** The appointment whose next session is booked: with the same client, about the same. */
  last?: Appointment;
}

/** Adds an appointment that artist and client agreed on elsewhere, such as by phone. */
export function NewAppointmentDialog({ me, last }: NewAppointmentDialogProps) {
  const zone = me.studio;
  const entry = parseEntryStart();
  const currency = last?.price?.currency ?? me.currency;
  const schema = useMemo(() => newAppointmentSchema(zone, currency), [zone, currency]);

  async function save(
    typed: NewAppointmentForm,
    changes: Partial<NewAppointmentForm>,
  ): Promise<void> {
    const { private_notes } = changes;
    await addAppointment(readTypedTime(typed), {
      ...(typed.who === 'known'
        ? { client_id: typed.client_id }
        : { client: { ...typed.client, email: typed.client.email || null } }),
      service_id: typed.service_id || null,
      design_id: typed.design_id || null,
      customer_notes: typed.customer_notes,
      // As the form shows it, also when the service's price is in another currency.
      price: typed.price,
      // Without them, the notes of the last session are shared.
      ...(private_notes !== undefined && { private_notes }),
      ...(last && private_notes !== undefined && { private_version: typed.private_version }),
      ...(typed.note && { note: typed.note }),
      ...(last && { next_session_of: last.id }),
    });
  }

  return (
    <FormDialog
      title={last ? 'Book the next session' : 'Enter an appointment'}
      schema={schema}
      defaultValues={{
        ...BLANK_APPOINTMENT,
        ...(last ? toNextSession(me, last) : initialTime(me, entry)),
      }}
      draftName={last ? `next-${last.id}` : 'enter'}
      saveLabel={last ? 'Book session' : 'Enter appointment'}
      wide
      onSave={save}
      onClose={() => {
        removeEntryParam();
        closeDialog();
      }}
    >
      {last ? (
        <p className="mb-2 grid">
          <span className="text-sm font-semibold text-muted">Client</span>
          <span className="wrap-anywhere">{appointmentClientName(last.client)}</span>
        </p>
      ) : (
        <ClientFields />
      )}
      <SubjectFields currency={currency} {...(last && { booked: last })} />
      <TimeFields me={me} movedId={null} suggestion={suggestionFor(last, entry)} />
      <TextAreaField name="customer_notes" label="Notes (optional)" rows={3} />
      <TextAreaField name="note" label="A note to the client (optional)" rows={2} />
      <NotesField
        name="private_notes"
        versionName="private_version"
        saved={{ text: last?.private_notes ?? '', version: last?.private_version ?? 0 }}
        label="Private notes (optional)"
        hint={privateNotesHint(last !== undefined)}
        rows={2}
      />
    </FormDialog>
  );
}

/** A time that the artist picked on the calendar stays. */
function suggestionFor(
  last: Appointment | undefined,
  entry: EntryStart | null,
): TimeSuggestion | null {
  if (last) return { purpose: 'next_session', about: last };
  if (entry?.time) return null;
  return { purpose: 'entry', date: entry?.date ?? null };
}

/** The day and the time that the address names, as a link from the calendar does; else a default. */
function initialTime(me: CurrentArtist, entry: EntryStart | null) {
  if (entry === null) return defaultTime(me);
  const { date, time } = entry;
  const hours = openingWindowsOn(toTypedHours(me.schedule, date), date);
  return {
    date,
    time: time ?? hours[0]?.start ?? START_ON_CLOSED_DAY,
    minutes: String(DEFAULT_MINUTES),
  };
}

/** As long as the last session, and about the same. */
function toNextSession(me: CurrentArtist, last: Appointment) {
  const time = parseAppointmentTime(last);
  return {
    ...defaultTime(
      me,
      time ? (time.end - time.start) / MINUTE_MS : undefined,
      firstDateToSuggest(me, 'next_session', [last]),
    ),
    ...toDetailsForm(last),
    who: 'known' as const,
    client_id: last.client.id,
    client_name: appointmentClientName(last.client),
    private_notes: last.private_notes,
    private_version: last.private_version,
  };
}

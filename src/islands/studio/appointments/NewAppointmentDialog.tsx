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
  lastSession?: Appointment;
}

/** Adds an appointment that artist and client agreed on elsewhere, such as by phone. */
export function NewAppointmentDialog({ me, lastSession }: NewAppointmentDialogProps) {
  const zone = me.studio;
  const entryStart = parseEntryStart();
  const currency = lastSession?.price?.currency ?? me.currency;
  const schema = useMemo(() => newAppointmentSchema(zone, currency), [zone, currency]);

  async function save(
    typed: NewAppointmentForm,
    changes: Partial<NewAppointmentForm>,
  ): Promise<void> {
    const { private_notes } = changes;
    const client =
      typed.who === 'known'
        ? { client_id: typed.client_id }
        : { client: { ...typed.client, email: typed.client.email || null } };
    await addAppointment(readTypedTime(typed), {
      ...client,
      service_id: typed.service_id || null,
      design_id: typed.design_id || null,
      customer_notes: typed.customer_notes,
      // Always sent: without it, the API would take the service's price, which may be in another currency.
      price: typed.price,
      // Unchanged ones are not sent: the API then shares those of the last session.
      ...(private_notes !== undefined && { private_notes }),
      ...(lastSession && private_notes !== undefined && { private_version: typed.private_version }),
      ...(typed.note && { note: typed.note }),
      ...(lastSession && { next_session_of: lastSession.id }),
    });
  }

  return (
    <FormDialog
      title={lastSession ? 'Book the next session' : 'Enter an appointment'}
      schema={schema}
      defaultValues={{
        ...BLANK_APPOINTMENT,
        ...(lastSession ? toNextSession(me, lastSession) : initialTime(me, entryStart)),
      }}
      draftName={lastSession ? `next-${lastSession.id}` : 'enter'}
      saveLabel={lastSession ? 'Book session' : 'Enter appointment'}
      wide
      onSave={save}
      onClose={() => {
        removeEntryParam();
        closeDialog();
      }}
    >
      {lastSession ? (
        <p className="mb-2 grid">
          <span className="text-sm font-semibold text-muted">Client</span>
          <span className="wrap-anywhere">{appointmentClientName(lastSession.client)}</span>
        </p>
      ) : (
        <ClientFields />
      )}
      <SubjectFields currency={currency} booked={lastSession ?? null} />
      <TimeFields me={me} movedId={null} suggestion={suggestionFor(lastSession, entryStart)} />
      <TextAreaField name="customer_notes" label="Notes (optional)" rows={3} />
      <TextAreaField name="note" label="A note to the client (optional)" rows={2} />
      <NotesField
        name="private_notes"
        versionName="private_version"
        saved={{
          text: lastSession?.private_notes ?? '',
          version: lastSession?.private_version ?? 0,
        }}
        label="Private notes (optional)"
        hint={privateNotesHint(lastSession !== undefined)}
        rows={2}
      />
    </FormDialog>
  );
}

/** Null when the artist has picked a time on the calendar, which stays. */
function suggestionFor(
  lastSession: Appointment | undefined,
  entryStart: EntryStart | null,
): TimeSuggestion | null {
  if (lastSession) return { purpose: 'next_session', about: lastSession };
  if (entryStart?.time) return null;
  return { purpose: 'entry', date: entryStart?.date ?? null };
}

/** The day and the time that the URL names, as a link from the calendar does; else a default. */
function initialTime(me: CurrentArtist, entryStart: EntryStart | null) {
  if (entryStart === null) return defaultTime(me, DEFAULT_MINUTES);
  const { date, time } = entryStart;
  const hours = openingWindowsOn(toTypedHours(me.schedule, date), date);
  return {
    date,
    time: time ?? hours[0]?.start ?? START_ON_CLOSED_DAY,
    minutes: String(DEFAULT_MINUTES),
  };
}

/** The initial values of a next session: with the last one's client, subject, notes and length. */
function toNextSession(me: CurrentArtist, lastSession: Appointment) {
  const time = parseAppointmentTime(lastSession);
  const minutes = time ? (time.end - time.start) / MINUTE_MS : DEFAULT_MINUTES;
  return {
    ...defaultTime(me, minutes, firstDateToSuggest(me, 'next_session', [lastSession])),
    ...toDetailsForm(lastSession),
    who: 'known' as const,
    client_id: lastSession.client.id,
    client_name: appointmentClientName(lastSession.client),
    private_notes: lastSession.private_notes,
    private_version: lastSession.private_version,
  };
}

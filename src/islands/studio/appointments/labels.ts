import type { Appointment } from '#contract/appointment.ts';

type AppointmentClient = Appointment['client'];

type NameAndEmail = Pick<AppointmentClient, 'first_name' | 'last_name' | 'email'>;

/** A client's name in a list or a title, or else their email. */
export function clientName(client: NameAndEmail): string {
  return nameOrEmail(client) || 'A client without a name';
}

/**
 * The name of an appointment's client, or else their email. An appointment has had one of them, so both
 * are erased if they are missing: with the client, or after the time for which details are kept.
 */
export function appointmentClientName(client: NameAndEmail): string {
  return nameOrEmail(client) || 'Details erased';
}

function nameOrEmail({ first_name, last_name, email }: NameAndEmail): string | null {
  return [first_name, last_name].filter(Boolean).join(' ') || email;
}

/** At most this many clients are named in one sentence. */
const MAX_NAMED = 10;

/** Names the clients who get no mail: without an email, or not confirmed. Empty when all get one. */
export function formatNotMailed(
  appointments: readonly { readonly client: NameAndEmail; readonly isMailed: boolean }[],
): string {
  const unmailed = appointments.filter(({ isMailed }) => !isMailed);
  const names = new Set(
    unmailed.map(
      ({ client }) =>
        `${appointmentClientName(client)} (${client.email === null ? 'no email' : 'not confirmed'})`,
    ),
  );
  const named = [...names].slice(0, MAX_NAMED);
  if (names.size > MAX_NAMED) named.push(`${names.size - MAX_NAMED} more`);
  return named.length === 0 ? '' : `Not mailed: ${named.join(', ')}.`;
}

export function clientShortName({ first_name }: AppointmentClient): string {
  return first_name ?? 'the client';
}

/** The path by which artists open their own public page: `#studio` shows a bar there that leads back. */
export function ownPagePath({ username }: { username: string }): string {
  return `/${username}/#studio`;
}

/** The address of the artist's public page, to share. */
export function artistPageUrl({ username }: { username: string }): string {
  return `${location.origin}/${username}/`;
}

/** The address of the client's page of an appointment. Anyone who has it can confirm. */
export function confirmationUrl({ username }: { username: string }, id: string): string {
  return `${location.origin}/${username}/confirmation/${id}/`;
}

/** The subject of an appointment: its service and its design. */
export function formatSubject({ service, design }: Appointment): string {
  return [service?.name, design?.name].filter(Boolean).join(' · ') || 'Tattoo';
}

/** Says who sees the private notes of an appointment. @param isProject whether the tattoo has several sessions */
export function privateNotesHint(isProject: boolean): string {
  return `They are not on the client’s page, only in a copy of their data.${isProject ? ' All sessions of this tattoo share them.' : ''}`;
}

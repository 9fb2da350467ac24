import { computed } from 'nanostores';
import { fetchAppointment } from '#client/appointments.ts';
import { ApiError } from '#client/http.ts';
import { listMails, resendMail } from '#client/mails.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { artistApi } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { $urlState } from './appointments.ts';
import { createQuery, revalidate } from './queries.ts';

/** More than an appointment ever has, but for one that is moved and moved. */
const MAX_MAILS_PER_APPOINTMENT = 100;
/** As many as are looked through for Home. */
const MAX_RECENT_MAILS = 20;
/** As many appointments as Home tells of. */
const MAX_UNREACHED_CLIENTS = 3;
/** How long a failure without a date of its own is news. */
const UNDATED_FAILURE_MS = 14 * 24 * HOUR_MS;

/** What was sent about the appointment that is open, the newest first. */
export const $appointmentMails = createQuery<ListPage<OutgoingMail>>(
  ['mails', 'appointment', computed($urlState, ({ openId: id }) => id)],
  {
    fetcher: (...[, , id]) =>
      listMails(artistApi(), { appointment_id: String(id), limit: MAX_MAILS_PER_APPOINTMENT }),
  },
);

/** Time has passed: there may be news of it. */
export function reloadMails(): void {
  revalidate('mails', 'appointment');
}

/**
 * Sends a mail once more, as things are now.
 * @param email a client's right address, where the one that is known is wrong
 * @throws what the API refused
 */
export async function sendMailAgain(mail: OutgoingMail, email?: string): Promise<void> {
  const { address } = await resendMail(artistApi(), mail.id, email === undefined ? {} : { email });
  showSuccessToast(
    'On its way.',
    `It goes to ${address}, with the time and place as they are now.`,
  );
  revalidate('mails');
  // Their address may be another one now.
  revalidate('appointments');
}

/** A client whom the last mail about an appointment did not reach. */
export interface UnreachedClient {
  readonly appointment: Appointment;
  readonly mail: OutgoingMail;
}

/** Clients who may not know of their appointment, the newest failure first. */
export const $unreachedClients = createQuery<readonly UnreachedClient[]>(['mails', 'unreached'], {
  fetcher: async () => {
    const { data } = await listMails(artistApi(), { status: 'failed', limit: MAX_RECENT_MAILS });
    const failed = new Map<string, OutgoingMail>();
    for (const mail of data)
      if (mail.recipient === 'client' && mail.appointment_id !== null)
        failed.set(mail.appointment_id, failed.get(mail.appointment_id) ?? mail);
    const found = await Promise.all(
      [...failed].map(([id, mail]) => fetchUnreachedClient(id, mail)),
    );
    return found.filter((one) => one !== null).slice(0, MAX_UNREACHED_CLIENTS);
  },
});

/** The last mail to the artist themselves, when it failed; none while mail reaches them. */
export const $failedOwnMails = createQuery<readonly OutgoingMail[]>(['mails', 'own'], {
  fetcher: async () => {
    const { data } = await listMails(artistApi(), { limit: MAX_RECENT_MAILS });
    const own = data.filter(({ recipient }) => recipient === 'artist');
    const last = own.find(({ status }) => status === 'sent' || status === 'failed');
    return last?.status === 'failed' ? [last] : [];
  },
});

/** null when it is over, or something later reached the client or is on its way to them. */
async function fetchUnreachedClient(
  id: string,
  mail: OutgoingMail,
): Promise<UnreachedClient | null> {
  const [appointment, mails] = await Promise.all([
    fetchAppointment(artistApi(), id).catch(nullIfNotFound),
    listMails(artistApi(), { appointment_id: id, limit: MAX_MAILS_PER_APPOINTMENT }),
  ]);
  const last = mails.data.find(({ recipient, status }) => {
    return recipient === 'client' && status !== 'dropped';
  });
  if (appointment === null || isOver(appointment, mail) || last?.status !== 'failed') return null;
  return { appointment, mail: last };
}

function isOver({ end }: Appointment, mail: OutgoingMail): boolean {
  const until =
    end === null ? Date.parse(mail.created_at) + UNDATED_FAILURE_MS : Date.parse(end) + MINUTE_MS;
  return until <= Date.now();
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** Who tells a client what the artist has done. */
export function formatClientNotice({
  first_name,
  email,
}: Pick<Appointment['client'], 'first_name' | 'email'>): string {
  return email === null
    ? `Let ${first_name ?? 'the client'} know: there is no email address to write to.`
    : `${first_name ?? 'The client'} is told by email.`;
}

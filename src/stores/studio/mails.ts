import { computed } from 'nanostores';
import { fetchAppointment } from '#client/appointments.ts';
import { ApiError } from '#client/http.ts';
import { listMails, resendMail } from '#client/mails.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { artistApi } from '../session.ts';
import { tellSuccess } from '../toasts.ts';
import { $place } from './appointments.ts';
import { createReading, revalidate } from './queries.ts';

/** More than an appointment ever has, but for one that is moved and moved. */
const MOST = 100;
/** As many as are looked through for Home. */
const LATELY = 20;
/** As many appointments as Home tells of. */
const UNREACHED = 3;
/** How long a failure without a date of its own is news. */
const NEWS = 14 * 24 * HOUR_MS;

/** What was sent about the appointment that is open, the newest first. */
export const $mails = createReading<ListPage<OutgoingMail>>(
  ['mails', 'appointment', computed($place, ({ id }) => id)],
  {
    fetcher: (...[, , id]) => listMails(artistApi(), { appointment_id: String(id), limit: MOST }),
  },
);

/** Time has passed: there may be news of it. */
export function lookForMail(): void {
  revalidate('mails', 'appointment');
}

/**
 * Sends a mail once more, as things are now.
 * @param email a client's right address, where the one that is known is wrong
 * @throws what the API refused
 */
export async function sendMailAgain(mail: OutgoingMail, email?: string): Promise<void> {
  const { address } = await resendMail(artistApi(), mail.id, email === undefined ? {} : { email });
  tellSuccess('On its way.', `It goes to ${address}, with the time and place as they are now.`);
  revalidate('mails');
  // Their address may be another one now.
  revalidate('appointments');
}

/** A client whom the last mail about an appointment did not reach. */
export interface Unreached {
  readonly appointment: Appointment;
  readonly mail: OutgoingMail;
}

/** Clients who may not know of their appointment, the newest failure first. */
export const $unreached = createReading<readonly Unreached[]>(['mails', 'unreached'], {
  fetcher: async () => {
    const { data } = await listMails(artistApi(), { status: 'failed', limit: LATELY });
    const failed = new Map<string, OutgoingMail>();
    for (const mail of data)
      if (mail.recipient === 'client' && mail.appointment_id !== null)
        failed.set(mail.appointment_id, failed.get(mail.appointment_id) ?? mail);
    const found = await Promise.all([...failed].map(([id, mail]) => readUnreached(id, mail)));
    return found.filter((one) => one !== null).slice(0, UNREACHED);
  },
});

/** The last mail to the artist themselves, when it failed; none while mail reaches them. */
export const $ownFailed = createReading<readonly OutgoingMail[]>(['mails', 'own'], {
  fetcher: async () => {
    const { data } = await listMails(artistApi(), { limit: LATELY });
    const own = data.filter(({ recipient }) => recipient === 'artist');
    const last = own.find(({ status }) => status === 'sent' || status === 'failed');
    return last?.status === 'failed' ? [last] : [];
  },
});

/** null when it is over, or something later reached the client or is on its way to them. */
async function readUnreached(id: string, mail: OutgoingMail): Promise<Unreached | null> {
  const [appointment, mails] = await Promise.all([
    fetchAppointment(artistApi(), id).catch(nothingIfGone),
    listMails(artistApi(), { appointment_id: id, limit: MOST }),
  ]);
  const last = mails.data.find(({ recipient, status }) => {
    return recipient === 'client' && status !== 'dropped';
  });
  if (appointment === null || isOver(appointment, mail) || last?.status !== 'failed') return null;
  return { appointment, mail: last };
}

function isOver({ end }: Appointment, mail: OutgoingMail): boolean {
  const until = end === null ? Date.parse(mail.created_at) + NEWS : Date.parse(end) + MINUTE_MS;
  return until <= Date.now();
}

function nothingIfGone(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}

/** Who tells a client what the artist has done. */
export function whoTells({
  first_name,
  email,
}: Pick<Appointment['client'], 'first_name' | 'email'>): string {
  return email === null
    ? `Let ${first_name ?? 'the client'} know: there is no email address to write to.`
    : `${first_name ?? 'The client'} is told by email.`;
}

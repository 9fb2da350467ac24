// Mails about appointments: lists them, sends them again, and finds failures for the home page.
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import { fetchAppointment, listMails, resendMail } from '#contract/endpoints.ts';
import type { MailList, OutgoingMail } from '#contract/mail.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { $openAppointmentId } from './appointments.ts';
import { parseAppointmentTime } from './booked_appointments.ts';
import { createQuery, createQueryOf, nullIfNotFound, revalidate } from './queries.ts';

/** Only an appointment that the artist moves very often has more mails. */
const MAX_MAILS_PER_APPOINTMENT = 100;
/** How many mails the home page loads: the newest failed ones, and the newest of any status. */
const MAX_RECENT_MAILS = 20;
/** How many of the waiting mails the home page loads, the newest. */
const MAX_QUEUED_MAILS = 100;
/** When a mail counts as late. Some mail servers refuse each first attempt, and accept the next one minutes later. */
const LATE_AFTER_MS = 10 * MINUTE_MS;
/** How many clients that our mails do not reach the home page shows. */
const MAX_UNREACHED_CLIENTS = 3;
/** How long the home page shows a failed mail whose appointment has no date. */
const UNDATED_FAILURE_MS = 14 * DAY_MS;

export const $appointmentMails = createQueryOf(
  $openAppointmentId,
  ['mails', 'appointment'],
  listMailsAbout,
);

/** Sends a mail again; `email`, if given, replaces the client's address. @throws ApiError */
export async function sendMailAgain(mail: OutgoingMail, email?: string): Promise<void> {
  const { address } = await callAsArtist(resendMail, {
    path: { mail_id: mail.id },
    body: email === undefined ? {} : { email },
  });
  const text = `It goes to ${address}, with the time and place as they are now.`;
  showSuccessToast('On its way.', text);
  // Appointments show the client's email, which may have changed.
  revalidate('mails', 'appointments');
}

/** Clients whose last mail about an appointment failed, the newest failure first. */
export const $unreachedClients = createQuery(['mails', 'unreached'], async () => {
  const query = { status: 'failed', limit: MAX_RECENT_MAILS } as const;
  const { data } = await callAsArtist(listMails, { query });
  // By appointment; the API lists the newest mails first.
  const newestFailures = new Map<string, OutgoingMail>();
  for (const mail of data) {
    const id = mail.appointment_id;
    if (mail.recipient === 'client' && id !== null && !newestFailures.has(id))
      newestFailures.set(id, mail);
  }
  const clients = await Promise.all(
    [...newestFailures].map(([id, mail]) => fetchUnreachedClient(id, mail)),
  );
  return clients.filter((client) => client !== null).slice(0, MAX_UNREACHED_CLIENTS);
});

/** Trouble with the delivery of the artist's mail. */
export const $mailTrouble = createQuery(['mails', 'trouble'], async () => {
  const [newest, queued] = await Promise.all([
    callAsArtist(listMails, { query: { limit: MAX_RECENT_MAILS } }),
    callAsArtist(listMails, { query: { status: 'queued', limit: MAX_QUEUED_MAILS } }),
  ]);
  const ownMails = newest.data.filter(({ recipient }) => recipient === 'artist');
  const last = ownMails.find(({ status }) => status === 'sent' || status === 'failed');
  return {
    /** The newest mail to the artist that was sent or failed, if it failed; else null. */
    failedOwnMail: last?.status === 'failed' ? last : null,
    /** False where no mail server is set: then our server only saves mails in files. */
    sendsMail: newest.sends_mail,
    /** Mails that could not be delivered yet and are tried again; null for none. */
    late: findLateMails(queued, serverNow()),
  };
});

/** The mails that have waited too long after a failed attempt. @param queued the newest mails first */
function findLateMails(queued: MailList, now: Instant) {
  const late = queued.data.filter(
    ({ failure, created_at }) => failure !== null && Date.parse(created_at) < now - LATE_AFTER_MS,
  );
  const oldest = late.at(-1);
  if (!oldest) return null;
  // If some waiting mails were not loaded, there may be more late mails, and older ones.
  const areAll = queued.count <= queued.data.length;
  return { count: late.length, since: oldest.created_at, areAll };
}

function listMailsAbout(appointmentId: string) {
  const query = { appointment_id: appointmentId, limit: MAX_MAILS_PER_APPOINTMENT };
  return callAsArtist(listMails, { query });
}

/** The appointment and its failed last mail to the client; null if another mail followed, or it is over or deleted. */
async function fetchUnreachedClient(id: string, failedMail: OutgoingMail) {
  const [appointment, mails] = await Promise.all([
    callAsArtist(fetchAppointment, { path: { appt_id: id } }).catch(nullIfNotFound),
    listMailsAbout(id),
  ]);
  // `dropped` mails were never sent, because their content had become wrong.
  const lastMail = mails.data.find(
    ({ recipient, status }) => recipient === 'client' && status !== 'dropped',
  );
  if (appointment === null || isOutdated(appointment, failedMail)) return null;
  return lastMail?.status === 'failed' ? { appointment, mail: lastMail } : null;
}

/** Whether the appointment has ended; without a time, whether the mail is too old to matter. */
function isOutdated(appointment: Appointment, { created_at }: OutgoingMail): boolean {
  const end = parseAppointmentTime(appointment)?.end ?? Date.parse(created_at) + UNDATED_FAILURE_MS;
  return end <= serverNow();
}

/** A sentence for the artist about how the client learns of a change. */
export function formatClientNotice({
  first_name,
  email,
}: Pick<Appointment['client'], 'first_name' | 'email'>): string {
  return email === null
    ? `Let ${first_name ?? 'the client'} know: there is no email address to write to.`
    : `${first_name ?? 'The client'} is told by email.`;
}

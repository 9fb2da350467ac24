import { expect, onTestFinished, test } from 'vitest';
import type { Actor, AppointmentStatus } from '#domain/appointments/appointment.ts';
import type { AppointmentMailKind } from '#domain/mail/mail.ts';
import { requireFound } from '#domain/refusal.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { toTstzrange } from '#server/database/appointment_times.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { updateArtist } from '#server/database/artists.ts';
import { findMail } from '#server/database/mails.ts';
import { markStudioChangeUndone, replaceStudioChange } from '#server/database/studio_changes.ts';
import { createSmtpMailer } from '#server/mail/smtp_mailer.ts';
import type { Context } from '#server/operations/context.ts';
import { deliverMail, failMail } from '#server/operations/mail/deliver_mail.ts';
import { notify, toAppointmentSnapshot } from '#server/operations/mail/notify.ts';
import { loadConfirmationPage } from '#server/operations/studio/booking_pages.ts';
import { runTasks } from '#server/operations/tasks/recurring_tasks.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  changeAppointmentRow,
  NOON,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { addToCalendar, readMailedEntry } from '#support/mail_calendar.ts';
import { SITE } from '#support/sample_notices.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openSmtpServer } from '#support/smtp_server.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = NOON - 24 * HOUR_MS;
/** A later start; the first is `NOON`. */
const B = NOON + HOUR_MS;

interface Change {
  readonly status?: AppointmentStatus;
  readonly start?: Instant;
  readonly by?: Actor;
  readonly waitsUntil?: Instant;
}

/** An appointment whose mails go through a mail server that can be stopped. */
async function setUp(
  changes: Partial<Context> = {},
  start: { readonly status?: AppointmentStatus; readonly expiresAt?: Instant } = {},
) {
  let onMail = async () => {};
  const smtp = await openSmtpServer({ beforeAccepting: () => onMail() });
  onTestFinished(() => smtp[Symbol.asyncDispose]());
  const mailer = createSmtpMailer(smtp.url, 'Linework <no-reply@linework.test>');
  onTestFinished(() => mailer.close());
  const { context, jobs, ...opened } = await openTestContext({ mailer, ...changes });
  const { database } = context;
  const artist = await addArtist(database);
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const client = await addClient(database, artist, { email });
  const id = await addAppointment(database, artist, { status: 'held', ...start, client, email });

  const loadRow = async () => requireFound(await findAppointment(database, artist.id, id));
  /** Changes the appointment and queues mails about it, as the operations do. */
  const change = async (
    { status, start, by = 'client', waitsUntil }: Change,
    ...kinds: AppointmentMailKind[]
  ) => {
    const before = await loadRow();
    await changeAppointmentRow(database, artist.id, id, { ...(status && { status }) });
    if (start !== undefined) {
      const during = toTstzrange({ start, end: start + HOUR_MS });
      const times = database.updateTable('appointment_times').set({ during, blocked: during });
      await times.where('appointment_id', '=', id).execute();
    }
    const wasBooked = before.status === 'confirmed';
    const movedFrom = start === undefined ? null : (before.start?.getTime() ?? null);
    const snapshot = toAppointmentSnapshot(await loadRow(), { wasBooked, by });
    const appointment = { ...snapshot, movedFrom };
    const notices = kinds.map((kind) => ({ kind, appointment }));
    await inTransaction(database, (transaction) =>
      notify({ ...context, database: transaction }, { notices, waitsUntil }),
    );
  };
  const listQueued = () =>
    database
      .selectFrom('mails')
      .select(['id', 'notice'])
      .where('artist_id', '=', artist.id)
      .where('status', '=', 'queued')
      .orderBy('position')
      .execute();
  /** Runs the jobs of all queued mails in this order, as often as the job queue would. */
  const deliverAll = async (now = NOW, order = <T>(list: T[]) => list) => {
    for (let round = 0; round < 4; round += 1)
      for (const mail of order(await listQueued()))
        await deliverMail(context, mail.id, now).catch(() => {});
  };
  const mailsTo = (address: string) =>
    smtp.mails.filter(({ envelope }) => envelope.to.includes(address));
  /** The first words of the subjects, such as `Booked`. */
  const subjectsTo = (address: string) =>
    mailsTo(address).map(({ subject = '' }) => subject.split(':')[0]);
  const eachMail = (hook: () => Promise<void>) => {
    onMail = hook;
  };
  return {
    ...{ ...opened, context, database, smtp, artist, client, id, email, jobs },
    ...{ loadRow, change, listQueued, deliverAll, mailsTo, subjectsTo, eachMail },
  };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

const STEPS = {
  book: ({ change }: Setup) => change({ status: 'confirmed' }, 'booked', 'new_booking'),
  move: ({ change }: Setup) => change({ start: B }, 'moved', 'client_moved'),
  cancel: ({ change }: Setup) => change({ status: 'cancelled' }, 'cancelled', 'client_cancelled'),
};

test.each([
  ['the page', 'hides the email', 'stays'],
  ['a mail', 'hides the email', 'stays'],
  ['a mail', 'changes the email', 'is deleted'],
])(
  'after its first file, from %s, a calendar entry keeps its organizer: the artist %s, the appointment %s',
  async (first, change, end) => {
    const site = { ...SITE };
    const scenario = await setUp({ site });
    const { context, database, artist, id, email, deliverAll, mailsTo } = scenario;
    const readPage = () => loadConfirmationPage(context, id, { calendar_file: 'true' }, NOW);
    await (first === 'a mail' ? STEPS.book(scenario) : scenario.change({ status: 'confirmed' }));
    await (first === 'a mail' ? deliverAll() : readPage());
    const newEmail = `new-${artist.email}`;
    const isHidden = change === 'hides the email';
    const changes = isHidden ? ({ public_email_kind: 'none' } as const) : { email: newEmail };
    await updateArtist(database, artist.id, changes);
    await STEPS.move(scenario);
    await deliverAll();
    site.senderEmail = 'other@linework.test';
    expect((await readPage()).calendar_organizer?.email).toBe(artist.email);
    await STEPS.cancel(scenario);
    if (end === 'is deleted')
      await database.deleteFrom('appointments').where('id', '=', id).execute();
    await deliverAll();
    const entriesTo = (...addresses: string[]) =>
      addresses.flatMap(mailsTo).flatMap((mail) => readMailedEntry(mail) ?? []);
    for (const [entries, organizer] of [
      [entriesTo(email), artist.email],
      [entriesTo(artist.email, newEmail), SITE.senderEmail],
    ] as const) {
      expect(entries.at(-1)?.method).toBe('CANCEL');
      for (const entry of entries) expect(entry.organizer).toBe(`mailto:${organizer}`);
    }
  },
);

test('a mail that the mail server may have accepted goes first, and newer ones wait for it', async () => {
  const scenario = await setUp();
  const { context, smtp, email, deliverAll, listQueued, subjectsTo, mailsTo, eachMail } = scenario;
  await STEPS.book(scenario);
  // The mail server accepts the mail, and its answer is lost.
  eachMail(async () => smtp.dropConnections());
  const [booked] = await listQueued();
  await expect(deliverMail(context, booked?.id ?? '', NOW)).rejects.toThrow();
  eachMail(async () => {});
  await STEPS.move(scenario);
  await STEPS.cancel(scenario);
  await deliverAll(NOW, (list) => list.toReversed());
  // A repeated mail has the same Message-ID, so that mail programs show it once.
  expect(subjectsTo(email)).toEqual(['Booked', 'Booked', 'Cancelled']);
  expect(new Set(mailsTo(email).map(({ messageId }) => messageId)).size).toBe(2);
  expect(addToCalendar(mailsTo(email))).toEqual(new Map());
  expect(
    mailsTo(email)
      .map((mail) => readMailedEntry(mail)?.method)
      .at(-1),
  ).toBe('CANCEL');
});

test('while a mail is being sent, another process sends no newer one; afterwards its job is enqueued', async () => {
  const scenario = await setUp();
  const { context, jobs, email, listQueued, subjectsTo, eachMail } = scenario;
  const received = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await STEPS.book(scenario);
  const [booked] = await listQueued();
  eachMail(() => {
    received.resolve();
    return answered.promise;
  });
  const sending = deliverMail(context, booked?.id ?? '', NOW);
  await received.promise;
  await STEPS.cancel(scenario);
  const cancelled = (await listQueued()).find(({ notice }) => notice.kind === 'cancelled');
  const otherProcess = { ...context, mailDeliveries: new Map() };
  const tryNewer = () => deliverMail(otherProcess, cancelled?.id ?? '', NOW);
  // Its job ends, and uses up no attempts.
  await tryNewer();
  expect(subjectsTo(email)).toEqual([]);
  // Another job of the same mail leaves it to the first.
  await deliverMail(otherProcess, booked?.id ?? '', NOW, crypto.randomUUID());
  jobs.length = 0;
  answered.resolve();
  await sending;
  expect(jobs).toMatchObject([{ kind: 'mail', id: cancelled?.id }]);
  await tryNewer();
  expect(subjectsTo(email)).toEqual(['Booked', 'Cancelled']);
});

test('when a mail loses its claim or is given up, the newer ones that waited for it are enqueued', async () => {
  const scenario = await setUp();
  const { context, smtp, jobs, listQueued, eachMail } = scenario;
  await STEPS.book(scenario);
  const [booked] = await listQueued();
  const findCancelled = async () =>
    (await listQueued()).find(({ notice }) => notice.kind === 'cancelled');
  // The mail server accepts the mail, and its answer is lost.
  eachMail(async () => smtp.dropConnections());
  await expect(deliverMail(context, booked?.id ?? '', NOW)).rejects.toThrow();
  await STEPS.cancel(scenario);
  const cancelled = await findCancelled();
  jobs.length = 0;
  await deliverMail(context, cancelled?.id ?? '', NOW);
  expect(jobs).toEqual([]);
  // The next attempt does not reach the mail server, so the mail did not arrive by it.
  await smtp.stop();
  await expect(deliverMail(context, booked?.id ?? '', NOW)).rejects.toThrow();
  expect(jobs).toMatchObject([{ kind: 'mail', id: cancelled?.id }]);
  jobs.length = 0;
  await failMail(context, booked?.id ?? '');
  expect(jobs).toMatchObject([{ kind: 'mail', id: cancelled?.id }]);
});

test('two processes that deliver the mails of one appointment at once send them in order, each once', async () => {
  const scenario = await setUp();
  const { context, email, artist, listQueued, subjectsTo } = scenario;
  const processes = [context, { ...context, mailDeliveries: new Map() }];
  for (const step of ['book', 'move', 'cancel'] as const) {
    await STEPS[step](scenario);
    for (let round = 0; round < 3; round += 1) {
      const queued = await listQueued();
      await Promise.allSettled(
        processes.flatMap((one) =>
          queued.map(({ id }) => deliverMail(one, id, NOW, `${one === context}`)),
        ),
      );
    }
  }
  expect(subjectsTo(email)).toEqual(['Booked', 'Moved', 'Cancelled']);
  expect(subjectsTo(artist.email)).toEqual(['New booking', 'Moved', 'Cancelled']);
});

test('mails of several threads whose jobs run at once go out in the order of their threads, each once', async () => {
  const scenario = await setUp();
  const { context, smtp, email, artist, listQueued, subjectsTo } = scenario;
  await STEPS.book(scenario);
  const deliverTogether = async () =>
    Promise.allSettled(
      (await listQueued()).flatMap(({ id }) => [
        deliverMail(context, id, NOW),
        // Another job for the same mail.
        deliverMail(context, id, NOW, 'another'),
      ]),
    );
  await deliverTogether();
  await STEPS.move(scenario);
  await STEPS.cancel(scenario);
  // Two mails of each thread: the newer one replaces the older one.
  await deliverTogether();
  expect(subjectsTo(email)).toEqual(['Booked', 'Cancelled']);
  expect(subjectsTo(artist.email)).toEqual(['New booking', 'Cancelled']);
  expect([await listQueued(), smtp.mails.length]).toEqual([[], 4]);
});

test('a mail whose facts break its statement fails alone, though it shares a transaction: the others go out once', async () => {
  const scenario = await setUp();
  const { context, database, email, artist, listQueued, subjectsTo, deliverAll } = scenario;
  await STEPS.book(scenario);
  const queued = await listQueued();
  const broken = queued.find(({ notice }) => notice.kind === 'new_booking');
  const setNotice = async (notice: unknown) => {
    const changing = database.updateTable('mails').set({ notice: JSON.stringify(notice) });
    await changing.where('id', '=', broken?.id ?? '').execute();
  };
  await setNotice({ kind: 'new_booking', appointment: { id: 'no id' } });
  const results = await Promise.allSettled(queued.map(({ id }) => deliverMail(context, id, NOW)));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect([subjectsTo(email), subjectsTo(artist.email)]).toEqual([['Booked'], []]);
  await setNotice(broken?.notice);
  await deliverAll();
  expect([subjectsTo(email), subjectsTo(artist.email)]).toEqual([['Booked'], ['New booking']]);
});

test('a mail that is refused for ever does not block newer ones', async () => {
  const scenario = await setUp();
  const { smtp, email, deliverAll, subjectsTo, mailsTo } = scenario;
  smtp.refuse(email, '550 No such user');
  await STEPS.book(scenario);
  await deliverAll();
  smtp.refuse(email, null);
  await STEPS.cancel(scenario);
  await deliverAll();
  expect(subjectsTo(email)).toEqual(['Cancelled']);
  expect(mailsTo(email).map(readMailedEntry)).toEqual([null]);
});

test('mail that waited for a budget is merged into a newer one, never overtaken', async () => {
  const scenario = await setUp();
  const { database, email, listQueued, deliverAll, subjectsTo } = scenario;
  await STEPS.book(scenario);
  const [booked] = await listQueued();
  await database
    .updateTable('mails')
    .set({ waits_until: new Date(NOW + HOUR_MS), waits_for: 'mailbox', mailbox: email })
    .where('id', '=', booked?.id ?? '')
    .execute();
  await STEPS.move(scenario);
  await deliverAll();
  expect(subjectsTo(email)).toEqual(['Booked']);
  expect(await findMail(database, booked?.id ?? '')).toMatchObject({ status: 'dropped' });
});

test('a reminder follows a booking that was not mailed yet, and is dropped by a newer cancellation', async () => {
  const scenario = await setUp();
  const { context, loadRow, email, deliverAll, subjectsTo } = scenario;
  const remind = async (hours: number) => {
    const appointment = toAppointmentSnapshot(await loadRow(), { wasBooked: true });
    const notices = [{ kind: 'reminder', appointment, hours } as const];
    await inTransaction(context.database, (transaction) =>
      notify({ ...context, database: transaction }, { notices }),
    );
  };
  await STEPS.book(scenario);
  await remind(24);
  await deliverAll(NOW, (list) => list.toReversed());
  expect(subjectsTo(email)).toEqual(['Booked', 'Reminder']);
  await remind(2);
  await STEPS.cancel(scenario);
  await deliverAll();
  expect(subjectsTo(email)).toEqual(['Booked', 'Reminder', 'Cancelled']);
});

/** A hold of now, whose client may still confirm it. */
async function setUpHold() {
  const now = Date.now();
  const scenario = await setUp({}, { status: 'held', expiresAt: now + 30 * MINUTE_MS });
  await scenario.change({ waitsUntil: now + 2 * MINUTE_MS }, 'hold');
  return { ...scenario, now };
}

test('a client who confirms within two minutes gets one mail: booked', async () => {
  const scenario = await setUpHold();
  const { context, now, email, deliverAll, subjectsTo, listQueued } = scenario;
  await deliverAll(now);
  expect(subjectsTo(email)).toEqual([]);
  await STEPS.book(scenario);
  await deliverAll(now + MINUTE_MS);
  await runTasks(context, 'minute', now + 3 * MINUTE_MS);
  await deliverAll(now + 3 * MINUTE_MS);
  expect(subjectsTo(email)).toEqual(['Booked']);
  expect(await listQueued()).toEqual([]);
});

test('a client who does not confirm gets the mail of the hold after two minutes', async () => {
  const scenario = await setUpHold();
  const { context, jobs, now, email, deliverAll, subjectsTo, listQueued } = scenario;
  await deliverAll(now);
  const [hold] = await listQueued();
  jobs.length = 0;
  await runTasks(context, 'minute', now + MINUTE_MS);
  expect(jobs).not.toContainEqual({ kind: 'mail', id: hold?.id });
  await runTasks(context, 'minute', now + 2.5 * MINUTE_MS);
  expect(jobs).toContainEqual({ kind: 'mail', id: hold?.id });
  // Our clock may be behind the database's, by which the minutely tasks run.
  await deliverAll(now + MINUTE_MS);
  expect(subjectsTo(email)).toEqual(['Please confirm']);
});

test('a cancellation after a move that was not mailed names the time that the recipients know', async () => {
  const scenario = await setUp();
  const { artist, email, change, deliverAll, mailsTo, subjectsTo } = scenario;
  await STEPS.book(scenario);
  await deliverAll();
  await STEPS.move(scenario);
  await change({ status: 'cancelled', by: 'artist' }, 'cancelled', 'client_cancelled');
  await deliverAll();
  expect(subjectsTo(email)).toEqual(['Booked', 'Cancelled']);
  for (const address of [email, artist.email])
    expect(mailsTo(address).at(-1)?.subject).toContain('8:00 AM');
  expect(mailsTo(email).at(-1)?.text).not.toContain('9:00 AM - ');
});

/** A change of the studio that can be undone for half a minute. */
const UNDOABLE = {
  kind: 'studio',
  undoUntil: NOW + 30_000,
  before: { ...NEW_YORK, address_two: null },
  studioKnown: { ...NEW_YORK, address_two: null },
  moved: [],
  mailIds: [],
  replacedMailIds: [],
} as const;

test('while a change of the studio can be undone, mails wait, also merged ones, and are sent once after it', async () => {
  const { context, artist, database, change, deliverAll, subjectsTo, email } = await setUp();
  await replaceStudioChange(database, artist.id, UNDOABLE);
  await change({ status: 'confirmed' }, 'booked');
  await deliverAll();
  await change({ start: B }, 'moved');
  await deliverAll();
  expect(subjectsTo(email)).toEqual([]);
  await runTasks(context, 'minute', NOW + 31_000);
  // The clock of this server is behind.
  await deliverAll(NOW + 20_000);
  expect(subjectsTo(email)).toEqual(['Booked']);
});

test('a change of the studio that is undone makes no mail wait', async () => {
  const { artist, database, change, deliverAll, subjectsTo, email } = await setUp();
  await replaceStudioChange(database, artist.id, UNDOABLE);
  await markStudioChangeUndone(database, artist.id, NOW);
  await change({ status: 'confirmed' }, 'booked');
  await deliverAll();
  expect(subjectsTo(email)).toEqual(['Booked']);
});

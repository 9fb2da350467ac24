import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import AppointmentsIsland from '#islands/studio/appointments/AppointmentsIsland.tsx';
import { createSentMail } from '#support/browser_mail_log.ts';
import { APPOINTMENT_ID, type ApiCall } from '#support/fake_api.ts';
import { createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { listWrites, openStudioPage, press, resetStudioPage } from '#support/fake_studio_api.ts';

const CONFIRMATION_TITLE = 'Booking confirmation to Rosa';
const CORRECTED_EMAIL = 'rosa.quint@example.com';
const QUEUED = { status: 'queued', settled_at: null, can_send_again: false } as const;

let appointment: Appointment;
/** Newest first. */
let mails: OutgoingMail[];
let calls: ApiCall[];

beforeEach(() => {
  appointment = createAppointment({});
  mails = [];
});
afterEach(() => resetStudioPage());

function createMail(parts: Partial<OutgoingMail>): OutgoingMail {
  return createSentMail(APPOINTMENT_ID, { created_at: new Date().toISOString(), ...parts });
}

/** Opens the page of the appointment and waits for its mail history. */
async function openPage(): Promise<void> {
  calls = openStudioPage(`/studio/appointments?id=${APPOINTMENT_ID}`, {
    'GET mails': () => ({ ...toListed(...mails), sends_mail: true }),
    [`GET appointments/${APPOINTMENT_ID}`]: () => appointment,
    [`PATCH appointments/${APPOINTMENT_ID}`]: () => {
      appointment = { ...appointment, status: 'cancelled', confirmed: false };
      const earlierMails = mails.map((mail) => ({ ...mail, can_send_again: false }));
      mails = [createMail({ kind: 'cancelled' }), ...earlierMails];
      return appointment;
    },
    'POST mails/failed/send-again': ({ body }) => {
      mails = [createMail({ address: String(body['email']), ...QUEUED }), ...mails];
      return mails[0] ?? {};
    },
  });
  render(<AppointmentsIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Mail' });
  await waitFor(() => expect(screen.queryByText('Loading mail…')).toBeNull());
}

const listedMails = () =>
  within(screen.getByRole('list', { name: 'Mail' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

async function pressInDialog(name: string): Promise<void> {
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
}

test('each mail shows its recipient, its status and the reason of a failure', async () => {
  mails = [
    createMail({ status: 'failed', failure: 'The mail server refused it: 550 No such user.' }),
    createMail({ kind: 'reminder', hours_ahead: 24, can_send_again: false }),
    createMail({ kind: 'reminder', hours_ahead: 72, can_send_again: false }),
    createMail({ kind: 'new_booking', recipient: 'artist', can_send_again: false }),
  ];
  await openPage();
  expect(listedMails()).toEqual([
    expect.stringMatching(
      `${CONFIRMATION_TITLE}.*rosa@example.com.*Not delivered, .*550 No such user`,
    ),
    expect.stringMatching(/Reminder to Rosa, 24 hours ahead.*Sent /),
    expect.stringContaining('Reminder to Rosa, 3 days ahead'),
    expect.stringContaining('New booking to you'),
  ]);
  const resendButtons = screen.getAllByRole('button', { name: /^Send again: / });
  expect(resendButtons.map((button) => button.getAttribute('aria-label'))).toEqual([
    `Send again: ${CONFIRMATION_TITLE}`,
  ]);
});

test('a failed mail is sent again to a corrected address, and its status is polled until sent', async () => {
  mails = [createMail({ id: 'failed', status: 'failed', failure: '550 No such user' })];
  await openPage();
  await press(`Send again: ${CONFIRMATION_TITLE}`);
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect(email.value).toBe('rosa@example.com');
  await userEvent.clear(email);
  await userEvent.type(email, CORRECTED_EMAIL);
  await pressInDialog('Send again');
  await waitFor(() => expect(toastTexts()[0]).toContain(`It goes to ${CORRECTED_EMAIL}`));
  expect(listWrites(calls).map(({ body }) => body)).toEqual([{ email: CORRECTED_EMAIL }]);
  await waitFor(() => expect(listedMails()[0]).toMatch(/rosa\.quint@.*On its way since/));

  mails = mails.map((mail) => ({ ...mail, status: 'sent' }));
  // The page polls while a mail is queued.
  await waitFor(() => expect(listedMails()[0]).toMatch(/Sent /), { timeout: 10_000 });
});

test('the mail about a change appears in the history after the artist makes the change', async () => {
  mails = [createMail({})];
  await openPage();
  expect(listedMails()).toEqual([expect.stringMatching(`${CONFIRMATION_TITLE}.*Sent`)]);
  await press('Cancel appointment');
  await pressInDialog('Cancel appointment');
  await waitFor(() => expect(toastTexts()[0]).toContain('Rosa is told by email.'));
  await waitFor(() =>
    expect(listedMails()).toEqual([
      expect.stringMatching(/Cancellation to Rosa.*Sent/),
      expect.stringMatching(`${CONFIRMATION_TITLE}.*Sent`),
    ]),
  );
  // A booking confirmation is no longer true.
  expect(screen.queryByRole('button', { name: `Send again: ${CONFIRMATION_TITLE}` })).toBeNull();
  screen.getByRole('button', { name: 'Send again: Cancellation to Rosa' });
});

test('a mail that is not sent, or not yet, says why, or until when', async () => {
  const waits_until = '2026-12-02T02:40:00Z';
  mails = [
    createMail({ kind: 'moved', status: 'dropped' }),
    createMail({ kind: 'moved' }),
    createMail({ status: 'dropped' }),
    createMail({ status: 'saved' }),
    createMail({ ...QUEUED, waits_until, waits_for: 'mailbox' }),
    createMail({ ...QUEUED, waits_until, waits_for: 'artist' }),
    createMail({ ...QUEUED, waits_until, waits_for: null }),
    createMail({ status: 'dropped', failure: 'This person stopped mail to this address.' }),
  ];
  await openPage();
  const [undone, , merged, saved, ofMailbox, ofArtist, undoable, stopped] = listedMails();
  expect(ofMailbox).toMatch(/Waits until .*9:40 PM: this address has had its mails for now\./);
  expect(ofArtist).toMatch(/Waits until .*9:40 PM: many mails have gone out for you today\./);
  expect(undoable).toMatch(/Goes out after .*9:40 PM/);
  expect(stopped).toContain('This person stopped mail to this address.');
  expect(undone).toContain('Not sent, because it was no longer true.');
  expect(merged).toContain('Not sent, because a newer mail says what is true now.');
  expect(saved).toMatch(/Saved, not sent, .*: this server has no mail server yet\./);
});

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import AppointmentsIsland from '#islands/studio/appointments/AppointmentsIsland.tsx';
import { startSession } from '#stores/session.ts';
import { $dialog } from '#stores/studio/dialog.ts';
import { $toasts } from '#stores/toasts.ts';
import { createSentMail } from '#support/browser_mail_log.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';

const BOOKED = 'Booking confirmation to Rosa';
const RIGHT = 'rosa.quint@example.com';

let appointment: Appointment;
/** The newest first. */
let mails: OutgoingMail[];
let calls: ApiCall[];
let appointments = 0;

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  // One of its own for each test: what was read of another is not shown.
  appointments += 1;
  appointment = createAppointment({
    id: `00000000-0000-4000-8000-${String(appointments).padStart(12, '0')}`,
    start: '2126-12-03T15:00:00Z',
    end: '2126-12-03T15:59:00Z',
  });
  mails = [];
  calls = stubApi(answer);
});

afterEach(() => {
  cleanup();
  $dialog.set(null);
  $toasts.set([]);
  history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function answer({ method, path, body }: ApiCall): Response | object {
  if (path === 'users/me') return ANA_SELF;
  if (path === 'mails/') return toListed(...mails);
  if (path.endsWith('/send-again')) {
    const again = mailOf({ address: String(body['email'] ?? RIGHT), ...ON_ITS_WAY });
    mails = [again, ...mails];
    return Response.json(again, { status: 201 });
  }
  if (path !== `appointments/${appointment.id}`) return toListed(appointment);
  if (method === 'PATCH') {
    appointment = { ...appointment, status: 'cancelled', confirmed: false };
    const outdated = mails.map((mail) => ({ ...mail, can_send_again: false }));
    mails = [mailOf({ kind: 'cancelled' }), ...outdated];
  }
  return appointment;
}

const ON_ITS_WAY = { status: 'queued', settled_at: null, can_send_again: false } as const;

function mailOf(parts: Partial<OutgoingMail>): OutgoingMail {
  return createSentMail(appointment.id, { created_at: new Date().toISOString(), ...parts });
}

/** The appointment with what was sent about it. */
async function open(): Promise<void> {
  history.replaceState(null, '', `/studio/appointments?id=${appointment.id}`);
  // As Back and Forward tell it.
  dispatchEvent(new PopStateEvent('popstate'));
  startSession(crypto.randomUUID());
  render(<AppointmentsIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Mail' });
  await waitFor(() => expect(screen.queryByText('Loading mail…')).toBeNull());
}

const trail = () =>
  within(screen.getByRole('list', { name: 'Mail' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function pressInDialog(name: string): Promise<void> {
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
}

test('each mail says whom it went to and what became of it, with why', async () => {
  mails = [
    mailOf({ status: 'failed', failure: 'The mail server refused it: 550 No such user.' }),
    mailOf({ kind: 'hold', can_send_again: false }),
  ];
  await open();
  expect(trail()).toEqual([
    expect.stringMatching(`${BOOKED}.*rosa@example.com.*Not delivered, .*550 No such user`),
    expect.stringMatching(/ to Rosa.*Sent /),
  ]);
  const again = screen.getAllByRole('button', { name: /^Send again: / });
  expect(again.map((one) => one.getAttribute('aria-label'))).toEqual([`Send again: ${BOOKED}`]);
});

test('a mail is sent again to the right address, and is in the trail until it has gone out', async () => {
  mails = [mailOf({ status: 'failed', failure: '550 No such user' })];
  await open();
  await press(`Send again: ${BOOKED}`);
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  expect(email.value).toBe('rosa@example.com');
  await userEvent.clear(email);
  await userEvent.type(email, RIGHT);
  await pressInDialog('Send again');
  await waitFor(() => expect(toastTexts()[0]).toContain(`It goes to ${RIGHT}`));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ email: RIGHT });
  await waitFor(() => expect(trail()[0]).toMatch(/rosa\.quint@.*On its way since/));

  mails = mails.map((mail) => ({ ...mail, status: 'sent' }));
  // Looked for by itself within seconds.
  await waitFor(() => expect(trail()[0]).toMatch(/Sent /), { timeout: 10_000 });
});

test('the mail about a change is in the trail once the artist has made the change', async () => {
  mails = [mailOf({})];
  await open();
  expect(trail()).toEqual([expect.stringMatching(`${BOOKED}.*Sent`)]);
  await press('Cancel appointment');
  await pressInDialog('Cancel appointment');
  await waitFor(() => expect(toastTexts()[0]).toContain('Rosa is told by email.'));
  await waitFor(() =>
    expect(trail()).toEqual([
      expect.stringMatching(/Cancellation to Rosa.*Sent/),
      expect.stringMatching(`${BOOKED}.*Sent`),
    ]),
  );
  // It says what is no longer so.
  expect(screen.queryByRole('button', { name: `Send again: ${BOOKED}` })).toBeNull();
  screen.getByRole('button', { name: 'Send again: Cancellation to Rosa' });
});

test('a client without an email address is not written to, and the trail says so', async () => {
  appointment = { ...appointment, client: { ...appointment.client, email: null } };
  await open();
  screen.getByText('Nothing is sent: there is no email address to write to.');
});

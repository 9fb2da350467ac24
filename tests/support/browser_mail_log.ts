import type { Page } from '@playwright/test';
import type { OutgoingMail } from '#contract/mail.ts';

const HOUR_MS = 60 * 60_000;

/** A mail about an appointment as the API returns it: sent, unless `parts` overrides that. */
export function createSentMail(appointmentId: string, parts: Partial<OutgoingMail>): OutgoingMail {
  const created_at = new Date(Date.now() - 30 * HOUR_MS).toISOString();
  return {
    id: crypto.randomUUID(),
    appointment_id: appointmentId,
    kind: 'booked',
    hours_ahead: null,
    recipient: 'client',
    address: 'rosa@example.com',
    status: 'sent',
    failure: null,
    waits_until: null,
    waits_for: null,
    can_send_again: true,
    created_at,
    settled_at: created_at,
    ...parts,
  };
}

/** One mail in each state. */
export function mailsInEveryState(appointmentId: string): readonly OutgoingMail[] {
  const mail = (parts: Partial<OutgoingMail>) => createSentMail(appointmentId, parts);
  return [
    mail({
      status: 'queued',
      settled_at: null,
      can_send_again: false,
      kind: 'moved',
      failure: 'The mail server did not answer.',
    }),
    mail({ kind: 'reminder', hours_ahead: 24, status: 'dropped', can_send_again: false }),
    mail({ kind: 'reminder', hours_ahead: 72 }),
    mail({
      status: 'failed',
      failure: 'The mail server refused it: 550 No such user.',
      address: 'roza-with-an-address-as-long-as-they-may-come@a-very-long-domain.example.com',
    }),
    mail({ kind: 'new_booking', recipient: 'artist', address: 'ines@example.com' }),
    mail({ kind: 'hold', can_send_again: false }),
    mail({ kind: 'moved', status: 'saved' }),
  ];
}

/** Makes the API list exactly these mails. */
export async function mockMails(page: Page, mails: readonly OutgoingMail[]): Promise<void> {
  await page.route('**/api/v1/mails/?*', async (route) => {
    const status = new URL(route.request().url()).searchParams.get('status');
    const data = mails.filter((mail) => status === null || mail.status === status);
    await route.fulfill({ json: { data, count: data.length } });
  });
}

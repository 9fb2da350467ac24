import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ClientExport } from '#contract/export.ts';
import { renderClientDocument } from '#islands/studio/clients/ClientDocument.tsx';
import { createSentMail } from '#support/browser_mail_log.ts';
import { zoneWithOffsets } from '#support/fake_api.ts';
import { createAppointment, createClient } from '#support/fake_schedule_api.ts';

const NOON = Date.parse('2026-12-05T17:00:00Z');
const OPTIONS = { artist: 'Ana Reyes', zone: zoneWithOffsets('America/New_York'), now: NOON };
const APPOINTMENT = createAppointment({ size: 'small', customer_notes: '<b>In black</b>' });
const EVENT = {
  appointment_id: APPOINTMENT.id,
  from_status: 'confirmed',
  to_status: 'confirmed',
  from_start: '2026-12-03T15:00:00Z',
  to_start: '2026-12-03T15:00:00Z',
  note: null,
} as const;
const DATA: ClientExport = {
  client: createClient({
    notes: 'Mornings.\nAllergic to latex.',
    other_emails: ['rosa.work@example.com'],
    data_requests: [{ id: 'one', kind: 'copy', asked_at: '2026-12-04T17:00:00Z', done_at: null }],
  }),
  appointments: [APPOINTMENT],
  history: [
    { ...EVENT, at: '2026-11-01T12:00:00Z', by: 'client', what: 'confirmed', from_status: 'held' },
    { ...EVENT, at: '2026-11-02T12:00:00Z', by: 'artist', what: 'email_changed' },
  ],
  messages: [
    {
      id: 'message',
      name: 'Rosa Quint',
      email: 'rosa@example.com',
      message: 'Do you do cover-ups?',
      created_at: '2026-11-02T12:00:00Z',
      read_at: null,
    },
  ],
  mails: [createSentMail(APPOINTMENT.id, { status: 'failed', failure: 'No such mailbox' })],
};

beforeEach(() => {
  document.body.replaceChildren();
});

/** Opens the document as a browser does. */
function open(data: ClientExport): void {
  const parsed = new DOMParser().parseFromString(
    renderClientDocument({ data, ...OPTIONS }),
    'text/html',
  );
  document.body.append(...parsed.body.childNodes);
}

/** The part of the document with this heading. */
function section(title: string) {
  const heading = screen.getByRole('heading', { level: 2, name: title });
  if (heading.parentElement === null) throw new Error(`${title} is in no section`);
  return within(heading.parentElement);
}

test('the document shows what a client gave, and what happened, in words and studio time', () => {
  open(DATA);
  screen.getByText(
    /^All that Ana Reyes keeps about Rosa Quint, made on Saturday, December 5, 2026/,
  );
  const details = section('Details');
  details.getByText(/rosa@example\.com\s+rosa\.work@example\.com/);
  details.getByText(/Mornings\.\s+Allergic to latex\./);
  details.getByText('Asked for a copy');
  const visits = section('Appointments and requests');
  visits.getByText('Thursday, December 3, 2026, 10:00 AM - 11:00 AM');
  visits.getByText('Small (less than 3 inches)');
  visits.getByText(
    /^Sun, Nov 1, 2026, 7:00 AM: Rosa Quint confirmed Thu, Dec 3, 2026, 10:00 AM\s+Mon, Nov 2, 2026, 7:00 AM: Ana Reyes changed the email$/,
  );
  section('Messages').getByText(/Do you do cover-ups\?/);
  section('Mails').getByText(
    /^Booking confirmation to Rosa Quint\s+rosa@example\.com, not delivered$/,
  );
});

test('texts of clients are no HTML in the document, which also holds the data as JSON', () => {
  open(DATA);
  screen.getByText('<b>In black</b>');
  expect(document.querySelector('b')).toBeNull();
  expect(JSON.parse(document.querySelector('pre')?.textContent ?? '')).toEqual(DATA);
});

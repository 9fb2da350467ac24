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

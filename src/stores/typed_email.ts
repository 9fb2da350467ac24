// The emails that the client typed for an appointment, in full, in the tab's session storage: the API sends
// only hints, because anyone with the id reads the page. Each email is kept for one state of the appointment,
// so that it is not shown in place of a later email with the same hint.
import type { Confirmation } from '#contract/appointment.ts';
import { sessionItems } from './browser_storage.ts';

/** Saves the email with which an appointment was booked or requested. */
export function saveRequestedEmail({ id }: Pick<Confirmation, 'id'>, email: string): void {
  saveEmail(storageKey(id, 0), email);
}

/** Saves a changed email. It is in effect now, or it waits for its mailed link if the present one is proven. */
export function saveChangedEmail(after: Confirmation, email: string): void {
  const { id, email_proven, new_email_asked_at: askedAt } = after;
  const isWaiting = email_proven && askedAt !== null;
  saveEmail(storageKey(id, isWaiting ? askedAt : countChanges(after)), email);
}

/** Saves only the email of a text such as `Rosa <rosa@example.com>`. `toEmail` is too large for the client's page. */
function saveEmail(key: string, typed: string): void {
  sessionItems.setText(key, /[^<\s:]+@[^>\s?,;]+/.exec(typed)?.[0] ?? typed);
}

/** The email of an appointment in full, if it was typed in this tab and is still the same; null otherwise. */
export function readTypedEmail(confirmation: Confirmation): string | null {
  return sessionItems.getText(storageKey(confirmation.id, countChanges(confirmation)));
}

/** The appointment with full emails in place of hints, where they were typed in this tab and are still the same. */
export function withTypedEmails(confirmation: Confirmation): Confirmation {
  const { id, email_hint, new_email_hint, new_email_asked_at } = confirmation;
  const typed = (hint: string | null, state: number | string | null) =>
    hint && (sessionItems.getText(storageKey(id, state)) ?? hint);
  return {
    ...confirmation,
    email_hint: typed(email_hint, countChanges(confirmation)),
    new_email_hint: typed(new_email_hint, new_email_asked_at),
  };
}

function countChanges({ history }: Confirmation): number {
  return history.filter(({ what }) => what === 'email_changed').length;
}

/** @param state the number of changes of the email, or when the one that waits was asked for */
function storageKey(id: string, state: number | string | null): string {
  return `linework:email:${id}:${state}`;
}

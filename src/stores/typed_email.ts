// The email that the client typed for an appointment, whole, in the tab's session storage: the API shows
// it only in short, because anyone with the id reads the page.
import type { Confirmation } from '#contract/appointment.ts';
import { getSessionJson, setSessionJson } from './browser_storage.ts';
import { toRecord, toText } from './stored_values.ts';

/** Saves the email that an appointment has now. */
export function saveTypedEmail(confirmation: Confirmation, email: string): void {
  setSessionJson(storageKey(confirmation), { email, changes: countChanges(confirmation) });
}

/** With the whole email in place of the short one, if it was typed here and is still the same. */
export function withTypedEmail(confirmation: Confirmation): Confirmation {
  const { email, changes } = toRecord(getSessionJson(storageKey(confirmation)));
  const isSame = changes === countChanges(confirmation);
  return isSame ? { ...confirmation, email_hint: toText(email) } : confirmation;
}

function countChanges({ history }: Confirmation): number {
  return history.filter(({ what }) => what === 'email_changed').length;
}

function storageKey({ id }: Confirmation): string {
  return `linework:email:${id}`;
}

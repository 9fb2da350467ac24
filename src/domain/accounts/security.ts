/** Rules that keep an account with its owner. */
import { DAY_MS } from '../time/time.ts';

/** Events that concern the safety of an account; each is stored for its artist. */
export const SECURITY_EVENT_KINDS = [
  'login',
  // A login from a browser from which the account had not logged in before.
  'new_browser_login',
  'session_ended',
  'other_sessions_ended',
  'password_changed',
  // The artist has chosen a new password by the link of a mail.
  'password_reset',
  'email_change_requested',
  'email_changed',
  'email_change_undone',
  // The artist's page shows another email than the account's.
  'public_email_changed',
  'passkey_added',
  'passkey_removed',
  // The artist has asked for a copy of all their data.
  'export_started',
  'account_deleted',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** Events by which an owner gets the account back, with the link of a mail. Others may have had it until then. */
export const RECOVERIES = [
  'password_reset',
  'email_change_undone',
] as const satisfies readonly SecurityEventKind[];

/** A session ends when it was not used for this long. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** How long the owner of the old email can undo a change of the email. */
export const EMAIL_UNDO_MS = 7 * DAY_MS;

/** For `EMAIL_UNDO_MS` after one of these, an account cannot be deleted: its owner may want it back. */
export const DELETION_BLOCKERS = [
  'password_reset',
  'email_changed',
] as const satisfies readonly SecurityEventKind[];

/** Actions of superusers on the accounts and mails of others; each is recorded. */
export const ADMIN_ACTION_KINDS = [
  'account_created',
  'account_changed',
  'account_deactivated',
  'account_reactivated',
  'account_deleted',
  'recovery_link_created',
  'mail_sent_again',
] as const;
export type AdminActionKind = (typeof ADMIN_ACTION_KINDS)[number];

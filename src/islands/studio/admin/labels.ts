import type { AdminAction } from '#contract/admin.ts';
import { MAIL_KINDS } from '#domain/mail/mail.ts';
import { MAIL_LABELS } from '../mails/labels.ts';

/** The text of an action, such as 'Deactivated ana'. */
export function formatAction({ kind, artist, detail }: AdminAction): string {
  const account = artist ?? 'a deleted account';
  switch (kind) {
    case 'account_created':
      return `Created the account of ${account}`;
    case 'account_changed':
      return `Changed the account of ${account}: ${detail}`;
    case 'account_deactivated':
      return `Deactivated ${account}`;
    case 'account_reactivated':
      return `Activated ${account} again`;
    case 'account_deleted':
      return 'Deleted an account';
    case 'recovery_link_created':
      return `Made a recovery link for ${account}`;
    case 'mail_sent_again':
      return `Sent a mail of ${account} again: ${formatStoredKind(detail)}`;
  }
}

/** Another version of the program may have stored a kind of mail that this version does not know. */
function formatStoredKind(storedKind: string | null): string {
  const kind = MAIL_KINDS.find((known) => known === storedKind);
  return kind ? MAIL_LABELS[kind] : (storedKind ?? 'unknown');
}

const QUEUE_NAMES: Readonly<Record<string, string>> = {
  mail: 'Mail',
  password_recovery: 'Recovery mails',
  links: 'Mails with links',
  payment: 'Payment events',
  leaver: 'Cancelling subscriptions',
  purge: 'Purging CDNs',
  encode_avif: 'Encoding pictures',
  export: 'Exports',
  minute: 'Minutely tasks',
  day: 'Daily tasks',
  backup: 'Nightly backup',
  erasure_log: 'Log of erasures',
};
const DEAD_LETTER_SUFFIX = /_given_up$/;

/** Whether a queue holds the jobs of another one whose attempts have all failed. */
export function isDeadLetterQueue(queue: string): boolean {
  return DEAD_LETTER_SUFFIX.test(queue);
}

/** Such as 'Mail', or 'Mail, given up' for the queue of jobs whose attempts have all failed. */
export function formatQueueName(queue: string): string {
  const storedName = queue.replace(DEAD_LETTER_SUFFIX, '');
  const name = QUEUE_NAMES[storedName] ?? storedName;
  return isDeadLetterQueue(queue) ? `${name}, given up` : name;
}

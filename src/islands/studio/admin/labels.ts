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

/** Other versions of the program may have recorded a kind that this one does not know. */
function formatStoredKind(detail: string | null): string {
  const kind = MAIL_KINDS.find((name) => name === detail);
  return kind ? MAIL_LABELS[kind] : (detail ?? 'unknown');
}

/** The queues of jobs, by the names that are stored. */
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
const DEAD_LETTER = /_given_up$/;

/** Whether a queue holds the jobs of another one whose attempts have all failed. */
export function isDeadLetterQueue(queue: string): boolean {
  return DEAD_LETTER.test(queue);
}

/** Such as 'Mail', or 'Mail, given up' for the queue of jobs whose attempts have all failed. */
export function queueName(queue: string): string {
  const name = queue.replace(DEAD_LETTER, '');
  const shown = QUEUE_NAMES[name] ?? name;
  return isDeadLetterQueue(queue) ? `${shown}, given up` : shown;
}

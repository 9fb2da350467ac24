import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { formatShortDateAndTime } from '#domain/format_time.ts';
import { wasUntrue } from '#domain/mail.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { openDialog } from '#stores/studio/dialog.ts';
import { clientShortName } from '../appointments/labels.ts';
import { LinkButton } from '../buttons.tsx';
import { Icon, type IconName } from '../Icon.tsx';
import { formatMailTitle } from './labels.ts';

interface MailRowProps {
  mail: OutgoingMail;
  /** Whether a newer mail to the same person was not dropped. */
  isReplaced: boolean;
  client: Appointment['client'];
  zone: StudioZone;
}

const STATUS_STYLES: Record<OutgoingMail['status'], { icon: IconName; color: string }> = {
  queued: { icon: 'hours', color: 'text-muted' },
  sent: { icon: 'check', color: 'text-success' },
  saved: { icon: 'alert', color: 'text-danger' },
  failed: { icon: 'alert', color: 'text-danger' },
  dropped: { icon: 'blocked', color: 'text-muted' },
};

/** A mail with its delivery status, and a button to send it again. */
export function MailRow({ mail, isReplaced, client, zone }: MailRowProps) {
  const { icon, color } = STATUS_STYLES[mail.status];
  const title = formatMailTitle(mail, clientShortName(client));
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-3 first:pt-0 last:pb-0">
      <span className={`pt-0.5 ${color}`}>
        <Icon name={icon} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-muted">{mail.address}</p>
        <p className={`text-sm ${color}`}>{formatMailStatus(mail, isReplaced, zone)}</p>
        {mail.can_send_again && (
          <LinkButton
            label="Send again"
            aria-label={`Send again: ${title}`}
            onClick={() => openDialog(`send-again ${mail.id}`)}
          />
        )}
      </div>
    </li>
  );
}

function formatMailStatus(mail: OutgoingMail, isReplaced: boolean, zone: StudioZone): string {
  const { status, failure } = mail;
  const instant = mail.settled_at ?? mail.created_at;
  const at = formatShortDateAndTime(instant, zone);
  switch (status) {
    case 'sent':
      return `Sent ${at}`;
    case 'saved':
      return `Saved, not sent, ${at}: this server has no mail server yet.`;
    case 'failed':
      return `Not delivered, ${at}. ${failure ?? ''}`.trim();
    case 'dropped':
      if (!wasUntrue(mail)) return `Not sent, ${at}. ${failure}`;
      return isReplaced
        ? 'Not sent, because a newer mail says what is true now.'
        : 'Not sent, because it was no longer true.';
    case 'queued':
      if (mail.waits_until !== null) return formatWait(mail.waits_until, mail.waits_for, zone);
      return failure === null
        ? `On its way since ${at}`
        : `Waiting since ${at}, and tried again. ${failure}`;
  }
}

function formatWait(until: string, budget: OutgoingMail['waits_for'], zone: StudioZone): string {
  const time = formatShortDateAndTime(until, zone);
  // No budget is used up: a change of the studio can still be undone, or the client may confirm.
  if (budget === null) return `Goes out after ${time}`;
  const at = `Waits until ${time}`;
  return budget === 'artist'
    ? `${at}: many mails have gone out for you today.`
    : `${at}: this address has had its mails for now.`;
}

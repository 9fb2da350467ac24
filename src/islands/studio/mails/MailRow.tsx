import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { formatShortDay, formatTime } from '#domain/format_time.ts';
import { clientShortName } from '../appointments/labels.ts';
import { Icon, type IconName } from '../Icon.tsx';
import { formatMailTitle } from './labels.ts';

interface MailRowProps {
  mail: OutgoingMail;
  client: Appointment['client'];
  zone: string;
  onSendAgain: () => void;
}

const STATUS_STYLES: Record<OutgoingMail['status'], { icon: IconName; look: string }> = {
  queued: { icon: 'hours', look: 'text-muted' },
  sent: { icon: 'check', look: 'text-success' },
  failed: { icon: 'alert', look: 'text-danger' },
  dropped: { icon: 'blocked', look: 'text-muted' },
};

/** A mail, what became of it, and the way to send it again. */
export function MailRow({ mail, client, zone, onSendAgain }: MailRowProps) {
  const { icon, look } = STATUS_STYLES[mail.status];
  const title = formatMailTitle(mail, clientShortName(client));
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-3 first:pt-0 last:pb-0">
      <span className={`pt-0.5 ${look}`}>
        <Icon name={icon} />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-muted">{mail.address}</p>
        <p className={`text-sm ${look}`}>{formatMailStatus(mail, zone)}</p>
        {mail.can_send_again && (
          <button
            type="button"
            aria-label={`Send again: ${title}`}
            className="link inline-flex min-h-11 cursor-pointer items-center"
            onClick={onSendAgain}
          >
            Send again
          </button>
        )}
      </div>
    </li>
  );
}

function formatMailStatus(
  { status, failure, created_at, settled_at }: OutgoingMail,
  zone: string,
): string {
  const when = settled_at ?? created_at;
  const at = `${formatShortDay(when, zone)}, ${formatTime(when, zone)}`;
  switch (status) {
    case 'sent':
      return `Sent ${at}`;
    case 'failed':
      return `Not delivered, ${at}. ${failure ?? ''}`.trim();
    case 'dropped':
      return `Not sent: out of date by ${at}`;
    case 'queued':
      return failure === null
        ? `On its way since ${at}`
        : `Waiting since ${at}, and tried again. ${failure}`;
  }
}

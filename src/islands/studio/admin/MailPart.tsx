import { useStore } from '@nanostores/react';
import type { FailedMail } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $resentMailIds, failedMails, resend } from '#stores/studio/admin.ts';
import { $serverState } from '#stores/studio/server_state.ts';
import { ActionButton } from '../buttons.tsx';
import { MAIL_LABELS } from '../mails/labels.ts';
import { AdminListView } from './AdminListView.tsx';

export function MailPart({ me }: { me: CurrentArtist }) {
  const { data: server } = useStore($serverState);
  return (
    <>
      {server?.sends_mail === false && (
        <p role="status" className="border-l-4 border-danger pl-4 font-semibold">
          No mail leaves this server: it is saved, not sent. Set SMTP_URL.
        </p>
      )}
      <AdminListView
        list={failedMails}
        noun="failed mail"
        empty={{
          title: 'No mail has failed',
          text: 'A mail that a mail server refuses is listed here with its reason, and also one that is being tried again.',
        }}
      >
        {(mail) => <MailRow mail={mail} zone={me.studio} />}
      </AdminListView>
    </>
  );
}

function MailRow({ mail, zone }: { mail: FailedMail; zone: StudioZone }) {
  const wasResent = useStore($resentMailIds).has(mail.id);
  const title = `${MAIL_LABELS[mail.kind]} to ${mail.address}`;
  const recipient = mail.recipient === 'client' ? 'A client of' : 'The artist';
  // `settled_at` is null while the mail is tried again.
  const time = formatShortDateAndTime(mail.settled_at ?? mail.created_at, zone);

  return (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0 wrap-anywhere">
        <h3 className="font-sans font-semibold">{title}</h3>
        <p className="text-sm text-muted">{`${recipient} ${mail.artist.username} · ${time}`}</p>
        <p className="text-danger">{mail.failure}</p>
        <p className="text-sm text-muted">{formatNextStep(mail, wasResent)}</p>
      </div>
      {mail.can_send_again && (
        <div>
          <ActionButton
            label="Send again"
            aria-label={`Send again: ${title}`}
            onAct={() => resend(mail)}
          />
        </div>
      )}
    </div>
  );
}

function formatNextStep({ status, can_send_again }: FailedMail, wasResent: boolean): string {
  if (status === 'queued') return 'It is tried again by itself for two days.';
  if (can_send_again) return 'It is not tried again by itself.';
  return wasResent
    ? 'Queued again. If that fails too, the new mail is listed here.'
    : 'It is no longer true, or a newer mail says the same: there is nothing to send again.';
}

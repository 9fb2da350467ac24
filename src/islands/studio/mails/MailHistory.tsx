import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import { Email } from '#contract/common.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { wasUntrue } from '#domain/mail/mail.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import { MINUTE_MS } from '#domain/time/time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $dialog, openDialog } from '#stores/studio/dialog.ts';
import { $appointmentMails, sendMailAgain } from '#stores/studio/mails.ts';
import { TextField } from '../../forms/fields.tsx';
import { clientShortName } from '../appointments/labels.ts';
import { LinkButton } from '../buttons.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { Icon, type IconName } from '../Icon.tsx';
import { QueryView } from '../LoadableView.tsx';
import { formatMailTitle } from './labels.ts';

/** The mails about the open appointment: to whom each went, whether it arrived, and a button to send it again. */
export function MailHistory({ appointment, zone }: { appointment: Appointment; zone: StudioZone }) {
  const mails = useStore($appointmentMails);
  const dialog = useStore($dialog);
  useMailPolling(mails.data?.data);
  const { client } = appointment;
  const mailToResend = mails.data?.data.find(({ id }) => dialog === `send-again ${id}`);
  return (
    <section aria-labelledby="mail" className="grid gap-3 border-t border-line pt-5">
      <h3 id="mail" className="text-lg">
        Mail
      </h3>
      <QueryView query={$appointmentMails} label="mail">
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">
              {client.email === null
                ? 'Nothing is sent: there is no email address to write to.'
                : 'Nothing has been sent about it yet.'}
            </p>
          ) : (
            <ul aria-labelledby="mail" className="divide-y divide-line">
              {data.map((mail, index) => (
                <MailRow
                  key={mail.id}
                  mail={mail}
                  isReplaced={isReplacedBy(data.slice(0, index), mail)}
                  client={client}
                  zone={zone}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {mailToResend && <SendAgainDialog mail={mailToResend} client={client} />}
    </section>
  );
}

/** Whether any of these mails, newer than `mail`, goes to the same side and was not dropped. */
function isReplacedBy(newerMails: readonly OutgoingMail[], mail: OutgoingMail): boolean {
  return newerMails.some(
    (newer) => newer.recipient === mail.recipient && newer.status !== 'dropped',
  );
}

// A mail is new for a minute and usually sent within seconds; a failed attempt is repeated over hours.
const FRESH_POLL_MS = 2000;
const POLL_MS = 30_000;

/** Loads the mails again, repeatedly, while one of them waits to be sent. */
function useMailPolling(mails: readonly OutgoingMail[] | undefined): void {
  useEffect(() => {
    const queued = mails?.filter((mail) => mail.status === 'queued') ?? [];
    if (queued.length === 0) return;
    const isFresh = queued.some((mail) => Date.parse(mail.created_at) > serverNow() - MINUTE_MS);
    const timer = setTimeout($appointmentMails.revalidate, isFresh ? FRESH_POLL_MS : POLL_MS);
    return () => clearTimeout(timer);
  }, [mails]);
}

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

function MailRow({ mail, isReplaced, client, zone }: MailRowProps) {
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
  const at = formatShortDateAndTime(mail.settled_at ?? mail.created_at, zone);
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

const SendAgainSchema = z.object({ email: Email });

/** Sends a mail again. The address of a client can be corrected first. */
function SendAgainDialog({ mail, client }: Pick<MailRowProps, 'mail' | 'client'>) {
  const isForClient = mail.recipient === 'client';
  // The client's address may have been changed or removed since the mail was sent.
  const currentAddress = isForClient ? client.email : mail.address;
  return (
    <FormDialog
      title="Send this mail again?"
      schema={SendAgainSchema}
      defaultValues={{ email: currentAddress ?? mail.address }}
      draftName={`send-again-${mail.id}`}
      saveLabel="Send again"
      onSave={({ email }) => sendMailAgain(mail, email === currentAddress ? undefined : email)}
    >
      <p className="mb-3">
        <strong>{formatMailTitle(mail, clientShortName(client))}</strong>
        <span>, with the time and place as they are now.</span>
      </p>
      {mail.status === 'failed' && mail.failure !== null && (
        <p className="mb-3 border-l-4 border-danger pl-3 wrap-anywhere">{mail.failure}</p>
      )}
      {isForClient ? (
        <TextField
          name="email"
          label="Email"
          hint="Correct it if it is wrong: later mail goes there, too."
          type="email"
          autoComplete="off"
          required
        />
      ) : (
        <p className="mb-3">It goes to your own address.</p>
      )}
    </FormDialog>
  );
}

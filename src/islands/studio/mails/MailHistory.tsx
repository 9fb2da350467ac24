import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { $dialog } from '#stores/studio/dialog.ts';
import { $appointmentMails } from '#stores/studio/mails.ts';
import { QueryView } from '../LoadableView.tsx';
import { MailRow } from './MailRow.tsx';
import { SendAgainDialog } from './SendAgainDialog.tsx';

/** The mails about an appointment: addressee and delivery status of each. */
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
              {data.map((mail, nth) => (
                <MailRow
                  key={mail.id}
                  mail={mail}
                  isReplaced={hasMailTo(mail.recipient, data.slice(0, nth))}
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

/** Whether one of these mails to the client, or to the artist, is sent, or will be. */
function hasMailTo(recipient: OutgoingMail['recipient'], mails: readonly OutgoingMail[]): boolean {
  return mails.some((mail) => mail.recipient === recipient && mail.status !== 'dropped');
}

// A new mail is sent within seconds; a failed attempt is repeated over hours.
const FRESH_POLL_MS = 2000;
const POLL_MS = 30_000;

function useMailPolling(mails: readonly OutgoingMail[] | undefined): void {
  useEffect(() => {
    const queued = mails?.filter((mail) => mail.status === 'queued') ?? [];
    if (queued.length === 0) return;
    const isFresh = queued.some((mail) => Date.parse(mail.created_at) > serverNow() - MINUTE_MS);
    const timer = setTimeout($appointmentMails.revalidate, isFresh ? FRESH_POLL_MS : POLL_MS);
    return () => clearTimeout(timer);
  }, [mails]);
}

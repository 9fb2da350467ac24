import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { $dialog, closeDialog, openDialog } from '#stores/studio/dialog.ts';
import { $appointmentMails, reloadMails } from '#stores/studio/mails.ts';
import { LoadableView } from '../LoadableView.tsx';
import { MailRow } from './MailRow.tsx';
import { SendAgainDialog } from './SendAgainDialog.tsx';

interface MailHistoryProps {
  appointment: Appointment;
  zone: string;
}

/** What was sent about an appointment, to whom, and whether it went out. */
export function MailHistory({ appointment, zone }: MailHistoryProps) {
  const mails = useStore($appointmentMails);
  const opened = useStore($dialog);
  useMailPolling(mails.data?.data);
  const asked = mails.data?.data.find(({ id }) => opened === `send-again ${id}`);
  return (
    <section aria-labelledby="mail" className="grid gap-3 border-t border-line pt-5">
      <h3 id="mail" className="text-lg">
        Mail
      </h3>
      <LoadableView value={mails} label="mail" onRetry={reloadMails}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">{formatNoMail(appointment)}</p>
          ) : (
            <ul aria-labelledby="mail" className="divide-y divide-line">
              {data.map((mail) => (
                <MailRow
                  key={mail.id}
                  mail={mail}
                  client={appointment.client}
                  zone={zone}
                  onSendAgain={() => openDialog(`send-again ${mail.id}`)}
                />
              ))}
            </ul>
          )
        }
      </LoadableView>
      {asked && <SendAgainDialog mail={asked} client={appointment.client} onClose={closeDialog} />}
    </section>
  );
}

function formatNoMail({ client: { email } }: Appointment): string {
  return email === null
    ? 'Nothing is sent: there is no email address to write to.'
    : 'Nothing has been sent about it yet.';
}

/** What has just been queued goes out within seconds; what failed is tried again for hours. */
const FRESH_POLL_MS = 2000;
const POLL_MS = 30_000;

function useMailPolling(mails: readonly OutgoingMail[] | undefined): void {
  useEffect(() => {
    const queued = mails?.filter((mail) => mail.status === 'queued') ?? [];
    if (queued.length === 0) return;
    const isFresh = queued.some((mail) => Date.parse(mail.created_at) > Date.now() - MINUTE_MS);
    const timer = setTimeout(reloadMails, isFresh ? FRESH_POLL_MS : POLL_MS);
    return () => clearTimeout(timer);
  }, [mails]);
}

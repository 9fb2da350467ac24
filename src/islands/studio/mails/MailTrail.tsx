import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { $mails, lookForMail } from '#stores/studio/mails.ts';
import { $opened, close, open } from '#stores/studio/opened.ts';
import { Reading } from '../Reading.tsx';
import { MailRow } from './MailRow.tsx';
import { SendAgainDialog } from './SendAgainDialog.tsx';

interface MailTrailProps {
  appointment: Appointment;
  zone: string;
}

/** What was sent about an appointment, to whom, and whether it went out. */
export function MailTrail({ appointment, zone }: MailTrailProps) {
  const mails = useStore($mails);
  const opened = useStore($opened);
  useNews(mails.data?.data);
  const asked = mails.data?.data.find(({ id }) => opened === `send-again ${id}`);
  return (
    <section aria-labelledby="mail" className="grid gap-3 border-t border-line pt-5">
      <h3 id="mail" className="text-lg">
        Mail
      </h3>
      <Reading value={mails} what="mail" onRetry={lookForMail}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">{nothing(appointment)}</p>
          ) : (
            <ul aria-labelledby="mail" className="divide-y divide-line">
              {data.map((mail) => (
                <MailRow
                  key={mail.id}
                  mail={mail}
                  client={appointment.client}
                  zone={zone}
                  onSendAgain={() => open(`send-again ${mail.id}`)}
                />
              ))}
            </ul>
          )
        }
      </Reading>
      {asked && <SendAgainDialog mail={asked} client={appointment.client} onClose={close} />}
    </section>
  );
}

function nothing({ client: { email } }: Appointment): string {
  return email === null
    ? 'Nothing is sent: there is no email address to write to.'
    : 'Nothing has been sent about it yet.';
}

/** What has just been queued goes out within seconds; what failed is tried again for hours. */
const SOON = 2000;
const LATER = 30_000;

function useNews(mails: readonly OutgoingMail[] | undefined): void {
  useEffect(() => {
    const queued = mails?.filter((mail) => mail.status === 'queued') ?? [];
    if (queued.length === 0) return;
    const isFresh = queued.some((mail) => Date.parse(mail.created_at) > Date.now() - MINUTE_MS);
    const timer = setTimeout(lookForMail, isFresh ? SOON : LATER);
    return () => clearTimeout(timer);
  }, [mails]);
}

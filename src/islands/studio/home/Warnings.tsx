import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { pluralize } from '#domain/time/duration.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { $mailTrouble, $unreachedClients } from '#stores/studio/mails.ts';
import { $serverState } from '#stores/studio/server_state.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { TextLink } from '../buttons.tsx';
import { Card } from '../Card.tsx';
import { QueryView } from '../LoadableView.tsx';
import { Notice } from '../Notice.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** Lists the failed mails to clients about upcoming appointments; nothing without any. */
export function ClientMailFailures({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$unreachedClients} label="failed mail" room="line">
      {(unreached) =>
        unreached.length > 0 && (
          <Card id="unreached" title="Mail that did not arrive" isWarning>
            <p className="text-muted">These clients may not know how their appointment stands.</p>
            <ul className="grid">
              {unreached.map(({ mail, appointment }) => (
                <AppointmentLink
                  key={mail.id}
                  href={`/studio/appointments?id=${appointment.id}`}
                  name={appointmentClientName(appointment.client)}
                  text={formatAppointmentTime(appointment, me.studio) ?? formatSubject(appointment)}
                  note={mail.address}
                />
              ))}
            </ul>
          </Card>
        )
      }
    </QueryView>
  );
}

/** Warns that mail to the artist does not arrive; not about a mail to a former address. */
export function OwnMailFailure({ me }: { me: CurrentArtist }) {
  const { data } = useStore($mailTrouble);
  if (data?.failedOwnMail?.address !== me.email) return null;
  return (
    <Notice>
      <span>
        {`Mail to you at ${me.email} does not arrive: you may hear of bookings only here. `}
      </span>
      <a className="link whitespace-nowrap" href="/studio/profile">
        Change your address
      </a>
    </Notice>
  );
}

/** Warns that no mail is sent, because the server has no mail server, or that mail is late. */
export function MailDeliveryWarning({ me }: { me: CurrentArtist }) {
  const { data } = useStore($mailTrouble);
  if (!data) return null;
  if (!data.sendsMail)
    return (
      <Notice>
        Mail is saved, not sent: this server has no mail server yet. Clients hear nothing by email.
      </Notice>
    );
  if (!data.late) return null;
  const { count, since, areAll } = data.late;
  const mails = count === 1 ? 'A mail' : `${areAll ? '' : 'At least '}${count} mails`;
  const written = count === 1 ? 'written' : 'the oldest written';
  const time = formatShortDayAndTime(since, me.studio);
  return (
    <Notice>
      {`${mails} could not be delivered yet, ${written} ${time}. We keep trying; until then the recipient may not know.`}
    </Notice>
  );
}

/** Shows a superuser the recent troubles of the server; nothing without any. */
export function ServerTroubles() {
  const counts = useStore($serverState).data?.troubles;
  if (!counts) return null;
  const { new_failed_mails, retried_mails, failed_jobs, new_errors } = counts;
  const are = retried_mails === 1 ? 'is' : 'are';
  const were = failed_jobs === 1 ? 'was' : 'were';
  const troubles = [
    { part: 'mail', noun: 'mail', count: new_failed_mails, news: 'failed in 24 hours' },
    { part: 'mail', noun: 'mail', count: retried_mails, news: `${are} tried again now` },
    { part: 'jobs', noun: 'job', count: failed_jobs, news: `${were} given up in the last hour` },
    { part: 'errors', noun: 'error', count: new_errors, news: 'in 24 hours' },
  ].filter(({ count }) => count > 0);
  if (troubles.length === 0) return null;
  return (
    <Card id="server-troubles" title="This server needs attention" isWarning>
      <p className="text-muted">For all artists:</p>
      <ul className="flex flex-wrap gap-x-6">
        {troubles.map(({ part, noun, count, news }) => (
          <li key={news}>
            <TextLink label={`${pluralize(count, noun)} ${news}`} href={`/studio/admin#${part}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

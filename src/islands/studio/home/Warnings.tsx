import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatShortDayAndTime } from '#domain/format_time.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { $mailTrouble, $unreachedClients } from '#stores/studio/mails.ts';
import { $serverState } from '#stores/studio/server_state.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { TextLink } from '../buttons.tsx';
import { Icon } from '../Icon.tsx';
import { QueryView } from '../LoadableView.tsx';
import { AppointmentLink } from './AppointmentLink.tsx';

/** Lists the failed mails to clients about upcoming appointments; renders nothing without any. */
export function ClientMailFailures({ me }: { me: CurrentArtist }) {
  return (
    <QueryView query={$unreachedClients} label="failed mail" room="line">
      {(unreached) =>
        unreached.length > 0 && (
          <section
            aria-labelledby="unreached"
            className="card grid gap-3 border-l-4 border-l-danger p-5"
          >
            <h2 id="unreached" className="flex items-center gap-2 text-xl">
              <Icon name="alert" className="size-6 text-danger" />
              <span>Mail that did not arrive</span>
            </h2>
            <p className="text-muted">These clients may not know how their appointment stands.</p>
            <ul className="grid">
              {unreached.map(({ mail, appointment }) => (
                <AppointmentLink
                  key={mail.id}
                  href={`/studio/appointments?id=${appointment.id}`}
                  name={appointmentClientName(appointment.client)}
                >
                  <span className="block">
                    {formatAppointmentTime(appointment, me.studio) ?? formatSubject(appointment)}
                  </span>
                  <span className="block text-sm text-muted">{mail.address}</span>
                </AppointmentLink>
              ))}
            </ul>
          </section>
        )
      }
    </QueryView>
  );
}

/** Warns that mail to the artist's current address does not arrive. */
export function OwnMailFailure({ me }: { me: CurrentArtist }) {
  const { data } = useStore($mailTrouble);
  if (data?.failedOwnMail?.address !== me.email) return null;
  return (
    <Warning>
      <span>
        {`Mail to you at ${me.email} does not arrive: you may hear of bookings only here. `}
      </span>
      <a className="link whitespace-nowrap" href="/studio/profile">
        Change your address
      </a>
    </Warning>
  );
}

/** Warns that no mail is sent, because the server has no mail server, or that mail is late. */
export function MailDeliveryWarning({ me }: { me: CurrentArtist }) {
  const { data } = useStore($mailTrouble);
  if (!data) return null;
  if (!data.sendsMail)
    return (
      <Warning>
        Mail is saved, not sent: this server has no mail server yet. Clients hear nothing by email.
      </Warning>
    );
  if (!data.late) return null;
  const { count, since, areAll } = data.late;
  const mails = count === 1 ? 'A mail' : `${areAll ? '' : 'At least '}${count} mails`;
  const time = formatShortDayAndTime(since, me.studio);
  return (
    <Warning>
      {`${mails} could not be delivered yet${count === 1 ? ', written' : ', the oldest written'} ${time}. We keep trying; until then the recipient may not know.`}
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="card flex items-start gap-3 border-l-4 border-l-danger p-4">
      <Icon name="alert" className="mt-0.5 size-5 text-danger" />
      <span className="wrap-anywhere">{children}</span>
    </p>
  );
}

/** Tells a superuser what went wrong on the server of late; nothing when all went well. */
export function ServerTroubles() {
  const server = useStore($serverState).data?.troubles;
  if (!server) return null;
  const troubles = [
    {
      part: 'mail',
      count: server.new_failed_mails,
      one: 'mail failed in 24 hours',
      many: 'mails failed in 24 hours',
    },
    {
      part: 'mail',
      count: server.retried_mails,
      one: 'mail is tried again now',
      many: 'mails are tried again now',
    },
    {
      part: 'jobs',
      count: server.failed_jobs,
      one: 'job was given up in the last hour',
      many: 'jobs were given up in the last hour',
    },
    {
      part: 'errors',
      count: server.new_errors,
      one: 'error in 24 hours',
      many: 'errors in 24 hours',
    },
  ].filter(({ count }) => count > 0);
  if (troubles.length === 0) return null;
  return (
    <section
      aria-labelledby="server-troubles"
      className="card grid gap-1 border-l-4 border-l-danger p-5"
    >
      <h2 id="server-troubles" className="flex items-center gap-2 text-xl">
        <Icon name="alert" className="size-6 text-danger" />
        <span>This server needs attention</span>
      </h2>
      <p className="text-muted">For all artists:</p>
      <ul className="flex flex-wrap gap-x-6">
        {troubles.map(({ part, count, one, many }) => (
          <li key={one}>
            <TextLink
              label={`${count} ${count === 1 ? one : many}`}
              href={`/studio/admin#${part}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

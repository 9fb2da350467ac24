import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $unreachedClients, type UnreachedClient as One } from '#stores/studio/mails.ts';
import { clientName, formatAppointmentTime, formatSubject } from '../appointments/labels.ts';
import { Icon } from '../Icon.tsx';

/** Clients whom mail about what is ahead did not reach; nothing while all is well. */
export function ClientMailFailures({ me }: { me: CurrentArtist }) {
  const { data = [] } = useStore($unreachedClients);
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="unreached" className="card grid gap-3 border-l-4 border-l-danger p-5">
      <h2 id="unreached" className="flex items-center gap-2 text-xl">
        <Icon name="alert" className="size-6 text-danger" />
        Mail that did not arrive
      </h2>
      <p className="text-muted">These clients may not know how their appointment stands.</p>
      <ul className="grid">
        {data.map((one) => (
          <MailFailureRow key={one.mail.id} {...one} zone={me.studio.time_zone} />
        ))}
      </ul>
    </section>
  );
}

function MailFailureRow({ appointment, mail, zone }: One & { zone: string }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <a
        href={`/studio/appointments?id=${appointment.id}`}
        className="-mx-2 block min-h-11 rounded-md px-2 py-2.5 wrap-anywhere hover:bg-paper"
      >
        <span className="font-semibold underline decoration-main decoration-2 underline-offset-4">
          {clientName(appointment.client)}
        </span>
        <span className="block">
          {formatAppointmentTime(appointment, zone) ?? formatSubject(appointment)}
        </span>
        <span className="block text-sm text-muted">{mail.address}</span>
      </a>
    </li>
  );
}

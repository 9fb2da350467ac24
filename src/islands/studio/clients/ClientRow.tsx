import type { ClientRecord } from '#contract/client.ts';
import { formatShortDay, formatTime } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { clientUrl } from '#stores/studio/clients.ts';
import { clientName } from '../appointments/labels.ts';
import { Icon } from '../Icon.tsx';

/** The columns of the list on a wide screen. */
export const COLUMN_CLASSES =
  'xl:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_6rem_9rem_9rem] xl:gap-x-6';

/** A client in the list; a click anywhere on the row opens their page. */
export function ClientRow({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const { id, email, phone_number, pronouns, appointment_count } = client;
  const name = clientName(client);
  return (
    <li
      className={`relative grid items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-paper sm:px-5 ${COLUMN_CLASSES}`}
    >
      <h2 className="min-w-0 font-sans text-lg font-semibold wrap-anywhere">
        <a href={clientUrl(id)} className="after:absolute after:inset-0">
          {name}
        </a>
        {pronouns && <span className="ml-2 text-sm font-normal text-muted">{pronouns}</span>}
      </h2>
      <p className="grid min-w-0 text-muted">
        {email && email !== name && <span className="truncate">{email}</span>}
        {phone_number && <span>{phone_number}</span>}
        {client.email_failed_at !== null && (
          <span className="flex items-center gap-1.5 text-sm font-semibold text-danger">
            <Icon name="alert" className="size-4" />
            <span>Mail does not arrive</span>
          </span>
        )}
      </p>
      <p className="text-muted">
        <span>{appointment_count}</span>
        <span className="xl:sr-only">{appointment_count === 1 ? ' booking' : ' bookings'}</span>
      </p>
      <AppointmentDate label="Last" start={client.last_appointment} zone={zone} />
      <AppointmentDate label="Next" start={client.next_appointment} zone={zone} />
    </li>
  );
}

interface AppointmentDateProps {
  label: string;
  start: string | null;
  zone: StudioZone;
}

function AppointmentDate({ label, start, zone }: AppointmentDateProps) {
  // Hidden on a narrow screen, which has no column to fill.
  if (start === null)
    return (
      <span aria-hidden="true" className="text-muted max-xl:hidden">
        –
      </span>
    );
  return (
    <p>
      <span className="text-muted xl:sr-only">{`${label}: `}</span>
      <span>{formatShortDay(start, zone)}</span>
      <span className="text-muted">{`, ${formatTime(start, zone)}`}</span>
    </p>
  );
}

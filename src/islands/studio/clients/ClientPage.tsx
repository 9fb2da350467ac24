import { useStore } from '@nanostores/react';
import { ApiError } from '#client/call.ts';
import type { ClientRecord } from '#contract/client.ts';
import { mailtoHref } from '#domain/mail/email.ts';
import { formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $client, clientUrl } from '#stores/studio/clients.ts';
import { clientName } from '../appointments/labels.ts';
import { ButtonLink } from '../buttons.tsx';
import { EmptyState } from '../EmptyState.tsx';
import { LoadableView } from '../LoadableView.tsx';
import { Notice } from '../Notice.tsx';
import { ClientAppointments } from './ClientAppointments.tsx';
import { ClientDataSection, LastMerge } from './ClientDataSection.tsx';
import { ClientDetailsForm, NotesForm } from './ClientForms.tsx';
import { DataRequests } from './DataRequests.tsx';

export function ClientPage({ zone }: { zone: StudioZone }) {
  const client = useStore($client);
  return (
    <>
      <p className="-mt-2">
        <a href={clientUrl(null)} className="link inline-flex min-h-11 items-center">
          <span aria-hidden="true">←&nbsp;</span>
          <span>All clients</span>
        </a>
      </p>
      {client.data === undefined && isNotFound(client.error) ? (
        <EmptyState title="There is no such client">
          <p>The address may be mistyped, or their details have gone with another account.</p>
        </EmptyState>
      ) : (
        <LoadableView value={client} label="client" onRetry={$client.revalidate}>
          {(loaded) => <ClientDetail client={loaded} zone={zone} />}
        </LoadableView>
      )}
    </>
  );
}

/** The API answers 422 to a mistyped id, 404 to one that no client has. */
function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

function ClientDetail({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  if (client.erased_at !== null)
    return (
      <>
        <h2 className="text-2xl">Erased client</h2>
        <p className="text-muted">
          {`You erased their personal data on ${formatShortDay(client.erased_at, zone)}. The times and states of their appointments stay.`}
        </p>
        <ClientAppointments zone={zone} />
      </>
    );
  const { email, phone_number, pronouns, created_at, email_failed_at } = client;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-2xl wrap-anywhere">{clientName(client)}</h2>
          <p className="mt-1 text-muted">
            {`${pronouns ? `${pronouns} · ` : ''}Client since ${formatShortDay(created_at, zone)}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          {email && <ButtonLink label="Email" labelEnd={` ${email}`} href={mailtoHref(email)} />}
          {phone_number && (
            <>
              <ButtonLink label="Call" labelEnd={` ${phone_number}`} href={`tel:${phone_number}`} />
              <ButtonLink label="Text" labelEnd={` ${phone_number}`} href={`sms:${phone_number}`} />
            </>
          )}
        </div>
      </div>
      {email !== null && email_failed_at !== null && (
        <Notice>
          <span>
            {`Mail to ${email} has not arrived since ${formatShortDay(email_failed_at, zone)}. Ask them for the right address and `}
          </span>
          <a className="link" href="#details">
            change it in their details
          </a>
          <span>.</span>
        </Notice>
      )}
      <LastMerge client={client} zone={zone} />
      <DataRequests client={client} zone={zone} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <NotesForm client={client} />
          <ClientAppointments zone={zone} />
        </div>
        <div className="grid gap-6">
          <ClientDetailsForm client={client} />
          <ClientDataSection client={client} zone={zone} />
        </div>
      </div>
    </>
  );
}

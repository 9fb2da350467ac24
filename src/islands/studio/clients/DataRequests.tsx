import { useEffect, useRef } from 'react';
import type { ClientRecord } from '#contract/client.ts';
import type { DataRequest } from '#contract/data_request.ts';
import { formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { DATA_REQUEST_LABELS, finishDataRequest } from '#stores/studio/data_rights.ts';
import { clientName } from '../appointments/labels.ts';
import { ButtonLink } from '../buttons.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { Icon } from '../Icon.tsx';
import { ClientExportButton } from './ClientDataSection.tsx';

/** The client's requests about their data, with advice; renders nothing while there is none. */
export function DataRequests({ client, zone }: { client: ClientRecord; zone: StudioZone }) {
  const hasFinished = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data_requests: requests } = client;
  useEffect(() => {
    // The request disappears with the pressed button; the browser then focuses the body.
    if (hasFinished.current && document.activeElement === document.body) heading.current?.focus();
  }, [requests]);
  if (requests.length === 0) return null;
  const openRequests = requests.filter(({ done_at }) => done_at === null);
  const doneRequests = requests.filter(({ done_at }) => done_at !== null);
  return (
    <section
      id="data-requests"
      aria-labelledby="data-requests-title"
      className={`card grid gap-4 p-5 ${openRequests.length > 0 ? 'border-l-4 border-l-main' : ''}`}
    >
      <h2
        ref={heading}
        id="data-requests-title"
        tabIndex={-1}
        className="flex items-center gap-2 text-xl"
      >
        {openRequests.length > 0 && <Icon name="alert" className="size-6" />}
        <span>Requests about their data</span>
      </h2>
      {openRequests.map((request) => (
        <OpenRequest
          key={request.id}
          client={client}
          request={request}
          zone={zone}
          onDone={() => {
            hasFinished.current = true;
          }}
        />
      ))}
      {doneRequests.length > 0 && (
        <ul aria-label="Done" className="grid gap-1 text-sm text-muted">
          {doneRequests.map(({ id, kind, asked_at, done_at }) => (
            <li key={id}>
              {`${DATA_REQUEST_LABELS[kind]}: asked on ${formatShortDay(asked_at, zone)}${done_at === null ? '' : `, done on ${formatShortDay(done_at, zone)}`}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface OpenRequestProps {
  client: ClientRecord;
  request: DataRequest;
  zone: StudioZone;
  /** Called when the artist marks the request as done, before that is saved. */
  onDone: () => void;
}

function OpenRequest({ client, request, zone, onDone }: OpenRequestProps) {
  const isCopy = request.kind === 'copy';
  const howToCheck = client.email === null ? '' : `: write to ${client.email}`;
  const firstAdvice = `Make sure first that it is really them who asked${howToCheck}.`;
  return (
    <div className="grid gap-2">
      <h3 className="font-sans text-lg font-semibold">
        {`${DATA_REQUEST_LABELS[request.kind]}, asked on ${formatShortDay(request.asked_at, zone)}`}
      </h3>
      <p className="text-muted wrap-anywhere">
        {isCopy
          ? `${firstAdvice} Then download their data, with your notes, send it to them, and mark it as done.`
          : `${firstAdvice} You decide. Cancel an appointment ahead, erase their data, or tell them why you keep something. Then mark it as done.`}
      </p>
      <div className="flex flex-wrap gap-3">
        {isCopy ? (
          <ClientExportButton client={client} />
        ) : (
          <ButtonLink label="To “Erase this client”" href="#data" />
        )}
        <ConfirmButton
          label="Done"
          aria-label={`Done: ${DATA_REQUEST_LABELS[request.kind]}`}
          title="Mark this as done?"
          confirmLabel="Mark as done"
          cancelLabel="Not yet"
          onConfirm={() => {
            onDone();
            return finishDataRequest(client.id, request.id);
          }}
        >
          <p className="wrap-anywhere">
            {isCopy
              ? `${clientName(client)} sees it on the page of their appointment. This cannot be undone.`
              : `This erases nothing. ${clientName(client)} sees on the page of their appointment that you have answered, and not erased their data. It cannot be undone.`}
          </p>
        </ConfirmButton>
      </div>
    </div>
  );
}

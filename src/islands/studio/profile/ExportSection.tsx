import type { CurrentArtist } from '#contract/artist.ts';
import type { Export } from '#contract/export.ts';
import { formatFileSize } from '#domain/clients/export.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import {
  $exports,
  exportEverything,
  isUnfinished,
  removeExport,
} from '#stores/studio/data_rights.ts';
import { ActionButton, ButtonLink } from '../buttons.tsx';
import { ListRow } from '../ListRow.tsx';
import { QueryView } from '../LoadableView.tsx';

/** Makes a copy of all data of the artist, and offers it for download. */
export function ExportSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        A copy of everything that is yours: clients and your notes, appointments, messages, mails,
        services, designs, portfolio and settings. It is a ZIP file with tables for a spreadsheet,
        the same as JSON, and your pictures. A file in it says what is what.
      </p>
      <QueryView query={$exports} label="exports">
        {({ data: exports }) => (
          <div className="grid gap-4">
            <NewestExport newest={exports[0]} />
            <ul className="grid divide-y divide-line empty:hidden">
              {exports.map((entry) => (
                <ReadyExport key={entry.id} entry={entry} zone={me.studio} />
              ))}
            </ul>
          </div>
        )}
      </QueryView>
    </>
  );
}

/** The state of the last export, and the button for the next one. */
function NewestExport({ newest }: { newest: Export | undefined }) {
  const isRunning = newest !== undefined && isUnfinished(newest);
  const hasFailed = newest?.state === 'failed';

  return (
    <>
      <div role="status" className="grid gap-3 empty:hidden">
        {isRunning && (
          <p>Your copy is being made. You can leave this page: we mail you when it is ready.</p>
        )}
        {hasFailed && <p className="text-danger">The last export failed. Nothing was lost.</p>}
      </div>
      {isRunning ? (
        <Progress done={newest.done} total={newest.total} />
      ) : (
        <p>
          <ActionButton
            label={hasFailed ? 'Try again' : 'Export everything'}
            onAct={exportEverything}
          />
        </p>
      )}
    </>
  );
}

/** `total` is 0 until it is counted. */
function Progress({ done, total }: { done: number; total: number }) {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return (
    <div className="flex items-center gap-3">
      <progress
        className="h-2 min-w-0 flex-1 accent-ink"
        aria-label="Progress of the export"
        max={100}
        value={percent}
      />
      <span className="w-12 text-right tabular-nums">{`${percent} %`}</span>
    </div>
  );
}

/** Offers the file of an export; nothing for one without a file. */
function ReadyExport({ entry, zone }: { entry: Export; zone: StudioZone }) {
  const { url, size, expires_at, created_at } = entry;
  if (url === null || size === null || expires_at === null) return null;

  const startedAt = formatShortDayAndTime(created_at, zone);
  return (
    <ListRow
      title={`Ready: copy of ${startedAt}`}
      text={`Until ${formatShortDayAndTime(expires_at, zone)}`}
    >
      <span className="flex flex-wrap gap-3">
        <ButtonLink
          label={`Download (${formatFileSize(size)})`}
          labelEnd={` copy of ${startedAt}`}
          href={url}
        />
        <ActionButton
          label="Delete"
          labelEnd={` copy of ${startedAt}`}
          onAct={() => removeExport(entry)}
        />
      </span>
    </ListRow>
  );
}

import { useStore } from '@nanostores/react';
import { formatMonth } from '#domain/time/format_time.ts';
import type { TimeChoice } from '#stores/time_choice.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Spinner } from '../Spinner.tsx';
import { MonthGrid } from './MonthGrid.tsx';

/** A month in the studio's time zone, and its state below it. */
export function MonthCalendar({ times }: { times: TimeChoice }) {
  const shown = useStore(times.$shownMonth);
  return (
    <div aria-busy={shown.kind === 'loading'}>
      <MonthGrid times={times} />
      <MonthStatus times={times} />
    </div>
  );
}

/** The state of the month, and a button when it is empty or failed to load. */
function MonthStatus({ times }: { times: TimeChoice }) {
  const shown = useStore(times.$shownMonth);
  const search = useStore(times.$monthSearch);
  const isEmpty = shown.kind === 'ready' && shown.days.length === 0;
  const label = formatMonth(useStore(times.$month));
  return (
    <div className="mt-3 min-h-7">
      <div role="status">
        {shown.kind === 'loading' && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner />
            <span>{`Loading ${label}…`}</span>
          </p>
        )}
        {shown.kind === 'ready' && !isEmpty && (
          <p className="sr-only">
            {`${shown.days.length === 1 ? '1 day' : `${shown.days.length} days`} with available times in ${label}.`}
          </p>
        )}
        {isEmpty && <p className="font-semibold">{`No available days in ${label}.`}</p>}
        {isEmpty && search === 'nothing' && (
          <p className="mt-1 text-muted">There are none in the six months after it either.</p>
        )}
        {shown.kind === 'failed' && (
          <p className="text-danger">{`The available days could not be loaded. ${shown.text}`}</p>
        )}
      </div>
      {isEmpty && search !== 'nothing' && (
        <BusyButton
          className="button mt-3"
          busy={search === 'searching'}
          onClick={() => void times.showNextOpenMonth()}
        >
          {search === 'searching' ? 'Looking…' : 'Show the next month with openings'}
        </BusyButton>
      )}
      {shown.kind === 'failed' && (
        <button type="button" className="button mt-3" onClick={times.refresh}>
          Try again
        </button>
      )}
    </div>
  );
}

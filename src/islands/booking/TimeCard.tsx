import { useStore } from '@nanostores/react';
import type { ReactNode, RefObject } from 'react';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { TimeChoice } from '#stores/time_choice.ts';
import { useHydrated } from '../browser.ts';
import { NoticeWithTimes } from '../NoticeWithTimes.tsx';
import { MonthCalendar } from './MonthCalendar.tsx';
import { SlotPanel } from './SlotPanel.tsx';

interface TimeCardProps {
  times: TimeChoice;
  /** The studio's zone as people say it; null on a page that shows it elsewhere. */
  zoneName: string | null;
  /** Points to the text that says why the client must pick a time. */
  noticeRef: RefObject<HTMLParagraphElement | null>;
  headingRef: RefObject<HTMLHeadingElement | null>;
  children?: ReactNode;
}

/** The choice of date and time. Our server renders no times into it: a cached page may be from another day. */
export function TimeCard({ times, zoneName, noticeRef, headingRef, children }: TimeCardProps) {
  const notice = useStore(times.$timeNotice);
  const hydrated = useHydrated();
  return (
    <section aria-label="Date and time" className="card @container p-3 sm:p-6">
      <h2 ref={headingRef} tabIndex={-1} className="px-1 text-2xl sm:px-0">
        Date and Time
      </h2>
      <div className="px-1 sm:px-0">
        <div>{children}</div>
        <NoticeWithTimes
          notice={notice}
          noticeRef={noticeRef}
          className="field-error mt-3"
          zone={times.zone}
          conventions={times.conventions}
          onPick={(slot) => {
            times.chooseInAnyMonth(slot);
            headingRef.current?.focus();
          }}
        />
      </div>
      {hydrated ? (
        <>
          <div className="mt-4 px-1 sm:px-0">
            <SoonestTimes times={times} />
          </div>
          <div className="mt-4 grid grid-cols-1 gap-8 @4xl:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
            <div className="@container max-w-md">
              <MonthCalendar times={times} />
            </div>
            <div className="px-1 sm:px-0">
              <SlotPanel times={times} zoneName={zoneName} />
            </div>
          </div>
        </>
      ) : (
        <p className="loading-text mt-4 min-h-128 px-1 text-muted sm:px-0">Loading the calendar…</p>
      )}
    </section>
  );
}

/**
 * The soonest free times, each chosen at one tap; nothing if there are none. While they load, their
 * place is as high as three of them, so that the calendar below does not move.
 */
function SoonestTimes({ times }: { times: TimeChoice }) {
  const suggestions = useStore(times.$suggestions);
  const choice = useStore(times.$chosenTime);
  const month = useStore(times.$shownMonth);
  const search = useStore(times.$monthSearch);
  const isEmpty = suggestions.length === 0;
  if (isEmpty && month.kind !== 'loading' && search !== 'searching') return null;
  return (
    <div className="min-h-38.5 @2xl:min-h-11.5">
      <ul aria-label="Soonest times" hidden={isEmpty} className="flex flex-wrap gap-2">
        {suggestions.map((slot, index) => {
          const isChosen = choice.kind === 'slot' && choice.start === slot.start;
          const time = formatShortDayAndTime(slot.start, times.zone, times.conventions);
          return (
            <li key={slot.start}>
              <button
                type="button"
                className={`button px-3 tabular-nums ${isChosen ? 'button-main' : ''}`}
                aria-pressed={isChosen}
                onClick={() => times.chooseInAnyMonth(slot)}
              >
                {index === 0 ? `Soonest: ${time}` : time}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

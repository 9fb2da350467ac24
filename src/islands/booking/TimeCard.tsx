import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { Booking } from '#stores/booking.ts';
import { useHydrated } from '../browser.ts';
import { NearestTimes } from '../NearestTimes.tsx';
import { MonthCalendar } from './MonthCalendar.tsx';
import { SlotPanel } from './SlotPanel.tsx';

interface TimeCardProps {
  booking: Booking;
  /** Of the text why the client must pick a time. */
  noticeRef: RefObject<HTMLParagraphElement | null>;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** The choice of date and time. Only browsers render it: a cached page may be from another day. */
export function TimeCard({ booking, noticeRef, headingRef }: TimeCardProps) {
  const notice = useStore(booking.$timeNotice);
  const hydrated = useHydrated();
  return (
    <section aria-label="Date and time" className="card @container p-3 sm:p-6">
      <h2 ref={headingRef} tabIndex={-1} className="px-1 text-2xl sm:px-0">
        Date and Time
      </h2>
      <div role="alert" className="px-1 sm:px-0">
        {notice && (
          <>
            {/* The scroll margin keeps the times below it in view when it is focused. */}
            <p
              ref={noticeRef}
              tabIndex={-1}
              className="field-error mt-3 scroll-mb-48 font-semibold"
            >
              {notice.text}
            </p>
            <NearestTimes
              zone={booking.zone}
              times={notice.nearest}
              onPick={(slot) => {
                booking.chooseNearest(slot);
                headingRef.current?.focus();
              }}
            />
          </>
        )}
      </div>
      {hydrated ? (
        <div className="mt-4 grid gap-8 @4xl:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
          <div className="max-w-md">
            <MonthCalendar booking={booking} />
          </div>
          <div className="px-1 sm:px-0">
            <SlotPanel booking={booking} />
          </div>
        </div>
      ) : (
        <p className="loading-text mt-4 min-h-128 px-1 text-muted sm:px-0">Loading the calendar…</p>
      )}
    </section>
  );
}

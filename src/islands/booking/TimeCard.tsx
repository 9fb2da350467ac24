import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { Booking } from '#stores/booking.ts';
import { useHydrated } from '../browser.ts';
import { NoticeWithTimes } from '../NoticeWithTimes.tsx';
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
      <div className="px-1 sm:px-0">
        <NoticeWithTimes
          notice={notice}
          noticeRef={noticeRef}
          className="field-error mt-3"
          zone={booking.zone}
          onPick={(slot) => {
            booking.chooseNearest(slot);
            headingRef.current?.focus();
          }}
        />
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

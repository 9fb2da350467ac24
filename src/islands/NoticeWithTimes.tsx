import type { RefObject } from 'react';
import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import type { TimeNotice } from '#stores/time_notice.ts';

interface NoticeWithTimesProps {
  notice: TimeNotice | null;
  noticeRef: RefObject<HTMLParagraphElement | null>;
  className: string;
  zone: StudioZone;
  conventions: DateConventions;
  onPick: (slot: Slot) => void;
}

/** Why the client must pick a time, and free times near to one that is taken, as buttons. */
export function NoticeWithTimes(props: NoticeWithTimesProps) {
  const { notice, noticeRef, className, zone, conventions, onPick } = props;
  return (
    <div role="alert" className="empty:hidden">
      {notice && (
        // The scroll margin keeps the times below it in view when it is focused.
        <p ref={noticeRef} tabIndex={-1} className={`scroll-mb-48 font-semibold ${className}`}>
          {notice.text}
        </p>
      )}
      {notice && notice.nearest.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {notice.nearest.map((slot) => (
            <li key={slot.start}>
              <button type="button" className="button tabular-nums" onClick={() => onPick(slot)}>
                {formatShortDayAndTime(slot.start, zone, conventions)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

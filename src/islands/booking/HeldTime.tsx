import { useStore } from '@nanostores/react';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { Booking } from '#stores/booking.ts';

/** Says that the client holds a time, or has not confirmed one, which another booking would replace. */
export function HeldTime({ booking, username }: { booking: Booking; username: string }) {
  const held = useStore(booking.$held);
  const { zone, conventions } = booking.times;
  const time = held && formatShortDayAndTime(held.start, zone, conventions);
  return (
    <div role="status">
      {held && (
        <div className="mt-3 border-l-4 border-main pl-3">
          <p>
            <span className="font-semibold">
              {held.isReserved ? `You hold ${time}. ` : `You have not confirmed ${time} yet. `}
            </span>
            <span>
              {held.isReserved
                ? 'Saving another time gives it up.'
                : 'Others can still take it. Saving another time gives it up.'}
            </span>
          </p>
          <a
            className="link inline-flex min-h-11 items-center"
            href={`/${username}/confirmation/${held.appointmentId}/`}
          >
            Confirm it as you saved it
          </a>
        </div>
      )}
    </div>
  );
}

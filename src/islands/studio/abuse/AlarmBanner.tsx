import { useStore } from '@nanostores/react';
import { $bookingAlarm, cancelBatch, dismissAlarm } from '#stores/studio/abuse.ts';
import { ButtonLink } from '../buttons.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { Icon } from '../Icon.tsx';

/** Warns on every studio page of unusually many bookings, and cancels them all after a question. */
export function AlarmBanner() {
  const { data: alarm } = useStore($bookingAlarm);

  if (!alarm || alarm.bookings === 0) return null;
  const { bookings, networks } = alarm;

  return (
    <section
      aria-labelledby="alarm"
      role="alert"
      className="card grid gap-3 border-l-4 border-l-danger p-4"
    >
      <h2 id="alarm" className="flex items-center gap-2 text-xl">
        <Icon name="alert" className="size-6 text-danger" />
        <span>Unusually many bookings</span>
      </h2>
      <p>
        {`${bookings} ${bookings === 1 ? 'booking' : 'bookings'} from ${networks} ${networks === 1 ? 'network' : 'networks'} came in within a short time. Nobody behind them has proven their email address, or several use one domain. If these are not real people, cancel them all: their times are free at once, and nobody is mailed. Real clients among them are not told either. Other bookings with a proven email, those you have moved, and those of clients who have been with you before stay.`}
      </p>
      <div className="flex flex-wrap gap-3">
        <ConfirmButton
          label={`Cancel all ${bookings}…`}
          className="button button-danger"
          title={`Cancel ${bookings === 1 ? 'this booking' : `these ${bookings} bookings`}?`}
          confirmLabel={`Cancel all ${bookings}`}
          cancelLabel="Keep them"
          danger
          onConfirm={() => cancelBatch(alarm)}
        >
          <p>It cannot be undone. Nobody is mailed, real clients among them neither.</p>
        </ConfirmButton>
        <ConfirmButton
          label="They are real…"
          title={`Keep ${bookings === 1 ? 'this booking' : `these ${bookings} bookings`}?`}
          confirmLabel="Keep them"
          cancelLabel="Back to the warning"
          onConfirm={() => dismissAlarm(alarm)}
        >
          <p>
            This warning goes and does not come back for them: afterwards you can cancel them only
            one by one. You are warned again when more come in.
          </p>
        </ConfirmButton>
        <ButtonLink label="Look at them" href="/studio/appointments?show=alarm" />
      </div>
    </section>
  );
}

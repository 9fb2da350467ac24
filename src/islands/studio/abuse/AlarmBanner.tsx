import { useStore } from '@nanostores/react';
import { pluralize } from '#domain/time/duration.ts';
import { $bookingAlarm, cancelBatch, dismissAlarm } from '#stores/studio/abuse.ts';
import { ButtonLink } from '../buttons.tsx';
import { Card } from '../Card.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';

/** Warns on every studio page of unusually many bookings, and cancels them all after a question. */
export function AlarmBanner() {
  const { data: alarm } = useStore($bookingAlarm);

  if (!alarm || alarm.bookings === 0) return null;
  const { bookings, networks } = alarm;
  const these = bookings === 1 ? 'this booking' : `these ${bookings} bookings`;

  return (
    <Card role="alert" id="alarm" title="Unusually many bookings" isWarning>
      <p>
        {`${pluralize(bookings, 'booking')} from ${pluralize(networks, 'network')} came in within a short time. Nobody behind them has proven their email address, or several use one domain. If these are not real people, cancel them all: their times are free at once, and nobody is mailed. Real clients among them are not told either. Other bookings with a proven email, those you have moved, and those of clients who have been with you before stay.`}
      </p>
      <div className="flex flex-wrap gap-3">
        <ConfirmButton
          label={`Cancel all ${bookings}…`}
          look="danger"
          title={`Cancel ${these}?`}
          confirmLabel={`Cancel all ${bookings}`}
          cancelLabel="Keep them"
          danger
          onConfirm={() => cancelBatch(alarm)}
        >
          <p>It cannot be undone. Nobody is mailed, real clients among them neither.</p>
        </ConfirmButton>
        <ConfirmButton
          label="They are real…"
          title={`Keep ${these}?`}
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
    </Card>
  );
}

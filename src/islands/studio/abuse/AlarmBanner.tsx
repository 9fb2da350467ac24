import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { $bookingAlarm, cancelBatch, dismissAlarm } from '#stores/studio/abuse.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Icon } from '../Icon.tsx';

/** Warns on every studio page of unusually many bookings, and cancels them with one tap. */
export function AlarmBanner() {
  const { data: alarm } = useStore($bookingAlarm);
  const [running, setRunning] = useState<'cancel' | 'dismiss' | null>(null);
  if (!alarm || alarm.bookings === 0) return null;
  const { bookings, networks } = alarm;

  async function run(action: 'cancel' | 'dismiss', work: () => Promise<void>): Promise<void> {
    setRunning(action);
    await work();
    setRunning(null);
  }

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
        <BusyButton
          className="button button-danger"
          busy={running === 'cancel'}
          disabled={running !== null}
          onClick={() => run('cancel', () => cancelBatch(alarm))}
        >
          {`Cancel all ${bookings}`}
        </BusyButton>
        <BusyButton
          className="button"
          busy={running === 'dismiss'}
          disabled={running !== null}
          onClick={() => run('dismiss', () => dismissAlarm(alarm))}
        >
          They are real
        </BusyButton>
        <a className="button" href="/studio/appointments?show=alarm">
          Look at them
        </a>
      </div>
    </section>
  );
}

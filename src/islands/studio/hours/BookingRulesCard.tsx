import { useStore } from '@nanostores/react';
import type { HoursEditor } from '#stores/studio/hours.ts';
import { ClientNoticeField } from './ClientNoticeField.tsx';
import { MinutesField } from './MinutesField.tsx';

/** In minutes. */
const HOUR = 60;
const DAY = 24 * HOUR;

/** The settings for start times, free time after bookings, and notices. */
export function BookingRulesCard({ hours }: { hours: HoursEditor }) {
  const draft = useStore(hours.$draft);
  const { errors } = useStore(hours.$validation);
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="rules-heading">
      <h2 id="rules-heading" className="mb-4 text-2xl">
        Bookings
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 sm:grid-cols-2">
        <MinutesField
          label="A start every"
          hint="From the beginning of your hours: 10:00, 10:30 …"
          choices={[15, 30, HOUR, 90, 2 * HOUR]}
          value={draft.slot_interval_minutes}
          error={errors['slot_interval_minutes']}
          onChange={(slot_interval_minutes) => hours.change({ slot_interval_minutes })}
        />
        <MinutesField
          label="Kept free after each"
          hint="To clean up and get ready. Bookings you have keep theirs."
          zeroLabel="Nothing"
          choices={[0, 15, 30, HOUR]}
          value={draft.buffer_minutes}
          error={errors['buffer_minutes']}
          onChange={(buffer_minutes) => hours.change({ buffer_minutes })}
        />
        <MinutesField
          label="Notice you need"
          hint="Clients cannot book any sooner than this."
          zeroLabel="None"
          choices={[0, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY]}
          value={draft.minimum_notice_minutes}
          error={errors['minimum_notice_minutes']}
          onChange={(minimum_notice_minutes) => hours.change({ minimum_notice_minutes })}
        />
        <ClientNoticeField
          label="Clients may cancel"
          hint="Without asking you first. Later they have to ask."
          value={draft.client_cancel_notice_hours}
          error={errors['client_cancel_notice_hours']}
          onChange={(client_cancel_notice_hours) => hours.change({ client_cancel_notice_hours })}
        />
        <ClientNoticeField
          label="Clients may move"
          hint="To another free time of the same service."
          value={draft.client_move_notice_hours}
          error={errors['client_move_notice_hours']}
          onChange={(client_move_notice_hours) => hours.change({ client_move_notice_hours })}
        />
      </div>
    </section>
  );
}

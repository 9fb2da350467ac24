import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { $token } from '#stores/session.ts';
import { createHoursEditor } from '#stores/studio/hours.ts';
import { BookingRangeCard } from './BookingRangeCard.tsx';
import { BookingRulesCard } from './BookingRulesCard.tsx';
import { ExceptionsCard } from './ExceptionsCard.tsx';
import { PreviewCard } from './PreviewCard.tsx';
import { UnsavedChangesBar } from './UnsavedChangesBar.tsx';
import { WeeklyHoursCard } from './WeeklyHoursCard.tsx';

/** The settings on one side, and beside or below them what clients will see of it. */
export function HoursForm({ me }: { me: CurrentArtist }) {
  const [hours] = useState(() => createHoursEditor(me));
  const changed = useStore(hours.$isChanged);
  // What is wrong is told from the first try to save on.
  const [tried, setTried] = useState(false);

  useEffect(() => hours.start(), [hours]);
  useEffect(() => hours.applyUpdate(me), [hours, me]);
  useEffect(() => {
    if (!changed) return;
    // Without a token the page leads to the login, and what is typed is kept.
    const ask = (event: BeforeUnloadEvent) => {
      if ($token.get() !== undefined) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [changed]);

  async function save(): Promise<void> {
    const saved = await hours.save();
    setTried(!saved);
    if (!saved) focusFirstError();
  }

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)] [&_:is(input,select,button)]:scroll-mb-56"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p className="text-muted">
          All times are in your studio’s time zone,{' '}
          <strong className="font-semibold text-ink">{hours.zone()}</strong>.
        </p>
        <WeeklyHoursCard hours={hours} />
        <ExceptionsCard hours={hours} />
        <BookingRulesCard hours={hours} />
        <BookingRangeCard hours={hours} />
      </div>
      <PreviewCard hours={hours} />
      <UnsavedChangesBar hours={hours} tried={tried} />
    </form>
  );
}

/** Leads to the first field that is wrong, once it is marked. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  });
}

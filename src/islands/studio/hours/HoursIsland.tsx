import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { createHoursEditor } from '#stores/studio/hours.ts';
import { createStudioPage } from '../create_studio_page.tsx';
import { useUnsavedChangesWarning } from '../form_hooks.ts';
import { BookingRangeCard } from './BookingRangeCard.tsx';
import { BookingRulesCard } from './BookingRulesCard.tsx';
import { ExceptionsCard } from './ExceptionsCard.tsx';
import { PreviewCard } from './PreviewCard.tsx';
import { SaveBar } from './SaveBar.tsx';
import { WeeklyHoursCard } from './WeeklyHoursCard.tsx';

/** The studio page of the opening hours, with a preview of the resulting free times. */
export default createStudioPage('hours', HoursForm);

function HoursForm({ me }: { me: CurrentArtist }) {
  const [hours] = useState(() => createHoursEditor(me));
  const [saveFailed, setSaveFailed] = useState(false);

  useEffect(() => hours.start(), [hours]);
  useEffect(() => hours.applyUpdate(me), [hours, me]);
  useUnsavedChangesWarning(useStore(hours.$isChanged));

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)] [&_:is(input,select,button)]:scroll-mb-56"
      onSubmit={async (event) => {
        event.preventDefault();
        const isSaved = await hours.save();
        setSaveFailed(!isSaved);
        if (!isSaved) focusFirstError();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p className="text-muted">
          <span>All times are in your studio’s time zone, </span>
          <strong className="font-semibold text-ink">{hours.zone()}</strong>
          <span>.</span>
        </p>
        <WeeklyHoursCard hours={hours} />
        <ExceptionsCard hours={hours} />
        <BookingRulesCard hours={hours} />
        <BookingRangeCard hours={hours} />
      </div>
      <PreviewCard hours={hours} />
      <SaveBar hours={hours} saveFailed={saveFailed} />
    </form>
  );
}

/** Focuses the first invalid field, once React has rendered `aria-invalid`. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  });
}

import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { pluralize } from '#domain/time/duration.ts';
import { createHoursEditor, type HoursEditor } from '#stores/studio/hours.ts';
import { useBarHeight } from '../../bar_height.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { Button } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { useUnsavedChangesWarning } from '../form_hooks.ts';
import { BookingRangeCard } from './BookingRangeCard.tsx';
import { BookingRulesCard } from './BookingRulesCard.tsx';
import { BooksCard } from './BooksCard.tsx';
import { ExceptionsCard } from './ExceptionsCard.tsx';
import { BooksClosedNote, PreviewCard } from './PreviewCard.tsx';
import { WeeklyHoursCard } from './WeeklyHoursCard.tsx';

/** The studio page of the opening hours, with a preview of the resulting free times. */
export default createStudioPage('hours', HoursForm);

function HoursForm({ me }: { me: CurrentArtist }) {
  const [editor] = useState(() => createHoursEditor(me));
  const [saveFailed, setSaveFailed] = useState(false);

  useEffect(() => editor.start(), [editor]);
  useEffect(() => editor.applyUpdate(me), [editor, me]);
  useUnsavedChangesWarning(useStore(editor.$isChanged));

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)] [&_:is(input,select,button)]:scroll-mb-56"
      onSubmit={async (event) => {
        event.preventDefault();
        const isSaved = await editor.save();
        setSaveFailed(!isSaved);
        if (!isSaved) focusFirstError();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p className="text-muted">
          <span>All times are in your studio’s time zone, </span>
          <strong className="font-semibold text-ink">
            {describeTimeZone(editor.zone().time_zone)}
          </strong>
          <span>.</span>
        </p>
        <BooksCard me={me} />
        <WeeklyHoursCard editor={editor} />
        <ExceptionsCard editor={editor} />
        <BookingRulesCard editor={editor} />
        <BookingRangeCard editor={editor} />
      </div>
      <PreviewCard me={me} editor={editor} />
      <SaveBar me={me} editor={editor} saveFailed={saveFailed} />
    </form>
  );
}

/** Focuses the first invalid field, once React has rendered `aria-invalid`. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
  });
}

interface SaveBarProps {
  me: CurrentArtist;
  editor: HoursEditor;
  saveFailed: boolean;
}

/** A sticky bar to save or discard the changes; hidden while there are none. */
function SaveBar({ me, editor, saveFailed }: SaveBarProps) {
  const isChanged = useStore(editor.$isChanged);
  const isSaving = useStore(editor.$isSaving);
  const preview = useStore(editor.$preview);
  const problem = useStore(editor.$saveError);
  // Null while the draft is invalid.
  const { settings } = useStore(editor.$validation);
  const bar = useRef<HTMLDivElement>(null);
  const wasChanged = useRef(false);
  useBarHeight(bar, isChanged);
  useEffect(() => {
    // The bar disappears with the pressed button; the browser then focuses the body.
    if (wasChanged.current && document.activeElement === document.body)
      document.getElementById('preview')?.focus({ preventScroll: true });
    wasChanged.current = isChanged;
  }, [isChanged]);
  if (!isChanged) return null;
  const timeCount = preview?.flatMap(({ times }) => times).length ?? 0;
  return (
    <div
      ref={bar}
      className="sticky bottom-20 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-card px-4 py-3 shadow-lg lg:bottom-4 lg:col-span-2"
    >
      <div role="status" className="mr-auto">
        <p className="font-semibold">Not saved yet</p>
        {settings === null ? (
          <p className={saveFailed ? 'text-danger' : 'text-muted'}>
            Something above needs a look first.
          </p>
        ) : (
          <div className="text-muted">
            <p>
              <span>
                {`${timeCount === 0 ? 'No times' : pluralize(timeCount, 'time')} in the next two weeks. `}
              </span>
              <a href="#preview-heading" className="link lg:hidden">
                See them
              </a>
            </p>
            <BooksClosedNote me={me} editor={editor} />
          </div>
        )}
      </div>
      <div role="alert" className="empty:hidden max-sm:order-first max-sm:w-full">
        {problem && <p className="text-danger">{`Not saved. ${problem}`}</p>}
      </div>
      <Button label="Discard" disabled={isSaving} onClick={editor.discard} />
      <BusyButton type="submit" className="button button-main" busy={isSaving}>
        {isSaving ? 'Saving…' : 'Save'}
      </BusyButton>
    </div>
  );
}

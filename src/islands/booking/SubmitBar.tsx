import { useEffect, useRef, useState } from 'react';
import type { Design } from '#contract/design.ts';
import type { Money } from '#domain/money/money.ts';
import type { ChosenDesign, Submission } from '#stores/submission.ts';
import { BottomBar } from '../BottomBar.tsx';
import { useHydrated } from '../browser.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { BookingTerms } from '../PriceText.tsx';

/** Terms that the client reads before they send the form. */
export interface TermsProps {
  /** What the page knows about the chosen design; null without a design. */
  designFacts?: Pick<Design, 'duration' | 'price' | 'service_id' | 'left'> | null;
  /** The artist's booking policy; '' without one. */
  policy?: string;
  /** Null for none. */
  deposit?: Money | null;
}

interface SubmitBarProps extends TermsProps {
  username: string;
  /** The chosen time in words. With it, Save stays in view at the bottom of the screen. */
  chosenTime?: string | null;
  submission: Submission;
  hasChanges: boolean;
  design: ChosenDesign;
  onDropDesign: () => void;
  onCancel: () => void;
}

/** The terms, Save and Cancel below a form, and the ways on when the chosen design is gone. */
export function SubmitBar(props: SubmitBarProps) {
  const { chosenTime = null, submission, hasChanges, onDropDesign, onCancel } = props;
  const { username, designFacts, policy = '', deposit = null } = props;
  const { isGone, alike } = props.design;
  const sending = submission !== 'idle';
  const hydrated = useHydrated();
  // Beside the chosen time, the buttons are small on a narrow screen.
  const buttonSize = chosenTime === null ? 'grow sm:grow-0' : 'max-sm:px-4';
  const saveButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This text is outside of the island (DesignAside.astro).
    if (isGone) document.getElementById('design-gone')?.removeAttribute('hidden');
  }, [isGone]);
  const [alikeCode, setAlikeCode] = useState<typeof import('./AlikeDesigns.tsx') | null>(null);
  useEffect(() => {
    // If the code does not load, the client can still go on without the design.
    if (alike.length > 0) import('./AlikeDesigns.tsx').then(setAlikeCode, () => {});
  }, [alike]);

  function dropDesign(): void {
    onDropDesign();
    const url = new URL(location.href);
    url.searchParams.delete('design');
    history.replaceState(history.state, '', url);
    saveButton.current?.focus();
  }

  return (
    <>
      <p className="font-semibold">Payment due at appointment</p>
      <BookingTerms policy={policy} deposit={deposit} />
      <BottomBar isPinned={chosenTime !== null}>
        <div role="alert" className="mb-3 empty:hidden">
          {isGone && (
            <>
              {typeof designFacts?.left === 'number' && (
                <p className="font-semibold">Sorry, this piece is gone.</p>
              )}
              <p>You can go on without it. Everything you typed is still here.</p>
              {alikeCode && alike.length > 0 && (
                <alikeCode.AlikeDesigns username={username} designs={alike} />
              )}
              <button type="button" className="button mt-2" onClick={dropDesign}>
                Go on without the design
              </button>
            </>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2 sm:gap-3">
          {/* No live region, because the calendar has announced the time. */}
          {chosenTime !== null && (
            <p className="grow basis-28 font-semibold text-balance tabular-nums">{chosenTime}</p>
          )}
          <BusyButton
            ref={saveButton}
            type="submit"
            className={`button button-main ${buttonSize} sm:min-w-40`}
            disabled={!hasChanges}
            busy={sending}
          >
            {sending ? 'Saving…' : 'Save'}
          </BusyButton>
          <button
            type="button"
            className="button button-quiet max-sm:px-3"
            disabled={sending || !hydrated}
            onClick={onCancel}
          >
            Cancel
          </button>
        </div>
        <p role="status" className={submission === 'working' ? 'mt-2 text-muted' : 'sr-only'}>
          {statusText(submission)}
        </p>
      </BottomBar>
    </>
  );
}

function statusText(submission: Submission): string {
  if (submission === 'working')
    return 'One moment: a quick check against spam. You need to do nothing.';
  return submission === 'idle' ? '' : 'Saving…';
}

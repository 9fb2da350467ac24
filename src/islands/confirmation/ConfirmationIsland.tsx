import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Confirmation } from '#contract/appointment.ts';
import { createConfirmationStore } from '#stores/confirmation.ts';
import { onBfcacheRestore, useHydrated } from '../browser.ts';
import { NoticeWithTimes } from '../NoticeWithTimes.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { AppointmentSummary } from './AppointmentSummary.tsx';
import { CalendarLinks } from './CalendarLinks.tsx';
import { confirmationLabels } from './labels.ts';

type Status = Confirmation['status'];

const PAYMENT_DUE: readonly Status[] = ['requested', 'held', 'offered', 'confirmed', 'expired'];
const BOOK_AGAIN: readonly Status[] = ['declined', 'expired', 'cancelled', 'completed', 'no_show'];

/** The state of an appointment, with a button to confirm it. Readable without JavaScript. */
export default function ConfirmationIsland(props: {
  confirmation: Confirmation;
  /** From the mailed link; null when the page was opened without it. */
  mailToken: string | null;
  /** Whether the link was cut, so that it has no token. */
  isLinkIncomplete?: boolean;
}) {
  const [store] = useState(() => createConfirmationStore(props.confirmation, props.mailToken));
  const confirmation = useStore(store.$confirmation);
  const isConfirming = useStore(store.$isConfirming);
  const notice = useStore(store.$notice);
  const hydrated = useHydrated();
  const heading = useRef<HTMLHeadingElement>(null);
  const noticeText = useRef<HTMLParagraphElement>(null);
  const needsMail = confirmation.must_prove_email && props.mailToken === null;
  const { status, user } = confirmation;
  const isTimeTaken = notice?.isTimeTaken ?? false;
  const canConfirm = confirmation.can.includes('confirm') && !needsMail && !isTimeTaken;
  // A request has no time to confirm; its mailed link proves the email.
  const canProveEmail =
    status === 'requested' && confirmation.must_prove_email && props.mailToken !== null;
  const labels = confirmationLabels(
    confirmation,
    needsMail && (props.isLinkIncomplete ? 'cut' : 'missing'),
    isTimeTaken,
  );

  useEffect(() => store.watchDeadline(), [store]);
  useEffect(() => onBfcacheRestore(() => void store.reload()), [store]);

  async function confirm(): Promise<void> {
    const isConfirmed = await store.confirm();
    // Renders what the store has now.
    flushSync(() => {});
    // The button disappears after the confirmation, so the focus moves to the heading.
    if (isConfirmed) heading.current?.focus();
    else noticeText.current?.focus();
  }

  return (
    <div className="grid max-w-2xl gap-8">
      <div>
        <h2 ref={heading} tabIndex={-1} className="stroke text-3xl wrap-anywhere sm:text-4xl">
          {labels.heading}
        </h2>
        <p className="mt-4 text-lg">{labels.text}</p>
        {labels.hint !== undefined && <p className="mt-3 text-muted">{labels.hint}</p>}
        {confirmation.note !== null && (
          <figure className="mt-6 border-l-4 border-main pl-4">
            <figcaption className="text-sm font-semibold text-muted">
              {`A note from ${user.full_name}`}
            </figcaption>
            <blockquote className="mt-1 whitespace-pre-line wrap-anywhere">
              {confirmation.note}
            </blockquote>
          </figure>
        )}
      </div>
      <NoticeWithTimes
        notice={notice}
        noticeRef={noticeText}
        className="border-l-4 border-danger pl-4 text-lg"
        zone={user.studio.time_zone}
        onPick={(slot) => window.location.assign(store.chooseInForm(slot))}
      />
      <div className="card grid gap-6 p-5 sm:p-6">
        <AppointmentSummary confirmation={confirmation} />
        {PAYMENT_DUE.includes(status) && (
          <p className="border-t border-line pt-5 font-semibold">Payment due at appointment</p>
        )}
        {(canConfirm || canProveEmail) && (
          <button
            type="button"
            className="button button-main noscript:hidden sm:justify-self-start"
            disabled={!hydrated}
            aria-disabled={isConfirming || undefined}
            onClick={confirm}
          >
            {isConfirming
              ? 'Confirming…'
              : canConfirm
                ? 'Confirm Appointment'
                : 'Confirm Your Email'}
          </button>
        )}
      </div>
      {status === 'confirmed' && <CalendarLinks confirmation={confirmation} />}
      {BOOK_AGAIN.includes(status) && (
        <p>
          <a className="link inline-flex min-h-11 items-center" href={`/${user.username}/`}>
            {`Back to ${user.full_name}`}
          </a>
        </p>
      )}
      <Toasts />
    </div>
  );
}

import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import type { Confirmation } from '#contract/appointment.ts';
import { createConfirmationStore } from '#stores/confirmation.ts';
import { useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { AppointmentSummary } from './AppointmentSummary.tsx';
import { CalendarLinks } from './CalendarLinks.tsx';
import { confirmationLabels } from './labels.ts';

type Status = Confirmation['status'];

const PAYMENT_DUE_STATUSES: readonly Status[] = [
  'requested',
  'held',
  'offered',
  'confirmed',
  'expired',
];
const BOOK_AGAIN_STATUSES: readonly Status[] = [
  'declined',
  'expired',
  'cancelled',
  'completed',
  'no_show',
];

/** What came of a booking, and the client's yes to it. Readable before any script. */
export default function ConfirmationIsland({
  confirmation: initial,
}: {
  confirmation: Confirmation;
}) {
  const [confirming] = useState(() => createConfirmationStore(initial));
  const confirmation = useStore(confirming.$confirmation);
  const isConfirming = useStore(confirming.$isConfirming);
  const heading = useRef<HTMLHeadingElement>(null);
  const canConfirm = useCanConfirm(confirmation);
  const { status, user } = confirmation;
  const { heading: title, text } = confirmationLabels(confirmation);

  async function confirm(): Promise<void> {
    // The button is gone once it is booked, so the reader goes on from the heading.
    if (await confirming.confirm()) heading.current?.focus();
  }

  return (
    <div className="grid max-w-2xl gap-8">
      <div>
        <h2 ref={heading} tabIndex={-1} className="stroke text-3xl wrap-anywhere sm:text-4xl">
          {title}
        </h2>
        <p className="mt-4 text-lg">{text}</p>
        {confirmation.note !== null && (
          <figure className="mt-6 border-l-4 border-main pl-4">
            <figcaption className="text-sm font-semibold text-muted">
              A note from {user.full_name}
            </figcaption>
            <blockquote className="mt-1 whitespace-pre-line wrap-anywhere">
              {confirmation.note}
            </blockquote>
          </figure>
        )}
      </div>
      <div className="card grid gap-6 p-5 sm:p-6">
        <AppointmentSummary confirmation={confirmation} />
        {PAYMENT_DUE_STATUSES.includes(status) && (
          <p className="border-t border-line pt-5 font-semibold">Payment due at appointment</p>
        )}
        {canConfirm && (
          <button
            type="button"
            className="button button-main noscript:hidden sm:justify-self-start"
            aria-disabled={isConfirming || undefined}
            onClick={confirm}
          >
            {isConfirming ? 'Confirming…' : 'Confirm Appointment'}
          </button>
        )}
      </div>
      {status === 'confirmed' && <CalendarLinks confirmation={confirmation} />}
      {BOOK_AGAIN_STATUSES.includes(status) && (
        <p>
          <a className="link inline-flex min-h-11 items-center" href={`/${user.username}/`}>
            Back to {user.full_name}
          </a>
        </p>
      )}
      <Toasts />
    </div>
  );
}

/** Held and offered times; an expired one too while it lies ahead, as the API allows. */
function useCanConfirm({ status, start }: Confirmation): boolean {
  const hydrated = useHydrated();
  if (status === 'held' || status === 'offered') return true;
  if (status !== 'expired' || start === null) return false;
  return !hydrated || Date.parse(start) > Date.now();
}

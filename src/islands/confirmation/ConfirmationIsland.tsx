import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ClientActionCall } from '#client/client_action.ts';
import { setServerClock } from '#client/server_clock.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import { type Instant, MINUTE_MS } from '#domain/time/time.ts';
import { bookingFormUrl, fillBookingForm } from '#stores/book_again.ts';
import {
  type ConfirmationStore,
  createConfirmationStore,
  type EmailChange,
  type RefusedAction,
} from '#stores/confirmation.ts';
import { BottomBar } from '../BottomBar.tsx';
import { onBfcacheRestore } from '../browser.ts';
import { NoticeWithTimes } from '../NoticeWithTimes.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { ActionForm } from './ActionForm.tsx';
import { AppointmentCard, AppointmentDetails } from './AppointmentCard.tsx';
import { AppointmentTime, useNow } from './AppointmentTime.tsx';
import { CalendarLinks } from './CalendarLinks.tsx';
import { type ActionsProps, ClientActions, EmailLine, type TypedTexts } from './ClientActions.tsx';
import { describeEvent } from './client_history.ts';
import { DataSection } from './DataSection.tsx';
import { Disclosure } from './Disclosure.tsx';
import { appointmentView, draftMessage } from './labels.ts';
import { formatDeadline, isSameClock, type StudioClock, useStudioClock } from './studio_clock.ts';

type Status = Confirmation['status'];

const PAYMENT_DUE_IN: readonly Status[] = ['requested', 'held', 'offered', 'confirmed', 'expired'];
const BOOK_AGAIN_IN: readonly Status[] = [
  'declined',
  'expired',
  'cancelled',
  'completed',
  'no_show',
];

interface ConfirmationIslandProps {
  confirmation: Confirmation;
  isTakingBookings: boolean;
  /** From the mailed link; null when the page was opened without it. */
  mailToken: string | null;
  /** From the mailed link that changes the email; null without such a link that is valid. */
  emailChange?: EmailChange | null;
  /** Whether the link was cut, so that it has no token. */
  isLinkIncomplete?: boolean;
  /** The studio's zone as people say it: browsers may have another name than our server. */
  zoneName: string;
  conventions: DateConventions;
  /** When our server rendered the page, in milliseconds since 1970. */
  now: Instant;
  /** The action of a posted form that the API refused; null for none. */
  refused: (RefusedAction & { readonly typed: TypedTexts }) | null;
}

const NOTHING_TYPED: TypedTexts = { note: '', email: '' };

/**
 * An appointment for its client: its state, and the client's actions. Without JavaScript, all
 * of it can be read, and all but the move can be done.
 */
export default function ConfirmationIsland(props: ConfirmationIslandProps) {
  const { conventions, refused } = props;
  const [store] = useState(() => {
    measureByPage(props.now);
    return createConfirmationStore(props);
  });
  const confirmation = useStore(store.$confirmation);
  const notice = useStore(store.$notice);
  const refusedConfirm = useStore(store.$refusedConfirm);
  const mailToken = useStore(store.$mailToken);
  const now = useNow(props.now, MINUTE_MS);
  const heading = useRef<HTMLHeadingElement>(null);
  const noticeText = useRef<HTMLParagraphElement>(null);
  const { status, user } = confirmation;
  const clock = useStudioClock(user.studio, conventions);
  const typed = refused?.typed ?? NOTHING_TYPED;
  const { refusal, isPast, labels, confirmLabel, steps, tooLate } = appointmentView(confirmation, {
    mailToken,
    isLinkIncomplete: props.isLinkIncomplete ?? false,
    refusedConfirm,
    clock,
    now,
  });
  const isBooked = status === 'confirmed' && !isPast;
  useCurrentAppointment(store);

  /** Moves the focus to the part that an action has changed. @returns whether it succeeded */
  function showResult(isDone: boolean): boolean {
    // The page must show the result before a part of it is focused.
    flushSync(() => {});
    // After a success, the form that had the focus is gone.
    (noticeText.current ?? (isDone ? heading.current : null))?.focus();
    return isDone;
  }
  const onAct = async (action: ClientActionCall) => showResult(await store.act(action));

  async function pickAnotherTime(): Promise<void> {
    const url = await store.pickAnotherTime();
    if (url === null) showResult(false);
    else window.location.replace(url);
  }

  const writeForm = <WriteForm store={store} clock={clock} typed={typed} />;
  const email = !isPast && <EmailLine store={store} typed={typed} onAct={onAct} />;
  // Above the actions while the next step comes by mail: a mistyped email must be noticed.
  const isEmailFirst = status !== 'confirmed' || (props.emailChange ?? null) !== null;

  return (
    <div className="appointment">
      <div className="grid content-start gap-6">
        <div>
          <h2 ref={heading} tabIndex={-1} className="stroke text-3xl wrap-anywhere sm:text-4xl">
            {labels.heading}
          </h2>
          <NoticeWithTimes
            notice={notice}
            noticeRef={noticeText}
            className="mt-4 border-l-4 border-danger pl-4 text-lg"
            zone={user.studio}
            conventions={conventions}
            onPick={(slot) => window.location.assign(fillBookingForm(confirmation, slot))}
          />
          <p className="mt-4 text-lg">{labels.text}</p>
          {isBooked && <ChangeHint confirmation={confirmation} clock={clock} />}
          {labels.hint !== undefined && <p className="mt-3 text-muted">{labels.hint}</p>}
          {refusal !== null && refusal.reason !== 'sender_blocked' && (
            <div className="mt-4 max-w-md">{writeForm}</div>
          )}
          <ArtistNote confirmation={confirmation} />
        </div>
        <AppointmentCard
          confirmation={confirmation}
          isPaymentDue={PAYMENT_DUE_IN.includes(status) && !isPast}
        >
          <AppointmentTime
            confirmation={confirmation}
            zoneName={props.zoneName}
            clock={clock}
            now={now}
            isKept={refusal === null}
          />
        </AppointmentCard>
        {isEmailFirst && email}
      </div>
      <div className="contents">
        {confirmLabel !== null && (
          <ConfirmBar store={store} label={confirmLabel} onEnd={showResult} />
        )}
        <div className="grid content-start gap-3">
          <NextSteps steps={steps} />
          {isBooked && <CalendarLinks confirmation={confirmation} />}
          {!isPast && (
            <ClientActions
              store={store}
              clock={clock}
              typed={typed}
              onAct={onAct}
              onPickAnotherTime={() => void pickAnotherTime()}
            />
          )}
          {(isPast || BOOK_AGAIN_IN.includes(status)) && (
            <BookAgain confirmation={confirmation} isTakingBookings={props.isTakingBookings} />
          )}
          {tooLate !== null && <p className="text-muted">{tooLate}</p>}
          {refusal === null && writeForm}
        </div>
      </div>
      <div className="grid content-start gap-3">
        {!isEmailFirst && email}
        <AppointmentDetails
          confirmation={confirmation}
          isOpen={confirmation.can.includes('confirm')}
        />
        <History confirmation={confirmation} clock={clock} />
        <DataSection store={store} clock={clock} />
      </div>
      <Toasts />
    </div>
  );
}

/** Measures the server's clock by the page, which no cache may store. @param now when the page was rendered */
function measureByPage(now: Instant): void {
  // On our server there is no other clock to measure.
  if (typeof document === 'undefined') return;
  const [page] = performance.getEntriesByType('navigation');
  // How long ago the page arrived: its scripts may have taken long to load.
  const age = page && 'responseStart' in page ? performance.now() - Number(page.responseStart) : 0;
  setServerClock(now, Date.now() - age);
}

/** Reads the appointment again whenever it may have changed. */
function useCurrentAppointment(store: ConfirmationStore): void {
  useEffect(() => store.showTypedEmails(), [store]);
  useEffect(() => store.watchDeadline(), [store]);
  useEffect(() => onBfcacheRestore(() => void store.reload()), [store]);
  useEffect(() => {
    // The mailed link may have been used in another tab.
    const onVisible = () => {
      if (!document.hidden && store.$confirmation.get().new_email_hint !== null)
        void store.reload();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [store]);
}

interface ConfirmBarProps {
  store: ConfirmationStore;
  label: string;
  onEnd: (isDone: boolean) => void;
}

function ConfirmBar({ store, label, onEnd }: ConfirmBarProps) {
  const { version, times } = useStore(store.$confirmation);
  const running = useStore(store.$running);

  async function confirm(): Promise<void> {
    const isDone = await store.confirm();
    // After a refused Confirm the button is gone, too.
    onEnd(isDone || store.$refusedConfirm.get() !== null);
  }

  return (
    <BottomBar>
      <ActionForm
        kind="confirm"
        version={version}
        running={running}
        onAct={() => void confirm()}
        button={running === 'confirm' ? 'Confirming…' : label}
        buttonClass="button button-main w-full"
      >
        {times[0] && <input type="hidden" name="time_id" value={times[0].id} />}
      </ActionForm>
    </BottomBar>
  );
}

interface AppointmentProps {
  confirmation: Confirmation;
  clock: StudioClock;
}

/** Opens the contact page by a POST: the client's words must not be in a URL, which servers log. */
function WriteForm({ store, clock, typed }: Omit<ActionsProps, 'onAct'>) {
  const confirmation = useStore(store.$confirmation);
  const note = useStore(store.$unsentNote) ?? typed.note;
  const { username, full_name } = confirmation.user;
  return (
    <form method="post" action={`/${username}/contact?draft`} data-posts>
      <input type="hidden" name="message" value={draftMessage(confirmation, clock, note)} />
      <button type="submit" className="button w-full">
        {`Write to ${full_name}`}
      </button>
    </form>
  );
}

function ArtistNote({ confirmation: { note, user } }: Pick<AppointmentProps, 'confirmation'>) {
  return (
    note !== null && (
      <figure className="mt-6 border-l-4 border-main pl-4">
        <figcaption className="text-sm font-semibold text-muted">
          {`A note from ${user.full_name}`}
        </figcaption>
        <blockquote className="mt-1 whitespace-pre-line wrap-anywhere">{note}</blockquote>
      </figure>
    )
  );
}

function NextSteps({ steps }: { steps: readonly string[] }) {
  return (
    steps.length > 0 && (
      <section aria-labelledby="next-steps" className="mb-3">
        <h3 id="next-steps" className="text-xl">
          What happens next
        </h3>
        <ul className="mt-2 grid list-disc gap-1 pl-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      </section>
    )
  );
}

/** Says until when the client can move the appointment, or else cancel it; nothing for neither. */
function ChangeHint({ confirmation, clock }: AppointmentProps) {
  const { can, move_until, cancel_until } = confirmation;
  const canMove = can.includes('move');
  if (!canMove && !can.includes('cancel')) return null;
  const until = canMove ? move_until : cancel_until;
  const action = canMove ? 'move' : 'cancel';
  return (
    // Without JavaScript, no appointment can be moved.
    <p className={`mt-1 ${canMove ? 'noscript:hidden' : ''}`}>
      <span>{canMove ? 'If something comes up, ' : 'If you cannot come, '}</span>
      {/* The hash opens the closed form to cancel, without JavaScript, too. The button to move takes a click. */}
      <a
        className="link"
        href={`#${action}`}
        onClick={() => document.getElementById('move')?.click()}
      >
        {`${action} it here`}
      </a>
      <span>{until === null ? '.' : ` until ${formatDeadline(until, clock)}.`}</span>
    </p>
  );
}

type BookAgainProps = Pick<ConfirmationIslandProps, 'confirmation' | 'isTakingBookings'>;

function BookAgain({ confirmation, isTakingBookings }: BookAgainProps) {
  const { user } = confirmation;
  return (
    <>
      {isTakingBookings && (
        <a
          className="button button-main"
          href={bookingFormUrl(confirmation)}
          onClick={() => fillBookingForm(confirmation, null)}
        >
          Book again
        </a>
      )}
      <a className="button" href={`/${user.username}/`}>
        {`Back to ${user.full_name}`}
      </a>
    </>
  );
}

function History({ confirmation, clock }: AppointmentProps) {
  const { history, user } = confirmation;
  const [first] = history;
  if (!first) return null;
  return (
    <Disclosure title="What happened so far">
      {!isSameClock(first.at, clock) && <p className="text-sm text-muted">In studio time</p>}
      <ol className="grid gap-2">
        {history.map((event) => (
          <li key={`${event.at} ${event.what}`} className="wrap-anywhere">
            <span className="text-sm text-muted">
              {`${formatShortDayAndTime(event.at, clock.zone, clock.conventions)}: `}
            </span>
            <span>{describeEvent(event, user, clock.conventions)}</span>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}

// The page of an appointment for its client.
import { atom } from 'nanostores';
import { ApiError, formatError } from '#client/call.ts';
import { ACTION_ENDPOINTS, type ClientActionCall, keptFormName } from '#client/client_action.ts';
import { serverNow } from '#client/server_clock.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import { fetchConfirmation } from '#contract/client_endpoints.ts';
import { describeChange } from '#domain/appointments/appointment_changes.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import { MAX_TIMER_MS } from '#domain/time/time.ts';
import { callPublic } from './api.ts';
import { bookedIdOf, fillBookingForm } from './book_again.ts';
import { clearBookingDraft, readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { sessionItems } from './browser_storage.ts';
import { forgetHold, readHold, saveHold } from './saved_hold.ts';
import { type TimeNotice, takenTimeNotice } from './time_notice.ts';
import { closeErrorToasts, showErrorToast, showSuccessToast } from './toasts.ts';
import { saveChangedEmail, withTypedEmails } from './typed_email.ts';

const ERROR_TITLE = 'Something went wrong.';
/** The titles of the toasts about refused actions; `ERROR_TITLE` for any other action. */
const REFUSED_TITLES: Partial<Record<ClientActionCall['kind'], string>> = {
  cancel: 'Not cancelled.',
  decline: 'Not declined.',
  move: 'Not moved.',
};
/** 400: the mailed link has ended; 403: the artist has blocked the client; 409: the appointment does not allow it. */
const REFUSAL_STATUSES: readonly number[] = [400, 403, 409];

/** How long after a deadline to read the appointment: the server's clock may be behind the one that we count by. */
const AFTER_DEADLINE_MS = 1_000;
/** How often to read it again while the deadline that we know has passed, such as without a connection. */
const RECHECK_MS = 30_000;

/** The last Confirm of the client, which our server refused. */
export interface RefusedConfirm {
  /** The version that the client saw: a later one may be confirmed. */
  readonly version: number;
  readonly reason: RefusalReason | undefined;
}

/** Why our server refused an action of the client. */
export interface RefusedAction {
  /** The API's text. */
  readonly text: string;
  readonly reason?: RefusalReason | undefined;
  /** Whether the text is about the email that was typed. */
  readonly isInvalidEmail?: boolean;
  /** The version that was to be confirmed; left out for other actions. */
  readonly confirmedVersion?: number | undefined;
  /** Free times near to one that is taken. */
  readonly nearest: readonly Slot[];
}

/** The change of the email that waits for the mailed link with which the page was opened. */
export interface EmailChange {
  readonly token: string;
  /** The new email in full: other emails can have the same short form (`email_hint`). */
  readonly to: string;
}

interface ConfirmationOptions {
  readonly confirmation: Confirmation;
  /** The token of the mailed link, which proves the client's email; null without such a link. */
  readonly mailToken: string | null;
  readonly emailChange?: EmailChange | null;
  readonly conventions: DateConventions;
  /** The action of a form that was sent without JavaScript, which our server refused; null for none. */
  readonly refused: RefusedAction | null;
}

/** Says where the mails about an appointment go: a sentence without its full stop. */
export function mailsGoTo({ email_hint }: Pick<Confirmation, 'email_hint'>): string {
  return `We mail you at ${email_hint}`;
}

/** Shows the appointment, and does what the client may do with it. */
export function createConfirmationStore(options: ConfirmationOptions) {
  const { confirmation, mailToken, emailChange = null, conventions, refused } = options;
  const { id, user } = confirmation;
  const shown = createShownAppointment(options);
  const { $confirmation, reload } = shown;
  /** The action that is being sent; null for none. */
  const $running = atom<ClientActionCall['kind'] | null>(null);
  /** Null once the email is another one: the mailed link proves only the earlier email. */
  const $mailToken = atom<string | null>(mailToken);
  const $emailChange = atom<EmailChange | null>(emailChange);
  /** The corrected email that is typed but not sent yet; '' for none. */
  const $typedEmail = atom('');
  /** Why the typed email was refused; null when it was not. */
  const $emailError = atom(refused?.isInvalidEmail ? refused.text : null);
  /** How often an email was sent from this page: after each time, its form starts empty. */
  const $sentEmails = atom(0);
  /** The note to the artist in a cancellation that was refused; null for none. */
  const $unsentNote = atom<string | null>(null);

  const mailProof = () => ({ mail_token: $mailToken.get() ?? undefined });
  const emailBody = (email: string) => ({ email, ...mailProof() });

  /** Sends an action, and shows success or the error. @returns whether it succeeded; false while another one runs */
  async function act(action: ClientActionCall): Promise<boolean> {
    if ($running.get() !== null) return false;
    $running.set(action.kind);
    closeErrorToasts();
    $emailError.set(null);
    try {
      const input = { path: { appt_id: id }, body: action.body };
      showDone(action, await callPublic(ACTION_ENDPOINTS[action.kind], input));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) showLostConnection(action.kind);
      else if (error.status === 422 && action.kind === 'change_email')
        $emailError.set(formatError(error));
      else if (REFUSAL_STATUSES.includes(error.status)) await showRefusal(error, action);
      else showErrorToast(ERROR_TITLE, formatError(error));
      return false;
    } finally {
      $running.set(null);
    }
  }

  function showDone(action: ClientActionCall, after: Confirmation): void {
    // KeptForms.astro keeps the typed text of a form until the form was accepted.
    for (const field of ['note', 'email'])
      sessionItems.setText(`linework:kept:${keptFormName(id, action.kind)}:${field}`, null);
    if (action.kind === 'change_email') {
      $typedEmail.set('');
      $sentEmails.set($sentEmails.get() + 1);
      saveCorrectedEmail(after, action.body.email);
      // A proven email stays in effect until its owner agrees by a mailed link.
      if (!after.email_proven) $mailToken.set(null);
    }
    if (action.kind === 'prove_email_change') {
      const agreed = $emailChange.get();
      if (agreed) saveChangedEmail(after, agreed.to);
      $emailChange.set(null);
      $mailToken.set(null);
    }
    shown.showAfterAction(after);
    if (after.status !== 'held') forgetHold(user.username, id);
    if (after.status === 'confirmed' && action.kind === 'confirm') clearBookingDraft(user.username);
    const text = successText(action.kind, $confirmation.get(), conventions);
    if (text !== null) showSuccessToast('Success!', text);
  }

  /**
   * Confirms the appointment as the client sees it. A corrected email that is typed but not sent is sent
   * first, so that the mail about the booking goes there.
   * @returns whether it succeeded
   */
  async function confirm(): Promise<boolean> {
    const email = $typedEmail.get().trim();
    if (email !== '' && $confirmation.get().can.includes('change_email')) {
      const isChanged = await act({ kind: 'change_email', body: emailBody(email) });
      // The corrected email may have to be proven first.
      if (!isChanged || $confirmation.get().must_prove_email) return isChanged;
    }
    const { version, times } = $confirmation.get();
    const body = { version, time_id: times[0]?.id, ...mailProof() };
    return act({ kind: 'confirm', body });
  }

  /** Shows why an action was refused, and the appointment as it is now, if it can be loaded. */
  async function showRefusal(error: ApiError, action: ClientActionCall): Promise<void> {
    const before = $confirmation.get();
    await reload();
    // These two are no longer possible then: their forms go, and the note moves to a message to the artist.
    if (action.kind === 'prove_email_change') $emailChange.set(null);
    if (action.kind === 'cancel') $unsentNote.set(action.body.note ?? null);
    const { reason, nearest } = error;
    const text = formatError(error);
    showErrorToast(REFUSED_TITLES[action.kind] ?? ERROR_TITLE, text);
    if (action.kind !== 'confirm') return;
    if (shown.showRefusedConfirm(before, { text, reason, nearest })) $mailToken.set(null);
  }

  /** Releases the hold, and fills the booking form. @returns the URL of the form; null if the hold was not released */
  async function pickAnotherTime(): Promise<string | null> {
    const url = fillBookingForm($confirmation.get(), null);
    return (await act({ kind: 'release' })) ? url : null;
  }

  return {
    ...shown,
    $running,
    $mailToken,
    $emailChange,
    $typedEmail,
    $emailError,
    $sentEmails,
    $unsentNote,
    act,
    confirm,
    emailBody,
    pickAnotherTime,
  };
}

export type ConfirmationStore = ReturnType<typeof createConfirmationStore>;

/** The appointment as the page shows it, and a notice about the difference from what the client saw before. */
function createShownAppointment({ confirmation, conventions, refused }: ConfirmationOptions) {
  const $confirmation = atom<Confirmation>(confirmation);
  /** How many actions have succeeded. */
  let actionCount = 0;
  /** What has changed since the client saw it, or why an action was refused. */
  const $notice = atom<TimeNotice | null>(
    refused && !refused.isInvalidEmail
      ? toNotice(refused, confirmation.start, confirmation, conventions)
      : null,
  );
  const $refusedConfirm = atom<RefusedConfirm | null>(
    refused?.confirmedVersion === undefined
      ? null
      : { version: refused.confirmedVersion, reason: refused.reason },
  );

  function showAfterAction(after: Confirmation): void {
    actionCount += 1;
    $confirmation.set(withTypedEmails(after));
    $notice.set(null);
    $refusedConfirm.set(null);
  }

  /**
   * Shows that a Confirm was refused. Call it after `reload`.
   * @param before the appointment before `reload`
   * @returns whether the mail token is useless: the email is still to be proven
   */
  function showRefusedConfirm(before: Confirmation, refusal: RefusedAction): boolean {
    const after = $confirmation.get();
    const isReloaded = after !== before;
    const { reason } = refusal;
    if (reason === 'time_taken' && before.start !== null)
      $notice.set(toNotice(refusal, before.start, after, conventions));
    // Without the newest version, the button stays: that version may be possible to confirm.
    else if (!isReloaded) return false;
    $refusedConfirm.set({ version: before.version, reason });
    return isReloaded && after.must_prove_email;
  }

  async function reload(): Promise<void> {
    const before = $confirmation.get();
    const actionsBefore = actionCount;
    const path = { appt_id: confirmation.id };
    const after = await callPublic(fetchConfirmation, { path }).catch(() => null);
    // The answer of an action that was sent later is newer.
    if (after === null || actionCount !== actionsBefore) return;
    $confirmation.set(withTypedEmails(after));
    // A refused action may be possible now.
    $refusedConfirm.set(null);
    const text = describeChange(before, after, conventions);
    $notice.set(text === null ? null : { text, nearest: [] });
  }

  /** Reads the appointment again when its deadline passes, and repeats that while it fails. @returns stops watching */
  function watchDeadline(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWatching = true;

    function schedule(): void {
      clearTimeout(timer);
      const { lapses_at, can, start } = $confirmation.get();
      // A time that is not reserved can be confirmed until it begins.
      const deadline = lapses_at ?? (can.includes('confirm') ? start : null);
      if (deadline === null || !isWatching) return;
      const left = Date.parse(deadline) - serverNow();
      const wait = left > 0 ? left + AFTER_DEADLINE_MS : RECHECK_MS;
      timer = setTimeout(() => void reload().then(schedule), Math.min(wait, MAX_TIMER_MS));
    }
    const unsubscribe = $confirmation.subscribe(schedule);
    return () => {
      isWatching = false;
      clearTimeout(timer);
      unsubscribe();
    };
  }

  return {
    $confirmation,
    $notice,
    $refusedConfirm,
    showAfterAction,
    showRefusedConfirm,
    reload,
    watchDeadline,
    /** Shows in full the emails that were typed in this tab. Call it after hydration: our server has only hints. */
    showTypedEmails: () => $confirmation.set(withTypedEmails($confirmation.get())),
  };
}

/** @param start the start of the time that the client asked for; null for none */
function toNotice(
  refusal: RefusedAction,
  start: string | null,
  confirmation: Confirmation,
  conventions: DateConventions,
): TimeNotice {
  const { text, reason } = refusal;
  if (reason !== 'time_taken' || start === null) return { text, nearest: [] };
  const nearest = bookedIdOf(confirmation) === null ? [] : refusal.nearest;
  return takenTimeNotice(start, confirmation.user.studio, conventions, nearest);
}

/** Saves an email that was typed in place of another. Once it is in effect, drafts of other bookings use it, too. */
function saveCorrectedEmail(after: Confirmation, email: string): void {
  saveChangedEmail(after, email);
  if (after.email_proven) return;
  const { username } = after.user;
  const { details } = readBookingDraft(username);
  if (details !== null) saveBookingDraft(username, { details: { ...details, email } });
  const hold = readHold(username);
  if (hold?.appointmentId === after.id)
    saveHold(username, { ...hold, details: { ...hold.details, email } });
}

function showLostConnection(kind: ClientActionCall['kind']): void {
  if (kind === 'confirm')
    showErrorToast(ERROR_TITLE, 'The connection was lost. It is safe to try again.');
  else showErrorToast('The connection was lost.', 'It is safe to try again.');
}

/** The text of the toast after an action; null for no toast. */
function successText(
  kind: ClientActionCall['kind'],
  confirmation: Confirmation,
  conventions: DateConventions,
): string | null {
  const { status, start, email_hint, new_email_hint, user } = confirmation;
  switch (kind) {
    case 'confirm':
      return status === 'confirmed'
        ? 'Appointment created successfully.'
        : 'Your email is confirmed.';
    case 'decline':
      return 'You declined the offer. Your request is still open.';
    case 'cancel':
      return start === null ? 'Your request is withdrawn.' : 'Your appointment is cancelled.';
    case 'move':
      return start && `Moved to ${formatShortDayAndTime(start, user.studio, conventions)}.`;
    case 'change_email':
    case 'prove_email_change':
      if (new_email_hint !== null) return `We mailed a link to ${email_hint} first.`;
      return `${mailsGoTo(confirmation)} now.`;
    case 'ask_copy':
    case 'ask_erasure':
      return `${user.full_name} was told what you ask for.`;
    case 'release':
      return null;
  }
}

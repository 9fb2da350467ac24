import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ClientActionCall } from '#client/client_action.ts';
import { bookedIdOf } from '#stores/book_again.ts';
import { type ConfirmationStore, mailsGoTo } from '#stores/confirmation.ts';
import { toText } from '#stores/stored_values.ts';
import { showErrorToast } from '#stores/toasts.ts';
import { useHydrated } from '../browser.ts';
import type { Elements } from '../elements.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { EmailSuggestion } from '../forms/EmailSuggestion.tsx';
import { ActionForm } from './ActionForm.tsx';
import { Disclosure } from './Disclosure.tsx';
import { formatDeadline, type StudioClock } from './studio_clock.ts';

/** The texts that the client typed into a form that our server refused. */
export interface TypedTexts {
  readonly note: string;
  readonly email: string;
}

/** The props of each action. */
export interface ActionsProps {
  store: ConfirmationStore;
  clock: StudioClock;
  typed: TypedTexts;
  /** Runs an action, and shows the page's new state. @returns whether it succeeded */
  onAct: (action: ClientActionCall) => Promise<boolean>;
}

interface ClientActionsProps extends ActionsProps {
  onPickAnotherTime: () => void;
}

/** The client's actions beside confirming. Each form says its consequence. */
export function ClientActions(props: ClientActionsProps) {
  const { store, clock, onPickAnotherTime } = props;
  const { can, status, user, cancel_until } = useStore(store.$confirmation);
  const running = useStore(store.$running);
  const artist = user.full_name;
  const isRequest = status === 'requested';
  return (
    <div id="change" className="grid gap-3 empty:hidden">
      {status === 'held' && can.includes('release') && (
        <ActionForm
          kind="release"
          running={running}
          onAct={onPickAnotherTime}
          button="Pick another time"
        />
      )}
      {can.includes('decline') && (
        <ActionWithNote
          {...props}
          kind="decline"
          title="Decline this offer"
          consequence={`The time goes back to ${artist}, who is mailed. Your request stays open.`}
          button="Decline"
        />
      )}
      <MoveAction {...props} />
      {can.includes('cancel') && (
        <ActionWithNote
          {...props}
          kind="cancel"
          title={isRequest ? 'Withdraw your request' : 'Cancel appointment'}
          consequence={
            isRequest
              ? `${artist} is mailed. This cannot be undone.`
              : `The time goes to others at once, and ${artist} is mailed. This cannot be undone.`
          }
          button={isRequest ? 'Withdraw' : 'Cancel this appointment'}
        >
          {cancel_until !== null && (
            <p className="text-muted">
              {`You can cancel here until ${formatDeadline(cancel_until, clock)}.`}
            </p>
          )}
        </ActionWithNote>
      )}
    </div>
  );
}

interface ActionWithNoteProps extends Omit<ActionsProps, 'clock'> {
  kind: 'decline' | 'cancel';
  title: string;
  consequence: string;
  button: string;
  children?: Elements;
}

/** A form that declines or cancels the version that the client has seen, with a note to the artist. */
function ActionWithNote(props: ActionWithNoteProps) {
  const { store, typed, onAct, kind, title, consequence, button, children } = props;
  const { id, version, user } = useStore(store.$confirmation);
  const running = useStore(store.$running);
  const noteId = useId();
  return (
    <Disclosure title={title} isOpen={typed.note !== ''}>
      <ActionForm
        kind={kind}
        version={version}
        keptFor={id}
        className="grid gap-3"
        running={running}
        onAct={(form) => onAct({ kind, body: { note: toText(form.get('note')), version } })}
        button={button}
        buttonClass={`button ${kind === 'cancel' ? 'button-danger' : ''}`}
      >
        <p id={kind} tabIndex={-1} className="scroll-mt-16">
          {consequence}
        </p>
        {children}
        <div className="field">
          <label htmlFor={noteId}>{`A word to ${user.full_name} (optional)`}</label>
          <textarea
            id={noteId}
            name="note"
            rows={3}
            maxLength={2000}
            defaultValue={typed.note}
            className="input"
          />
        </div>
      </ActionForm>
    </Disclosure>
  );
}

/** The button that moves the appointment. It loads the calendar, and shows it in its place. */
function MoveAction({ store, clock, onAct }: ActionsProps) {
  const confirmation = useStore(store.$confirmation);
  const running = useStore(store.$running);
  const mailToken = useStore(store.$mailToken);
  const hydrated = useHydrated();
  const [isLoading, setIsLoading] = useState(false);
  const [panelCode, setPanelCode] = useState<typeof import('./MovePanel.tsx') | null>(null);
  const { can, service } = confirmation;
  const bookedId = bookedIdOf(confirmation);
  if (!can.includes('move') || bookedId === null) return null;

  async function open(): Promise<void> {
    setIsLoading(true);
    try {
      setPanelCode(await import('./MovePanel.tsx'));
    } catch {
      showErrorToast(
        'Something went wrong.',
        'The calendar could not be loaded. Please try again.',
      );
    } finally {
      setIsLoading(false);
    }
  }

  if (panelCode !== null)
    return (
      <panelCode.MovePanel
        confirmation={confirmation}
        bookedId={bookedId}
        isDesign={service === null}
        conventions={clock.conventions}
        isMoving={running === 'move'}
        onMove={async (body) => {
          const proof = mailToken !== null && { mail_token: mailToken };
          const hasMoved = await onAct({ kind: 'move', body: { ...body, ...proof } });
          if (hasMoved) setPanelCode(null);
          return hasMoved;
        }}
        onClose={() => setPanelCode(null)}
      />
    );
  return (
    <BusyButton
      id="move"
      className="button noscript:hidden"
      disabled={!hydrated}
      busy={isLoading}
      onClick={() => void open()}
    >
      Move to another time
    </BusyButton>
  );
}

/** Where the mails go, so that the client sees a mistyped email and can change it. */
export function EmailLine({ store, typed, onAct }: Omit<ActionsProps, 'clock'>) {
  const confirmation = useStore(store.$confirmation);
  const { can, email_hint, new_email_hint, email_proven, user } = confirmation;
  const emailChange = useStore(store.$emailChange);
  const running = useStore(store.$running);
  const error = useStore(store.$emailError);
  const sentEmails = useStore(store.$sentEmails);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [emailAtBlur, setEmailAtBlur] = useState('');
  useEffect(() => {
    // Takes the text typed before hydration, or into a form that our server refused. Text that KeptForms.astro has
    // restored from an earlier visit is not taken: the artist may have corrected the email since.
    const email = input.current?.value ?? '';
    store.$typedEmail.set(email === input.current?.getAttribute('data-kept') ? '' : email);
    setEmailAtBlur(email);
  }, [store]);
  useEffect(() => {
    if (error === null) return;
    // Confirm also sends the email while this form is closed.
    input.current?.closest('details')?.setAttribute('open', '');
    input.current?.focus();
  }, [error]);
  if (email_hint === null) return null;
  const text = `${mailsGoTo(confirmation)}.`;
  if (!can.includes('change_email'))
    return (
      <p className="text-muted wrap-anywhere">
        <span>{`${text} Not yours? `}</span>
        <a className="link" href={`/${user.username}/contact`}>{`Write to ${user.full_name}`}</a>
        <span>.</span>
      </p>
    );
  const waiting =
    new_email_hint &&
    `${text} Once the link that we mailed there is used, we mail you at ${new_email_hint}.`;

  function takeOver(email: string): void {
    setEmailAtBlur('');
    if (!input.current) return;
    input.current.value = email;
    // Updates the store, and the text that KeptForms.astro keeps.
    input.current.dispatchEvent(new Event('input', { bubbles: true }));
    input.current.focus();
  }

  if (emailChange !== null && waiting !== null)
    return (
      <ActionForm
        kind="prove_email_change"
        className="grid gap-3"
        running={running}
        onAct={() =>
          void onAct({ kind: 'prove_email_change', body: { change_token: emailChange.token } })
        }
        button={`Send my mails to ${emailChange.to}`}
        buttonClass="button button-main wrap-anywhere sm:justify-self-start"
      >
        <p className="wrap-anywhere">{`${text} Somebody, hopefully you, asked to change that.`}</p>
      </ActionForm>
    );
  return (
    <Disclosure
      key={sentEmails}
      title={`${waiting ?? text} Not yours? Change it.`}
      isOpen={typed.email !== '' && sentEmails === 0}
    >
      <ActionForm
        kind="change_email"
        keptFor={confirmation.id}
        className="grid gap-3"
        running={running}
        onAct={(form) =>
          void onAct({ kind: 'change_email', body: store.emailBody(toText(form.get('email'))) })
        }
        button="Change email"
        buttonClass="button sm:justify-self-start"
      >
        <p className="text-muted">
          {email_proven
            ? 'We first mail a link to the present address. Once it is used, your mails go to this one.'
            : 'We mail the link to this address instead.'}
        </p>
        <div className="field">
          <label htmlFor={id}>Your email</label>
          <input
            ref={input}
            id={id}
            name="email"
            type="email"
            required
            autoComplete="email"
            defaultValue={sentEmails === 0 ? typed.email : ''}
            // KeptForms.astro may have added `data-kept` before hydration.
            suppressHydrationWarning
            // biome-ignore lint/a11y/noAutofocus: without JavaScript, the client has just sent it.
            autoFocus={error !== null}
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : `${id}-error`}
            className="input"
            onInput={(event) => {
              setEmailAtBlur('');
              store.$emailError.set(null);
              store.$typedEmail.set(event.currentTarget.value);
            }}
            onBlur={(event) => setEmailAtBlur(event.target.value)}
          />
          {error === null ? (
            <EmailSuggestion email={emailAtBlur} onTakeOver={takeOver} />
          ) : (
            <p id={`${id}-error`} className="field-error min-h-11">
              {error}
            </p>
          )}
        </div>
      </ActionForm>
    </Disclosure>
  );
}

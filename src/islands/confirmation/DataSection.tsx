import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import type { AskedData } from '#contract/data_request.ts';
import { formatDayWithYear } from '#domain/time/format_time.ts';
import type { ConfirmationStore } from '#stores/confirmation.ts';
import { ActionForm } from './ActionForm.tsx';
import { Disclosure } from './Disclosure.tsx';
import type { StudioClock } from './studio_clock.ts';

/** The data that the artist keeps about the client, with the requests for a copy and for erasure. */
export function DataSection({ store, clock }: { store: ConfirmationStore; clock: StudioClock }) {
  const confirmation = useStore(store.$confirmation);
  const { data_requests, data_erased_at: erasedAt, email_proven, email_hint, user } = confirmation;
  const mailToken = useStore(store.$mailToken);
  // Anyone can book with anyone's email, so only a proven owner of the email may ask.
  const canAsk = erasedAt === null && (email_proven || mailToken !== null);
  const running = useStore(store.$running);
  const title = useRef<HTMLElement>(null);
  const artist = user.full_name;
  // After the erasure, the section says when it was, in place of the requests.
  const asked = erasedAt === null ? data_requests : [];
  const hasAsked = (kind: AskedData['kind']) => data_requests.some((one) => one.kind === kind);

  async function ask(kind: AskedData['kind']): Promise<void> {
    const body = { kind, ...(mailToken !== null && { mail_token: mailToken }) };
    if (!(await store.act({ kind: `ask_${kind}`, body }))) return;
    // The form is gone, so the focus moves to the title above the new state, which the toast must not cover.
    title.current?.focus();
    title.current?.scrollIntoView();
  }

  return (
    <div id="your-data" className="scroll-mt-6">
      <Disclosure title="Your data" titleRef={title} isOpen={asked.length > 0 || erasedAt !== null}>
        <div className="grid gap-3">
          <p className="text-muted wrap-anywhere">
            {erasedAt === null
              ? `${artist} keeps your name and contact details, your requests and appointments, and notes about them.`
              : `${artist} erased your personal data on ${formatDayWithYear(erasedAt, clock.ownZone, clock.conventions)}. The time, the state, and the service or design stay.`}
          </p>
          {asked.map((request) => (
            <p key={`${request.kind} ${request.asked_at}`} className="wrap-anywhere">
              {askedText(request, artist, clock)}
            </p>
          ))}
          {erasedAt === null && !canAsk && email_hint !== null && (
            <p className="wrap-anywhere">
              {`To ask for a copy, or to have it erased, open this page by the link in our mail to ${email_hint}.`}
            </p>
          )}
          {canAsk && !hasAsked('copy') && (
            <ActionForm
              kind="ask_copy"
              running={running}
              onAct={() => void ask('copy')}
              button="Ask for a copy"
            />
          )}
          {canAsk && !hasAsked('erasure') && (
            <Disclosure title="Ask to erase my data">
              <ActionForm
                kind="ask_erasure"
                className="grid gap-3"
                running={running}
                onAct={() => void ask('erasure')}
                button="Yes, ask to erase it"
                buttonClass="button button-danger sm:justify-self-start"
              >
                <p className="wrap-anywhere">
                  {`${artist} is mailed, and decides. An appointment ahead has to be cancelled first. Erased data cannot be brought back.`}
                </p>
              </ActionForm>
            </Disclosure>
          )}
        </div>
      </Disclosure>
    </div>
  );
}

/** Says what the client asked for, and what came of it. */
function askedText({ kind, asked_at, done_at }: AskedData, artist: string, clock: StudioClock) {
  const day = (at: string) => formatDayWithYear(at, clock.ownZone, clock.conventions);
  const what = kind === 'copy' ? 'for a copy of your data' : 'to erase your data';
  const asked = `You asked ${artist} ${what} on ${day(asked_at)}.`;
  if (done_at === null) return `${asked} The answer comes by mail, from ${artist}.`;
  if (kind === 'copy')
    return `${asked} It was marked as done on ${day(done_at)}. To ask again, write to ${artist}.`;
  return `${asked} ${artist} has answered on ${day(done_at)}, without erasing them. To ask again, write to ${artist}.`;
}

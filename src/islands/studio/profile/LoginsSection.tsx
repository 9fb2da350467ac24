import type { Session } from '#contract/account_security.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { SecurityEventKind } from '#domain/accounts/security.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import { timeZoneCity } from '#domain/time/time_zone.ts';
import { $securityEvents, $sessions, endLogin, endOtherLogins } from '#stores/studio/logins.ts';
import { ListRow } from '../ListRow.tsx';
import { QueryView } from '../LoadableView.tsx';
import { ProofButton } from '../ProofButton.tsx';

/** The browsers that are logged in, and the security events of the account. */
export function LoginsSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        A browser that is not used for 30 days is logged out. We mail you when someone logs in from
        a new one.
      </p>
      <QueryView query={$sessions} label="logins">
        {({ data: sessions }) => (
          <div className="grid gap-4">
            <ul className="grid divide-y divide-line">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} me={me} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <div>
                <ProofButton
                  label="Log out all others…"
                  title="Log out all other browsers?"
                  email={me.email}
                  confirmLabel="Log them out"
                  cancelLabel="Keep them logged in"
                  onConfirm={endOtherLogins}
                >
                  <p>They can be used again only after a login. This browser stays logged in.</p>
                </ProofButton>
              </div>
            )}
          </div>
        )}
      </QueryView>
      <details>
        <summary className="cursor-pointer py-2 font-semibold">What happened lately</summary>
        <QueryView query={$securityEvents} label="what happened lately">
          {({ data: events }) =>
            events.length === 0 ? (
              <p>Nothing yet.</p>
            ) : (
              <ol className="grid divide-y divide-line">
                {events.map((event, index) => (
                  <li key={`${event.happened_at} ${index}`} className="py-2">
                    <span>{EVENT_TEXTS[event.kind]}</span>
                    <span className="block text-sm text-muted">
                      {joinKnown(
                        placeOf(event),
                        event.browser,
                        formatShortDateAndTime(event.happened_at, me.studio),
                      )}
                    </span>
                  </li>
                ))}
              </ol>
            )
          }
        </QueryView>
      </details>
    </>
  );
}

function SessionRow({ session, me }: { session: Session; me: CurrentArtist }) {
  const name = session.browser ?? 'Unknown browser';
  const use = session.is_current
    ? 'This browser'
    : `Last used ${formatShortDateAndTime(session.last_used_at, me.studio)}`;
  return (
    <ListRow title={name} text={joinKnown(placeOf(session), use)}>
      {!session.is_current && (
        <ProofButton
          label="Log out…"
          labelEnd={` ${name}`}
          title={`Log out ${name}?`}
          email={me.email}
          confirmLabel="Log it out"
          cancelLabel="Keep it logged in"
          onConfirm={(proof) => endLogin(session, proof)}
        >
          <p>{`${name} can be used again only after a login.`}</p>
        </ProofButton>
      )}
    </ListRow>
  );
}

const EVENT_TEXTS: Record<SecurityEventKind, string> = {
  login: 'Logged in',
  new_browser_login: 'Logged in from a new browser',
  session_ended: 'Logged out another browser',
  other_sessions_ended: 'Logged out all other browsers',
  password_changed: 'Password changed',
  password_reset: 'Password set with a mailed link',
  email_change_requested: 'New email asked for',
  email_changed: 'Email changed',
  email_change_undone: 'Change of the email undone',
  public_email_changed: 'Another email on the page',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  export_started: 'Export of all data started',
  account_deleted: 'Account deleted',
};

/** The city of the browser's time zone; null if it is unknown. */
function placeOf({ time_zone }: Pick<Session, 'time_zone'>): string | null {
  return time_zone === null ? null : timeZoneCity(time_zone);
}

function joinKnown(...facts: readonly (string | null)[]): string {
  return facts.filter((fact) => fact !== null).join(' · ');
}

import type { CurrentArtist } from '#contract/artist.ts';
import { MAIL_LIMITS } from '#domain/requests/limits.ts';
import { mailEmailProof } from '#stores/studio/profile.ts';
import { ActionButton } from './buttons.tsx';
import { Icon } from './Icon.tsx';

/** Asks on every studio page for the email to be confirmed, until it is. */
export function EmailProofBanner({ me }: { me: CurrentArtist }) {
  if (me.email_proven) return null;

  return (
    <section
      aria-label="Confirm your email"
      className="card flex items-start gap-3 border-l-4 border-l-main p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      <div className="grid min-w-0 justify-items-start gap-3 wrap-anywhere">
        <div>
          <p>Confirm your email so that your mails can carry your name and words.</p>
          <p className="text-sm text-muted">
            {`We mailed the link to ${me.email}. Until then, at most ${MAIL_LIMITS.unprovenArtist.most} mails a day are sent.`}
          </p>
        </div>
        <ActionButton label="Mail it again" onAct={() => mailEmailProof(me)} />
      </div>
    </section>
  );
}

import { useState } from 'react';
import type { AdminArtist } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { formatShortDateAndTime, formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { adminArtists, deactivate, reactivate } from '#stores/studio/admin.ts';
import { ActionButton, Button } from '../buttons.tsx';
import { ProofButton } from '../ProofButton.tsx';
import { AdminListView } from './AdminListView.tsx';
import { RecoveryLinkDialog } from './RecoveryLinkDialog.tsx';

export function ArtistsPart({ me }: { me: CurrentArtist }) {
  return (
    <AdminListView
      list={adminArtists}
      noun="artist"
      searchPlaceholder="Name, username, email or id"
      empty={{ title: 'No artists yet', text: 'Who signs up is listed here.' }}
    >
      {(artist) => <ArtistRow artist={artist} me={me} />}
    </AdminListView>
  );
}

function ArtistRow({ artist, me }: { artist: AdminArtist; me: CurrentArtist }) {
  const { username, full_name, email, email_proven, is_active, is_superuser } = artist;
  return (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0 wrap-anywhere">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-sans text-lg font-semibold">
          <span>{full_name}</span>
          {!is_active && <Badge className="border-danger text-danger">Inactive</Badge>}
          {is_superuser && <Badge className="border-line text-muted">Superuser</Badge>}
        </h3>
        <p className="text-muted">
          <span>{username}</span>
          <span>{` · ${email}`}</span>
          {!email_proven && <span>{' (not confirmed)'}</span>}
        </p>
        <p className="text-sm text-muted">{formatFacts(artist, me.studio)}</p>
      </div>
      <ArtistActions artist={artist} me={me} />
    </div>
  );
}

function Badge({ className, children }: { className: string; children: string }) {
  return (
    <span className={`rounded-full border px-2.5 py-0.5 text-sm font-semibold ${className}`}>
      {children}
    </span>
  );
}

function formatFacts(
  { created_at, last_login_at, inactive_since }: AdminArtist,
  zone: StudioZone,
): string {
  const facts = [
    `Since ${formatShortDay(created_at, zone)}`,
    last_login_at === null
      ? 'no known login'
      : `last login ${formatShortDateAndTime(last_login_at, zone)}`,
  ];
  if (inactive_since !== null)
    facts.push(`inactive since ${formatShortDateAndTime(inactive_since, zone)}`);
  return facts.join(' · ');
}

function ArtistActions({ artist, me }: { artist: AdminArtist; me: CurrentArtist }) {
  const [isLinkOpen, setLinkOpen] = useState(false);
  // Superusers cannot deactivate themselves, and change their password in their profile.
  if (artist.id === me.id) return <p className="text-muted">This is you.</p>;
  return (
    <div className="flex flex-wrap gap-2">
      {artist.is_active ? (
        <>
          <Button
            label="Recovery link…"
            labelEnd={` for ${artist.username}`}
            onClick={() => setLinkOpen(true)}
          />
          <ProofButton
            label="Deactivate…"
            labelEnd={` ${artist.username}`}
            title={`Deactivate ${artist.username}?`}
            email={me.email}
            confirmLabel="Deactivate"
            cancelLabel="Keep it active"
            danger
            onConfirm={(proof) => deactivate(artist, proof)}
          >
            <p>
              Their page goes offline, so that nobody can book, and all their logins and exports
              end. Appointments, clients and pictures stay. You can activate the account again at
              any time.
            </p>
          </ProofButton>
        </>
      ) : (
        <ActionButton
          label="Activate"
          labelEnd={` ${artist.username}`}
          onAct={() => reactivate(artist)}
        />
      )}
      {/* Stays open when the account is deactivated meanwhile: the link is shown only once. */}
      {isLinkOpen && (
        <RecoveryLinkDialog artist={artist} me={me} onClose={() => setLinkOpen(false)} />
      )}
    </div>
  );
}

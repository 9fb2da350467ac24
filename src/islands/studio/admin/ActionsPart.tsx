import type { CurrentArtist } from '#contract/artist.ts';
import { formatShortDateAndTime } from '#domain/time/format_time.ts';
import { adminActions } from '#stores/studio/admin.ts';
import { AdminListView } from './AdminListView.tsx';
import { formatAction } from './labels.ts';

export function ActionsPart({ me }: { me: CurrentArtist }) {
  return (
    <AdminListView
      list={adminActions}
      noun="action"
      empty={{
        title: 'No actions yet',
        text: 'What superusers do to accounts and mails of others is listed here for a year.',
      }}
    >
      {(action) => (
        <div className="wrap-anywhere">
          <h3 className="font-sans font-semibold">{formatAction(action)}</h3>
          <p className="text-sm text-muted">
            {`${action.superuser ?? 'A deleted superuser'} · ${formatShortDateAndTime(action.happened_at, me.studio)}`}
          </p>
        </div>
      )}
    </AdminListView>
  );
}

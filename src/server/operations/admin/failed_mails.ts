/** The mails of all artists that were not delivered, for superusers. */
import type { FailedMail } from '#contract/admin.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import { isBeforeItsEnd, isToClient } from '#domain/mail/mail.ts';
import { toEmailHint } from '#domain/mail/mailbox.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import * as mailLists from '#server/database/mail_lists.ts';
import { requeueMails } from '#server/database/mails.ts';
import type { TokenOwner } from '../accounts/sessions.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { queueAgain, resendableNotice } from '../mail/mails.ts';
import { enqueueMailsAgain } from '../mail/notify.ts';

/** Lists the mails of all artists that failed, or whose last attempt did, the newest first. */
export async function listFailedMails(
  { database }: Context,
  page: PageQuery,
  now: Instant,
): Promise<ListPage<FailedMail>> {
  const { rows, count } = await mailLists.listFailedMails(database, page);
  return { data: rows.map((row) => toFailedMail(row, now)), count };
}

/** Sends a failed mail again: one about an appointment with current data (`queueAgain`), any other unchanged. */
export async function sendFailedMailAgain(
  context: Context,
  superuser: TokenOwner,
  id: string,
  now: Instant,
): Promise<void> {
  const failed = requireFound(await mailLists.findFailedMail(context.database, id));
  const { artist_id: artistId, notice, status } = failed;
  if (status !== 'failed' || !isBeforeItsEnd(notice, now)) throw refuse('mail_outdated');
  const isAboutAppointment = 'appointment' in notice;
  const scope = isAboutAppointment ? calendarScope(artistId, []) : { invalidates: [] };
  await change(context, scope, async (context) => {
    const { database } = context;
    if (isAboutAppointment) await queueAgain(context, artistId, { id }, now);
    else {
      const requeued = await requeueMails(database, artistId, [id], 'failed');
      if (requeued.length === 0) throw refuse('mail_outdated');
      // Their first jobs have ended.
      await enqueueMailsAgain(context, requeued);
    }
    await insertAdminAction(database, {
      superuser_id: superuser.id,
      kind: 'mail_sent_again',
      artist_id: artistId,
      detail: notice.kind,
    });
  });
}

function toFailedMail(row: mailLists.FailedMailRow, now: Instant): FailedMail {
  const { kind } = row.notice;
  const failure = row.failure ?? '';
  // The operator needs the reason, and not the client's address.
  const shownAddress = isToClient(kind) ? toEmailHint(row.address) : row.address;
  return {
    id: row.id,
    kind,
    recipient: isToClient(kind) ? 'client' : 'artist',
    address: shownAddress,
    status: row.status === 'failed' ? 'failed' : 'queued',
    // Mail servers repeat addresses in another letter case.
    failure: replaceInAnyCase(failure, row.address, shownAddress),
    artist: { id: row.artist_id, username: row.artist_username },
    can_send_again: canSendAgain(row, now),
    created_at: toRfc3339(row.created_at.getTime()),
    settled_at: row.settled_at && toRfc3339(row.settled_at.getTime()),
  };
}

function canSendAgain(row: mailLists.FailedMailRow, now: Instant): boolean {
  if (row.status !== 'failed') return false;
  if (!('appointment' in row.notice)) return isBeforeItsEnd(row.notice, now);
  return resendableNotice(row, now) !== undefined;
}

/** Replaces a text, also where it has other capitals. */
function replaceInAnyCase(text: string, searched: string, replacement: string): string {
  const escaped = searched.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.replace(new RegExp(escaped, 'gi'), () => replacement);
}

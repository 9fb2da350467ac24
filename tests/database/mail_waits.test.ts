import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import * as waits from '#server/database/mail_waits.ts';
import { dropMails, findMail, finishMail } from '#server/database/mails.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { withRollback } from '#support/database_rows.ts';
import { createAppointmentNotice } from '#support/sample_notices.ts';

const NOW = Date.now();

/** Runs the work with three mails that wait for an hour, in a transaction that is rolled back. */
async function withWaitingMails(
  work: (parts: {
    transaction: Parameters<typeof findMail>[0];
    ids: string[];
    mailbox: string;
  }) => Promise<void>,
) {
  const { database, artist } = await openArtistContext();
  await withRollback(database, async (transaction) => {
    const address = `${crypto.randomUUID()}@example.com`;
    const mailbox = hashMailbox(address);
    const mails = [1, 2, 3].map((version) => ({
      notice: createAppointmentNotice('booked', { id: crypto.randomUUID(), version }),
      address,
      artistId: artist.id,
    }));
    await transaction
      .insertInto('mails')
      .values(
        mails.map(({ notice, address, artistId }) => ({
          artist_id: artistId,
          sender_id: artistId,
          cause: crypto.randomUUID(),
          notice: JSON.stringify(notice),
          address,
          mailbox,
          waits_for: 'mailbox' as const,
          waits_until: new Date(NOW + HOUR_MS),
        })),
      )
      .execute();
    const rows = await transaction
      .selectFrom('mails')
      .select('id')
      .where('mailbox', '=', mailbox)
      .orderBy('id')
      .execute();
    await work({ transaction, ids: rows.map(({ id }) => id), mailbox });
  });
}

test('a mail is woken once after its wait, and again after another wait', async () => {
  await withWaitingMails(async ({ transaction, ids, mailbox }) => {
    const wake = async (at: number) => {
      const woken = await waits.wakeDueMails(transaction, at);
      // Other tests have mails that wait, such as those of holds.
      return woken.filter((id) => ids.includes(id)).toSorted();
    };
    expect(await wake(NOW)).toEqual([]);
    expect(await wake(NOW + HOUR_MS)).toEqual(ids);
    expect(await wake(NOW + 2 * HOUR_MS)).toEqual([]);
    const again = { mailbox, until: NOW + 3 * HOUR_MS, budget: 'mailbox' } as const;
    await waits.updateMailWait(transaction, ids[0] ?? '', again);
    expect(await wake(NOW + 3 * HOUR_MS)).toEqual([ids[0]]);
  });
});

test('merged mails end with the mail that reports them', async () => {
  await withWaitingMails(async ({ transaction, ids: [first = '', ...others], mailbox }) => {
    const wanted = { exceptId: first, mailbox, kinds: ['booked'], limit: 9 } as const;
    const due = await waits.listDueMails(transaction, wanted, NOW + HOUR_MS);
    expect(due.map(({ id }) => id).toSorted()).toEqual(others);
    await waits.mergeMails(transaction, others, first);
    expect(await waits.listMergedMails(transaction, first)).toHaveLength(2);
    await finishMail(transaction, first, { status: 'sent' });
    for (const id of others) expect((await findMail(transaction, id))?.status).toBe('sent');
  });
});

test('when the mail that reports others is dropped, the others become due again', async () => {
  await withWaitingMails(async ({ transaction, ids: [first = '', ...others] }) => {
    await waits.wakeDueMails(transaction, NOW + HOUR_MS);
    await waits.mergeMails(transaction, others, first);
    await dropMails(transaction, [first]);
    const woken = await waits.wakeDueMails(transaction, NOW + 2 * HOUR_MS);
    expect(woken.toSorted()).toEqual(others);
  });
});

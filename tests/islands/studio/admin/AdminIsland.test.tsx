import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import AdminIsland from '#islands/studio/admin/AdminIsland.tsx';
import {
  $doctor,
  $resentMailIds,
  adminActions,
  adminArtists,
  failedMails,
  serverErrors,
} from '#stores/studio/admin.ts';
import { mutateCache, revalidate } from '#stores/studio/queries.ts';
import { $troubleCounts } from '#stores/studio/server_state.ts';
import {
  ACTION,
  BO,
  FAILED_MAIL,
  MAIL_QUEUE,
  SERVER_ERROR,
  SERVER_STATE,
} from '#support/admin_records.ts';
import { problemResponse, zoneWithOffsets } from '#support/fake_api.ts';
import { ANA_SELF, toListed } from '#support/fake_schedule_api.ts';
import {
  findDialog,
  listWrites,
  openStudioPage,
  press,
  resetStudioPage,
} from '#support/fake_studio_api.ts';

const BOSS: CurrentArtist = {
  ...ANA_SELF,
  is_superuser: true,
  studio: { ...ANA_SELF.studio, ...zoneWithOffsets('UTC') },
};

afterEach(async () => {
  await resetStudioPage(
    adminArtists.$list,
    failedMails.$list,
    serverErrors.$list,
    adminActions.$list,
    $troubleCounts,
  );
  for (const list of [adminArtists, serverErrors]) list.open({ search: '', skip: 0 });
  const lists = ['artists', 'mails', 'jobs', 'errors', 'server', 'actions'] as const;
  for (const name of lists) mutateCache(`admin-${name}`, undefined);
  $resentMailIds.set(new Set());
  $doctor.set({ isRunning: false, findings: null });
});

function open(hash: string, answers: Parameters<typeof openStudioPage>[1] = {}, me = BOSS) {
  const calls = openStudioPage(`/studio/admin${hash}`, { 'GET users/me': me, ...answers });
  render(<AdminIsland productName="Linework" />);
  return calls;
}

const firstRow = async (list: string) => {
  const found = await screen.findByRole('list', { name: list });
  return within(found).getAllByRole('listitem')[0]?.textContent ?? '';
};

test('artists who are no superusers read that there is no such page, and nothing is loaded', async () => {
  const calls = open('', {}, { ...BOSS, is_superuser: false });
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Parts of the admin page' })).toBeNull();
  expect(calls.filter(({ path }) => path.startsWith('admin'))).toEqual([]);
});

test('only the shown part is loaded, and how much needs attention', async () => {
  const calls = open('#jobs', { 'GET admin/jobs': toListed(MAIL_QUEUE) });
  expect(await firstRow('Queues with jobs')).toBe(
    'Mail3 waiting · 1 to be tried againThe oldest waits since Tue, Dec 1, 2026, 11:00 AM.',
  );
  expect(
    calls
      .filter(({ path }) => path.startsWith('admin'))
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['admin/jobs', 'admin/server']);
  expect(screen.getAllByRole('link', { name: 'Admin' })).not.toEqual([]);
});

test('the parts show how many mails have failed and how many errors there are, but no counts of 0', async () => {
  const troubles = { failed_mails: 2, new_failed_mails: 0, retried_mails: 1, failed_jobs: 0 };
  const state = { ...SERVER_STATE, troubles: { ...troubles, errors: 31, new_errors: 0 } };
  open('', { 'GET admin/server': state });
  const parts = within(await screen.findByRole('navigation', { name: 'Parts of the admin page' }));
  expect(await parts.findByRole('link', { name: 'Mail 3 not delivered' })).toBeDefined();
  expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Artists', 'Mail 3 not delivered', 'Jobs', 'Errors 31 in 14 days'],
    ...['Server', 'Actions'],
  ]);
});

test('an artist is deactivated after a question, and activated again', async () => {
  let bo = BO;
  const deactivated = Promise.withResolvers<object>();
  const calls = open('', {
    'GET admin/artists': () => toListed(bo, { ...BO, id: BOSS.id, username: 'boss' }),
    'POST admin/artists/bo-id/deactivate': () => {
      bo = { ...BO, is_active: false, inactive_since: '2026-12-01T12:00:00Z' };
      return deactivated.promise;
    },
    'POST admin/artists/bo-id/reactivate': () => {
      bo = BO;
      return bo;
    },
  });
  expect(await firstRow('Artists')).toContain('last login Mon, Nov 30, 2026, 12:00 PM');
  screen.getByText('This is you.');
  expect(screen.queryByRole('button', { name: 'Deactivate… boss' })).toBeNull();
  await press('Deactivate… bo');
  const dialog = await findDialog('Deactivate bo?');
  expect(listWrites(calls)).toEqual([]);
  await userEvent.type(dialog.getByLabelText(/Your password/), 'secret');
  await userEvent.click(dialog.getByRole('button', { name: 'Deactivate' }));
  // Nothing can be taken back now.
  expect(dialog.getByRole('button', { name: 'Keep it active' })).toHaveProperty('disabled', true);
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).not.toBeNull();
  deactivated.resolve(bo);
  await waitFor(async () => expect(await firstRow('Artists')).toContain('Inactive'));
  expect(await firstRow('Artists')).toContain('inactive since Tue, Dec 1, 2026, 12:00 PM');
  await screen.findByRole('button', { name: 'Undo' });
  await press('Activate bo');
  await waitFor(async () => expect(await firstRow('Artists')).not.toContain('Inactive'));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a recovery link takes the password, and is shown until the dialog closes', async () => {
  const url = 'https://linework.test/reset-password?token=abc';
  const made = Promise.withResolvers<object>();
  let bo = BO;
  let answer: () => object = () => problemResponse(400, 'That is not your current password');
  const answers = {
    'GET admin/artists': () => toListed(bo),
    'POST admin/artists/bo-id/recovery-link': () => answer(),
  };
  const studio = { ...BOSS.studio, ...zoneWithOffsets('Asia/Kathmandu') };
  const calls = open('', answers, { ...BOSS, studio });
  await press('Recovery link… for bo');
  const dialog = await findDialog('Recovery link for bo');
  await userEvent.type(dialog.getByLabelText(/Your own password/), 'secret');
  await press('Make the link');
  expect(await dialog.findByText('That is not your password')).toBeDefined();
  answer = () => made.promise;
  await press('Make the link');
  await dialog.findByRole('button', { name: 'Making the link…' });
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  await press('Close');
  // Another superuser deactivates the account meanwhile.
  bo = { ...BO, is_active: false };
  await act(async () => revalidate('admin-artists'));
  await waitFor(async () => expect(await firstRow('Artists')).toContain('Inactive'));
  made.resolve({ url, expires_at: '2026-12-01T13:00:00Z' });
  expect(await dialog.findByDisplayValue(url)).toBeDefined();
  dialog.getByText(/until 6:45 PM, Nepal Time \(Kathmandu\), and is not shown again/);
  const path = 'admin/artists/bo-id/recovery-link';
  expect(listWrites(calls).at(-1)).toMatchObject({ path, body: { current_password: 'secret' } });
  // The second tap of a double tap meets what is beside the dialog.
  fireEvent.pointerDown(screen.getByRole('dialog'));
  expect(dialog.getByDisplayValue(url)).toBeDefined();
  await press('Done');
  expect(document.body.innerHTML).not.toContain('token=abc');
});

test('a failed mail shows its reason and is sent again; a mail that was, or is tried by itself, has no button', async () => {
  let mail = FAILED_MAIL;
  const queued = { ...FAILED_MAIL, id: 'queued', status: 'queued', can_send_again: false };
  const calls = open('#mail', {
    'GET admin/server': SERVER_STATE,
    'GET admin/mails': () => toListed(mail, queued),
    'POST admin/mails/mail-id/send-again': () => {
      // A newer mail says the same.
      mail = { ...FAILED_MAIL, can_send_again: false };
      return new Response(null, { status: 204 });
    },
  });
  expect(await firstRow('Failed mails')).toContain('550 No such mailbox');
  await press('Send again: Booking confirmation to r•••@example.com');
  await waitFor(async () => expect(await firstRow('Failed mails')).toContain('Queued again.'));
  expect(listWrites(calls).map(({ path }) => path)).toEqual(['admin/mails/mail-id/send-again']);
  expect(await firstRow('Failed mails')).not.toContain('nothing to send again');
  screen.getByText(/It is tried again by itself/);
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull();
  expect(screen.queryByText(/^No mail leaves this server/)).toBeNull();
});

test('the mail says so while none leaves the server', async () => {
  open('#mail', { 'GET admin/server': { ...SERVER_STATE, sends_mail: false } });
  expect(await screen.findByText('No mail has failed')).toBeDefined();
  expect(await screen.findByText(/^No mail leaves this server/)).toBeDefined();
});

test('a search shows that it works, and how many it has found', async () => {
  const found = Promise.withResolvers<object>();
  open('', {
    'GET admin/artists': ({ query }) =>
      query.has('search') ? found.promise : toListed(BO, { ...BO, id: 'cleo-id' }),
  });
  const isBusy = () =>
    screen.getByRole('list', { name: 'Artists' }).closest('[aria-busy="true"]') !== null;
  expect(await screen.findByText('2 artists')).toBeDefined();
  expect(isBusy()).toBe(false);
  await userEvent.type(screen.getByLabelText('Search artists'), 'b');
  expect(screen.getByText('Searching…').closest('[role="status"]')).not.toBeNull();
  expect(isBusy()).toBe(true);
  found.resolve(toListed(BO));
  expect(await screen.findByText('1 found')).toBeDefined();
  expect(isBusy()).toBe(false);
});

test('an error shows where it happened, without the frames of packages, and is searched by its reference', async () => {
  const stack =
    'at query (/x/node_modules/pg/client.js:5:1)\nat save (/x/src/one.ts:1:1)\nat node:fs:1';
  const calls = open('#errors', {
    'GET admin/errors': ({ query }) =>
      query.get('search') === 'none' ? toListed() : toListed({ ...SERVER_ERROR, stack }),
  });
  const row = await firstRow('Errors');
  for (const text of ['TypeError: No such field', 'GET /[username] answered 500', 'abc-1'])
    expect(row).toContain(text);
  screen.getByText('at save (/x/src/one.ts:1:1)');
  await userEvent.type(screen.getByLabelText('Search errors'), 'none');
  expect(await screen.findByText('There are no errors with “none”.')).toBeDefined();
  expect(calls.at(-1)?.query.get('search')).toBe('none');
});

const OLD_BACKUP = {
  ...{ file: 'a.tar', bytes: 1, seconds: 1, finished_at: '2026-12-01T03:41:00Z', is_old: true },
};
const withTroubles = (some: object) => ({ troubles: { ...SERVER_STATE.troubles, ...some } });

test.each<[string, state: object, text: string | RegExp, className: string]>([
  ['the state of its database', {}, '0001_schema', ''],
  ['its disk', {}, '20 GB of 80 GB free (25%)', ''],
  ['that it was never backed up', {}, /^Never\./, 'text-danger'],
  [
    'an old backup',
    { backup: OLD_BACKUP },
    /a\.tar.*look for the reason in the log/,
    'text-danger',
  ],
  [
    'failed mail',
    withTroubles({ failed_mails: 3 }),
    'Handed to the mail server. 3 mails failed, 0 of them within 24 hours.',
    '',
  ],
  [
    'mail that is not accepted yet',
    withTroubles({ failed_mails: 3, retried_mails: 2 }),
    /^Handed to the mail server\. 2 mails not accepted yet, to be tried again\. 3 mails failed/,
    'text-danger',
  ],
])('the server shows %s, and what is wrong in red', async (_, state, text, className) => {
  open('#server', { 'GET admin/server': { ...SERVER_STATE, ...state } });
  expect((await screen.findByText(text)).className).toBe(className);
});

test('the doctor shows what is wrong first, with commands as code; it stays when the next check fails', async () => {
  const advice = 'Set SMTP_URL, and try it with `npm run mail:test`. A lone ` stays.';
  let findings: object = toListed(
    { part: 'disk', status: 'ok', message: 'Free.', advice: null },
    { part: 'mail', status: 'warning', message: 'Saved, not sent.', advice },
  );
  open('#server', { 'GET admin/server': SERVER_STATE, 'POST admin/doctor': () => findings });
  await press('Check now');
  expect(await screen.findByText('1 warning in 2 checks.')).toBeDefined();
  expect(await firstRow('What is wrong')).toBe(
    'Warning: mailSaved, not sent.Set SMTP_URL, and try it with npm run mail:test. A lone ` stays.',
  );
  expect(screen.getByText('npm run mail:test').tagName).toBe('CODE');
  expect(screen.getByText('What is fine (1)')).toBeDefined();
  findings = problemResponse(503, 'Not now');
  await press('Check now');
  expect(await screen.findByText('Not now')).toBeDefined();
  expect(screen.getByText('1 warning in 2 checks.')).toBeDefined();
});

test('actions say who did what, and when', async () => {
  open('#actions', {
    'GET admin/actions': toListed(
      ACTION,
      { ...ACTION, id: '2', superuser: null, kind: 'account_deleted', artist: null },
      { ...ACTION, id: '3', kind: 'mail_sent_again', detail: 'booked' },
    ),
  });
  const list = await screen.findByRole('list', { name: 'Actions' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Deactivated boboss · Tue, Dec 1, 2026, 11:00 AM',
    'Deleted an accountA deleted superuser · Tue, Dec 1, 2026, 11:00 AM',
    'Sent a mail of bo again: Booking confirmationboss · Tue, Dec 1, 2026, 11:00 AM',
  ]);
});

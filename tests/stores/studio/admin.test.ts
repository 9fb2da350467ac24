import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#stores/session.ts';
import * as admin from '#stores/studio/admin.ts';
import { $toasts } from '#stores/toasts.ts';
import { BO, FAILED_MAIL } from '#support/admin_records.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';

let answer: (call: ApiCall) => Response | object;
let calls: ApiCall[];

beforeEach(() => {
  $toasts.set([]);
  admin.$resentMailIds.set(new Set());
  startSession('token');
  calls = stubApi((call) => answer(call));
});
afterEach(() => {
  history.replaceState(null, '', '/studio/admin');
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const called = () =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const noContent = () => new Response(null, { status: 204 });

test('a search starts at the first page once the typing pauses', async () => {
  vi.useFakeTimers();
  answer = () => ({ data: [BO], count: 1 });
  const stop = admin.adminArtists.$list.listen(() => {});
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  admin.adminArtists.goTo(20);
  admin.adminArtists.search('b');
  admin.adminArtists.search(' bo ');
  expect(admin.adminArtists.$search.get()).toBe('');
  await vi.advanceTimersByTimeAsync(300);
  expect(admin.adminArtists.$search.get()).toBe('bo');
  await vi.waitFor(() => expect(calls.at(-1)?.query.toString()).toBe('search=bo&skip=0&limit=20'));
  stop();
});

test('a deactivation can be undone', async () => {
  answer = () => BO;
  await admin.deactivate(BO);
  const [toast] = $toasts.get();
  expect(toast).toMatchObject({ kind: 'success', action: { label: 'Undo' } });
  toast?.action?.run();
  await vi.waitFor(() =>
    expect(called()).toEqual([
      'POST admin/artists/bo-id/deactivate',
      'POST admin/artists/bo-id/reactivate',
    ]),
  );
});

test('an activation closes the toast that offers to undo the deactivation', async () => {
  answer = () => BO;
  await admin.deactivate(BO);
  await admin.deactivate({ ...BO, id: 'cleo-id', username: 'cleo' });
  await admin.reactivate(BO);
  expect($toasts.get().map(({ title, action }) => [title, action?.label])).toEqual([
    ['Deactivated.', 'Undo'],
    ['Activated.', undefined],
  ]);
});

test('a refused action is shown with its reason', async () => {
  answer = () => problemResponse(409, 'This mail is no longer true.');
  await admin.resend(FAILED_MAIL);
  expect(called()).toEqual(['POST admin/mails/mail-id/send-again']);
  expect(toastTexts()).toEqual(['Not sent This mail is no longer true.']);
  expect(admin.$resentMailIds.get()).toEqual(new Set());
});

test('a recovery link is made with the token of a new login, which ends at once', async () => {
  const link = { url: 'https://x.test/reset-password?token=1', expires_at: '2026-12-01T13:00:00Z' };
  answer = ({ path }) => {
    if (path === 'login/access-token') return { access_token: 'fresh', token_type: 'bearer' };
    return path.startsWith('admin') ? link : noContent();
  };
  expect(await admin.makeRecoveryLink(ANA_SELF, 'secret', BO)).toEqual(link);
  await vi.waitFor(() =>
    expect(calls.map(({ path, token }) => [path, token])).toEqual([
      ['login/access-token', 'token'],
      ['admin/artists/bo-id/recovery-link', 'fresh'],
      ['users/me/session', 'fresh'],
    ]),
  );
});

test('the findings of the doctor stay while it runs again, and when it fails', async () => {
  const finding = { part: 'disk', status: 'ok', message: 'Free.', advice: null };
  answer = () => ({ data: [finding], count: 1 });
  const first = admin.runDoctor();
  expect(admin.$doctor.get()).toEqual({ isRunning: true, findings: null });
  await first;
  expect(admin.$doctor.get()).toEqual({ isRunning: false, findings: [finding] });
  answer = () => problemResponse(503, 'Not now');
  await admin.runDoctor();
  expect(admin.$doctor.get()).toEqual({ isRunning: false, findings: [finding] });
  expect(toastTexts()).toEqual(['Not checked Not now']);
});

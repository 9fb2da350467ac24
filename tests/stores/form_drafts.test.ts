import { beforeEach, expect, test } from 'vitest';
import { fetchMe } from '#contract/endpoints.ts';
import { registerFormDraft, setFormDraftOwner, takeFormDraft } from '#stores/form_drafts.ts';
import { $token, callAsArtist, endSession, startSession } from '#stores/session.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';

const ANA = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01';
const BO = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';

beforeEach(() => {
  stubApi(() => problemResponse(401, 'Please log in'));
  history.replaceState(null, '', '/studio/services');
  setFormDraftOwner(ANA);
});

/** Makes the API refuse the token. */
async function expireLogin(): Promise<void> {
  startSession('old');
  await expect(callAsArtist(fetchMe)).rejects.toMatchObject({ status: 401 });
}

/** Lets the login expire while a form is open. */
async function expireWithOpenForm(read: () => unknown): Promise<void> {
  const unregister = registerFormDraft('service', read);
  await expireLogin();
  unregister();
}

test('a form that was open when the login expired is restored once', async () => {
  await expireWithOpenForm(() => ({ name: 'Small flash' }));
  expect(takeFormDraft('service')).toEqual({ name: 'Small flash' });
  expect(takeFormDraft('service')).toBeUndefined();
});

test('a draft of one artist is not restored for another', async () => {
  await expireWithOpenForm(() => ({ name: 'Small flash' }));
  setFormDraftOwner(BO);
  expect(takeFormDraft('service')).toBeUndefined();
});

test('a draft of one page is not restored on another', async () => {
  await expireWithOpenForm(() => ({ name: 'Small flash' }));
  history.replaceState(null, '', '/studio/designs');
  expect(takeFormDraft('service')).toBeUndefined();
});

test('logging out leaves no draft', () => {
  const unregister = registerFormDraft('service', () => ({ name: 'Small flash' }));
  startSession('one');
  endSession();
  unregister();
  expect(takeFormDraft('service')).toBeUndefined();
});

test('a form that was closed before the login expired leaves no draft', async () => {
  registerFormDraft('service', () => ({ name: 'Small flash' }))();
  await expireLogin();
  expect(takeFormDraft('service')).toBeUndefined();
});

test('a logout in another tab saves the draft of this tab', () => {
  const unregister = registerFormDraft('service', () => ({ name: 'Small flash' }));
  startSession('one');
  localStorage.removeItem('access_token');
  dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }));
  expect($token.get()).toBeUndefined();
  unregister();
  expect(takeFormDraft('service')).toEqual({ name: 'Small flash' });
});

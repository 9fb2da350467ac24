import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { allTasks, cleanStores, type Store } from 'nanostores';
import { vi } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { startSession } from '#stores/session.ts';
import { closeDialog } from '#stores/studio/dialog.ts';
import { mutateCache } from '#stores/studio/queries.ts';
import { type ApiCall, FLASH, problemResponse, stubApi } from './fake_api.ts';
import { ANA_SELF, toListed } from './fake_schedule_api.ts';
import { createDailySchedule } from './sample_people.ts';

type FakeAnswer = object | 'lost' | ((call: ApiCall) => object | 'lost' | Promise<object | 'lost'>);

/** Tuesday, 7:00 AM in Ana's studio in New York. */
const NOW = '2026-12-01T12:00:00Z';
const LIST_NAMES = [
  'me',
  'appointments',
  'designs',
  'clients',
  'data-requests',
  'mails',
  'messages',
  'payments',
  'services',
] as const;

/** Ana, whose clients book one service, every day from 10:00 AM to 2:00 PM. */
export const ANA_WITH_SCHEDULE: CurrentArtist = {
  ...ANA_SELF,
  schedule: { ...ANA_SELF.schedule, ...createDailySchedule('10:00', '14:00') },
};

/**
 * Logs Ana in on a page of the studio, with an API that answers by method and path
 * (`GET users/me`). Lists without an answer are empty.
 * @param answers can be changed while the page is open
 * @returns the calls so far
 */
export function openStudioPage(path: string, answers: Record<string, FakeAnswer>): ApiCall[] {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  history.replaceState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  answers['GET users/me'] ??= ANA_WITH_SCHEDULE;
  answers['GET services'] ??= toListed(FLASH);
  answers['GET mails'] ??= { ...toListed(), sends_mail: true };
  const calls = stubApi((call) => {
    const answer = answers[`${call.method} ${call.path.replace(/\/$/, '')}`];
    if (typeof answer === 'function') return answer(call);
    return answer ?? (call.method === 'GET' ? toListed() : problemResponse(404, 'Not found'));
  });
  startSession(crypto.randomUUID());
  return calls;
}

/**
 * Resets after a test of a studio page: removes the page and all loaded data.
 * @param computed stores that derive from loaded data and would retain it
 */
export async function resetStudioPage(...computed: readonly Store[]): Promise<void> {
  cleanup();
  await allTasks();
  cleanStores(...computed);
  for (const name of LIST_NAMES) mutateCache(name, undefined);
  closeDialog();
}

/** The calls that change something: all except GET. */
export const listWrites = (calls: readonly ApiCall[]) =>
  calls.filter(({ method }) => method !== 'GET');

export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

export const input = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);

/** Sets the whole text of a field. */
export const type = (label: string | RegExp, value: string) =>
  fireEvent.change(input(label), { target: { value } });

export const findDialog = async (name: string | RegExp) =>
  within(await screen.findByRole('dialog', { name }));

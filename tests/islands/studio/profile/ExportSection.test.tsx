import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Export } from '#contract/export.ts';
import { ExportSection } from '#islands/studio/profile/ExportSection.tsx';
import { startSession } from '#stores/session.ts';
import { $exports } from '#stores/studio/exports.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toListed } from '#support/fake_schedule_api.ts';

const RUNNING: Export = {
  id: 'one',
  state: 'running',
  done: 21,
  total: 50,
  created_at: '2026-12-01T15:00:00Z',
  expires_at: null,
  size: null,
  url: null,
};
const READY: Export = {
  ...RUNNING,
  state: 'ready',
  expires_at: '2026-12-02T15:15:00Z',
  size: 12_345_678,
  url: 'http://api.test/api/v1/users/exports/one/download?token=abc',
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(...listed: Export[]): { calls: ReturnType<typeof stubApi>; listed: Export[] } {
  const calls = stubApi(({ method }) => {
    if (method === 'POST') listed.unshift({ ...RUNNING, id: 'two' });
    if (method === 'DELETE') listed.pop();
    return method === 'GET' ? toListed(...listed) : RUNNING;
  });
  startSession('one');
  $exports.invalidate();
  render(<ExportSection me={ANA_SELF} />);
  return { calls, listed };
}

test('the button starts an export, whose progress is shown', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Export everything' }));
  const progress = await screen.findByRole('progressbar', { name: 'Progress of the export' });
  expect(progress.getAttribute('value')).toBe('42');
  screen.getByText('42 %');
  expect(screen.queryByRole('button', { name: 'Export everything' })).toBeNull();
});

test('a ready export is a link with its size and its end, and can be deleted', async () => {
  show(READY);
  const link = await screen.findByRole('link', { name: /^Download \(12 MB\)/ });
  expect(link.getAttribute('href')).toBe(READY.url);
  screen.getByText('Until Wed, Dec 2, 10:15 AM');
  screen.getByRole('button', { name: 'Export everything' });
});

test('a failed export says so, and can be tried again', async () => {
  const { calls } = show({ ...RUNNING, state: 'failed' });
  await screen.findByText('The last export failed. Nothing was lost.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('progressbar');
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

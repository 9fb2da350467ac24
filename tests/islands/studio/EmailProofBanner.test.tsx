import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { EmailProofBanner } from '#islands/studio/EmailProofBanner.tsx';
import { startSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
import { stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';

afterEach(() => {
  cleanup();
  $toasts.set([]);
  vi.unstubAllGlobals();
});

/** Answers as the API does; the artist has perhaps used the link since the banner was shown. */
function stubArtist(isProven: boolean) {
  startSession('token');
  return stubApi(({ method }) =>
    method === 'POST'
      ? new Response(null, { status: 204 })
      : Response.json({ ...ANA_SELF, email_proven: isProven }),
  );
}

test('the banner says what an unconfirmed email means, and mails the link again', async () => {
  const calls = stubArtist(false);
  render(<EmailProofBanner me={{ ...ANA_SELF, email_proven: false }} />);
  screen.getByText(
    `Confirm your email: we mailed a link to ${ANA_SELF.email}. Until then, mails to your clients carry none of your words, and at most 30 are sent a day.`,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Mail it again' }));
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST users/me/prove-email',
    'GET users/me',
  ]);
  expect(toastTexts().join()).toContain('Email sent.');
});

test('an artist who has used the link meanwhile learns so', async () => {
  stubArtist(true);
  render(<EmailProofBanner me={{ ...ANA_SELF, email_proven: false }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Mail it again' }));
  expect(toastTexts()).toEqual(['Confirmed. Your email is confirmed already.']);
});

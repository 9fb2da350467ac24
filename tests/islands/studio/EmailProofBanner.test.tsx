import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { EmailProofBanner } from '#islands/studio/EmailProofBanner.tsx';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';

afterEach(() => {
  cleanup();
  $toasts.set([]);
  vi.unstubAllGlobals();
});

test('an artist whose email is confirmed sees no banner', () => {
  const { container } = render(<EmailProofBanner me={ANA_SELF} />);
  expect(container.textContent).toBe('');
});

test('the banner says what an unconfirmed email means, and mails the link again', async () => {
  const calls = stubApi(() => new Response(null, { status: 204 }));
  render(<EmailProofBanner me={{ ...ANA_SELF, email_proven: false }} />);
  screen.getByText(
    `Confirm your email: we mailed a link to ${ANA_SELF.email}. Until then, mails to your clients carry none of your words, and at most 30 are sent a day.`,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Mail it again' }));
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST users/me/prove-email',
  ]);
  expect(toastTexts().join()).toContain('Email sent.');
});

test('beyond the hourly limit the banner shows the refusal', async () => {
  stubApi(() => problemResponse(429, 'Too many tries. Please wait a moment and try again.'));
  render(<EmailProofBanner me={{ ...ANA_SELF, email_proven: false }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Mail it again' }));
  expect(toastTexts().join()).toContain('Too many tries');
});

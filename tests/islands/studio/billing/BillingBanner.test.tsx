import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { BillingBanner } from '#islands/studio/billing/BillingBanner.tsx';
import { SUBSCRIPTION_STATES } from '#support/browser_billing.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

afterEach(cleanup);

function renderBanner(state: keyof typeof SUBSCRIPTION_STATES): string {
  const { container } = render(
    <BillingBanner me={{ ...ANA_SELF, ...SUBSCRIPTION_STATES[state] }} />,
  );
  return container.textContent;
}

test.each([
  ['trialEnds', 'Your trial ends on'],
  ['trialOver', 'Your trial is over: clients cannot book'],
  ['grace', 'A payment failed. Bookings stay open until'],
  ['unpaid', 'A payment failed: clients cannot book'],
  ['paused', 'Your subscription is paused: clients cannot book'],
  ['ended', 'Your subscription has ended: clients cannot book'],
] as const)('the banner shows the problem and links to billing: %s', (state, text) => {
  expect(renderBanner(state)).toContain(text);
  const link = screen.getByRole('link', { name: 'Go to Billing' });
  expect(link.getAttribute('href')).toBe('/studio/billing');
});

test.each(['trial', 'subscribed', 'ending'] as const)('there is no banner: %s', (state) => {
  expect(renderBanner(state)).toBe('');
});

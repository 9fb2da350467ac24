import { expect } from '@playwright/test';
import type { Design } from '#contract/design.ts';
import { callSite, newSiteArtist, requestAppointment } from './browser_api.ts';
import { dateAhead, newYorkInstant, openActionDialog, slotFrom } from './browser_appointments.ts';
import { addDesigns, chooseFiles, createPhoto } from './browser_artwork.ts';
import { button, fillFields, waitForHydration } from './browser_booking.ts';
import { openAs } from './browser_login.ts';
import type { PageStates } from './browser_page_states.ts';
import { expectOk } from './call_api.ts';
import type { ArtistOptions, TestArtist } from './new_artist.ts';

const TERMS = {
  booking_policy: 'Free changes until 48 hours before.\nAfter that, the deposit stays with me.',
  deposit: { amount: 5000 },
};
const FACTS = {
  description: 'A swallow in flight.',
  price: { kind: 'range', amount: 60_000, amount_to: 90_000 },
  width_mm: 100,
  height_mm: 120,
  placements: ['arms', 'legs', 'chest', 'back'],
  color: 'black',
  editions: 3,
};

/** States of pages with prices, facts of designs, editions and payments. */
export const PRICE_PAGE_STATES: PageStates = {
  'services and designs with prices, one of them taken': async (page) => {
    const { username } = await createPricedArtist();
    await page.goto(`/${username}/`);
    await expect(page.getByText('$600 – $900').first()).toBeVisible();
  },
  'the page of a design with all its facts': async (page) => {
    const { username, design } = await createPricedArtist();
    await page.goto(`/${username}/designs/${design.id}`);
    await expect(page.getByText('$600 – $900')).toBeVisible();
  },
  'a form whose design was just taken, with designs like it': async (page, watch) => {
    const { username, design, token } = await createPricedArtist();
    await page.goto(`/${username}/scheduling?design=${design.id}`);
    await waitForHydration(page);
    await page.getByRole('button', { name: /^Soonest: / }).click();
    await fillFields(page, { email: 'rosa@example.com' });
    const json = { status: 'claimed' };
    await expectOk(callSite(`PATCH /designs/${design.id}`, { token, json }));
    watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 409$/);
    await button(page, 'Save').click();
    await expect(page.getByRole('list', { name: 'Designs like it' })).toBeVisible();
  },
  'an appointment with a price, a policy and a deposit, on the client’s page': async (page) => {
    const { username, entered } = await createPricedArtist();
    await page.goto(`/${username}/confirmation/${entered}/`);
    await waitForHydration(page);
    await expect(page.getByText('A deposit of $50 is expected.')).toBeVisible();
  },
  'drafts as a sheet, with messages': async (page) => {
    await openAs(page, await newSiteArtist(), '/studio/designs');
    await chooseFiles(page, 'Add designs', [
      await createPhoto('rose.jpg'),
      await createPhoto('moth.jpg', 1),
    ]);
    const rose = page.getByRole('group', { name: 'Rose' });
    await rose.getByLabel('Price').fill('cheap');
    await rose.getByLabel('Width (in)').fill('wide');
    await rose.getByLabel('How often (empty: any)').fill('0');
    await button(page, 'Publish all 2').click();
    await expect(page.getByText(/^Must be a length up to/)).toBeVisible();
  },
  'a design with all its facts being edited': async (page) => {
    const artist = await createPricedArtist();
    await openAs(page, artist, '/studio/designs');
    await button(page, 'Edit Swallow').click();
    await expect(page.getByLabel('Highest amount')).toHaveValue('900');
  },
  'prices and terms of the profile, with messages': async (page) => {
    await openAs(page, await createPricedArtist(), '/studio/profile#prices');
    await page.getByLabel('Expected deposit').fill('a lot');
    await button(page, 'Save prices and terms').click();
    await expect(page.getByText('Write the amount like 1,234.50')).toBeVisible();
  },
  'an appointment with a price, a payment and notes': async (page) => {
    const artist = await createPricedArtist();
    await openAs(page, artist, `/studio/appointments?id=${artist.entered}`);
    await expect(page.getByText('Afraid of needles.')).toBeVisible();
    await expect(page.getByText(/^\$50 in cash, /)).toBeVisible();
  },
  'a payment being noted, with messages': async (page) => {
    const artist = await createPricedArtist();
    await openAs(page, artist, `/studio/appointments?id=${artist.entered}`);
    const dialog = await openActionDialog(page, 'Note a payment', 'Note a payment');
    await dialog.getByLabel('Amount').fill('a lot');
    await dialog.getByRole('button', { name: 'Note payment' }).click();
    await expect(dialog.getByText('Write the amount like 1,234.50')).toBeVisible();
  },
  'the details of an appointment being edited': async (page) => {
    const artist = await createPricedArtist();
    await openAs(page, artist, `/studio/appointments?id=${artist.entered}`);
    await openActionDialog(page, 'Edit details', 'Edit details');
  },
  'a request with others for the same design': async (page) => {
    const artist = await createPricedArtist({ scheduling_type: 'managed' });
    const requests = [
      await expectOk(requestAppointment(artist.username, { design_id: artist.design.id })),
      await expectOk(requestAppointment(artist.username, { design_id: artist.design.id })),
    ];
    await openAs(page, artist, `/studio/appointments?id=${requests[0]?.id}`);
    await expect(page.getByRole('list', { name: 'Others want the same design' })).toBeVisible();
  },
  'home with what was received in a month': async (page) => {
    await openAs(page, await createPricedArtist(), '/');
    const month = page.getByRole('region', { name: 'Received', exact: true });
    await month.getByText('Show the payment').click();
    await expect(month.getByRole('link')).toBeVisible();
  },
};

/** An artist with terms, a design with facts and one beside it, and an appointment with a payment. */
async function createPricedArtist(
  options?: ArtistOptions,
): Promise<TestArtist & { design: Design; entered: string }> {
  const artist = await newSiteArtist(options);
  const { token, service } = artist;
  const [design, taken, other] = await addDesigns(artist, ['Swallow', 'Moth', 'Dagger']);
  if (!design || !taken || !other) throw new Error('No design was added');
  const isManaged = options?.scheduling_type === 'managed';
  const length = isManaged ? {} : { duration: 60 };
  const requests = [
    [`PATCH /designs/${design.id}`, { ...FACTS, ...length }],
    [`PATCH /designs/${taken.id}`, { description: 'A moth.', editions: 1 }],
    [`PATCH /designs/${other.id}`, { description: 'A dagger.' }],
    [`PATCH /services/${service.id}`, { price: { kind: 'from', amount: 15_000 } }],
    ['PATCH /users/me', TERMS],
  ] as const;
  for (const [operation, json] of requests) await expectOk(callSite(operation, { token, json }));
  const { id } = await expectOk(
    callSite<{ id: string }>('POST /appointments', {
      token,
      json: {
        ...slotFrom(newYorkInstant(dateAhead(3), 10), 60),
        client: { first_name: 'Otto', last_name: 'Brandt', email: 'otto@example.com' },
        ...{ design_id: taken.id, price: { kind: 'fixed', amount: 15_000 } },
        ...{ note: 'Please eat before.', private_notes: 'Afraid of needles.' },
      },
    }),
  );
  const payment = { amount: 5000, currency: 'USD', method: 'cash' };
  await expectOk(callSite(`POST /appointments/${id}/payments`, { token, json: payment }));
  return { ...artist, design, entered: id };
}

import { type Insertable, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ExplorePage, ExploreQuery } from '#contract/explore.ts';
import {
  bookingEligibilityAt,
  canTakeBookings,
  GRACE_MS,
  SUBSCRIPTION_STATUSES,
  TRIAL_MS,
} from '#domain/accounts/subscription.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time/time.ts';
import { upsertSubscription } from '#server/database/subscriptions.ts';
import type { Artists } from '#server/database/tables.ts';
import { addDesignRow, addPictureRow } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { moveSignupBack, openBilledTestApp } from '#support/billed_test_app.ts';
import { addArtist } from '#support/database_rows.ts';
import { linkToken } from '#support/mail_links.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import { bookSlot, listSlots, openTestApp, type TestApp } from '#support/test_app.ts';

const NO_ARTIST = '00000000-0000-4000-8000-000000000000';

interface Answer {
  readonly page: ExplorePage;
  readonly open: readonly string[];
  readonly closed: readonly string[];
  readonly maxAge: number;
  readonly tags: readonly string[];
}

async function explore(app: TestApp, query: ExploreQuery = {}): Promise<Answer> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, value);
  const path = `/users/artists/explore?${parameters}`;
  const { body: page, headers } = await app.call<ExplorePage>(`GET ${path}`);
  return {
    page,
    open: page.open_artists.map(({ username }) => username),
    closed: page.closed_artists.map(({ username }) => username),
    maxAge: Number(/max-age=(\d+)/.exec(headers.get('surrogate-control') ?? '')?.[1] ?? 0),
    tags: headers.get('cache-tag')?.split(',') ?? [],
  };
}

/** Inserts artists without a service: the first is the newest, each a minute older than the next. */
async function insertArtists(
  { database }: TestApp,
  usernames: readonly string[],
  changes: Partial<Insertable<Artists>> & {
    readonly city?: string;
    readonly created_at?: Date;
  } = {},
): Promise<void> {
  const { city = 'New York', ...columns } = changes;
  const newest = columns.created_at ?? new Date();
  for (const [index, username] of usernames.entries())
    await addArtist(
      database,
      {
        scheduling_type: 'managed',
        ...{ username, full_name: username, ...columns },
        created_at: new Date(newest.getTime() - index * MINUTE_MS),
      },
      { city },
    );
}

/** Compares the listings, which triggers write, with those that there must be. */
async function expectListingsRight({ database }: TestApp): Promise<void> {
  for (const [table, view] of [
    [sql.table('explore_listings'), sql.table('listable_artists')],
    [sql.table('explore_styles'), sql.table('listable_styles')],
  ]) {
    const { rows } = await sql`
      (TABLE ${table} EXCEPT TABLE ${view}) UNION ALL (TABLE ${view} EXCEPT TABLE ${table})
    `.execute(database);
    expect(rows).toEqual([]);
  }
}

async function startBilling({ database }: TestApp, since: Date): Promise<void> {
  await database.updateTable('billing').set({ since }).execute();
}

function usernames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `artist-${String(index).padStart(2, '0')}`);
}

test('artists are listed by default, and can save that they do not want to be', async () => {
  const { app, token, username } = await openArtistApp({ database: 'own' });
  const loadMe = async () => (await app.call<CurrentArtist>('GET /users/me', { token })).body;
  expect(await loadMe()).toMatchObject({ is_listed: true });
  expect((await explore(app)).open).toEqual([username]);
  await app.call('PATCH /users/me', { token, json: { is_listed: false } });
  expect(await loadMe()).toMatchObject({ is_listed: false });
  expect((await explore(app)).open).toEqual([]);
});

test('active artists with a proven email and a scheduling type are listed, newest sign-up first', async () => {
  const app = await openTestApp({ database: 'own' });
  await insertArtists(app, ['newer', 'older']);
  await insertArtists(app, ['inactive'], { is_active: false });
  await insertArtists(app, ['superuser'], { is_superuser: true });
  await insertArtists(app, ['unproven'], { email_proven_at: null });
  await insertArtists(app, ['unfinished'], { scheduling_type: null });
  await insertArtists(app, ['unlisted'], { is_listed: false });
  expect(await explore(app)).toMatchObject({ open: ['newer', 'older'], closed: [] });
  await expectListingsRight(app);
});

test('a page has 24 artists, and `next` leads through all of them, also of one sign-up time', async () => {
  const app = await openTestApp({ database: 'own' });
  await insertArtists(app, usernames(50));
  const created_at = new Date();
  await app.database.updateTable('artists').set({ created_at }).execute();
  const seen: string[] = [];
  const sizes: number[] = [];
  let query: ExploreQuery | null = {};
  while (query) {
    const { page, open }: Answer = await explore(app, query);
    seen.push(...open);
    sizes.push(open.length);
    query = page.next;
  }
  expect(sizes).toEqual([24, 24, 2]);
  expect(seen.toSorted()).toEqual(usernames(50));
});

test('a new sign-up does not move the artists of the next page', async () => {
  const app = await openTestApp({ database: 'own' });
  await insertArtists(app, usernames(30));
  const { next } = (await explore(app)).page;
  await insertArtists(app, ['newest'], { created_at: new Date(Date.now() + MINUTE_MS) });
  expect((await explore(app, { ...next })).open).toEqual(usernames(30).slice(24));
});

test('the city is compared without regard to case, outer spaces and the form of Unicode', async () => {
  const app = await openTestApp({ database: 'own' });
  await insertArtists(app, ['ana'], { city: 'Portland' });
  await insertArtists(app, ['bo'], { city: 'PORTLAND' });
  await insertArtists(app, ['cy'], { city: 'South Portland' });
  await insertArtists(app, ['di'], { city: 'Málaga' });
  expect((await explore(app, { city: 'málaga'.normalize('NFD') })).open).toEqual(['di']);
  for (const city of ['Portland', ' portland '])
    expect((await explore(app, { city })).open.toSorted()).toEqual(['ana', 'bo']);
  expect((await explore(app, { city: 'Paris' })).open).toEqual([]);
});

test('artists are found by style in any case of letters, with a city and without one; the styles of most come first', async () => {
  const { app } = await openBilledTestApp();
  await startBilling(app, new Date('2025-01-01'));
  await insertArtists(app, ['ana', 'bo'], { styles: ['Tribal', 'Anime', 'Realism'] });
  await insertArtists(app, ['cy'], { styles: ['Tribal'], city: 'Boston' });
  const over = { created_at: new Date('2026-01-01'), styles: ['Realism' as const] };
  await insertArtists(app, ['dee'], over);
  const { page } = await explore(app, { style: 'TRIBAL ', city: 'new york' });
  expect(page.styles).toEqual(['Realism', 'Tribal', 'Anime']);
  expect(page.open_artists[0]?.styles).toEqual(['Anime', 'Realism', 'Tribal']);
  for (const [query, open, closed] of [
    [{ style: 'Tribal' }, ['cy', 'ana', 'bo'], []],
    [{ style: 'tribal', city: 'Boston' }, ['cy'], []],
    [{ style: 'Realism' }, ['ana', 'bo'], ['dee']],
    [{ style: 'Anime', city: 'Boston' }, [], []],
    [{ style: 'Scratch\u0000' }, [], []],
  ] as const) {
    expect(await explore(app, query), query.style).toMatchObject({ open, closed });
  }
  await sql`UPDATE artists SET styles = '{Lettering}'`.execute(app.database);
  await expectListingsRight(app);
  expect((await explore(app)).page.styles).toEqual(['Lettering']);
});

test('the cities of the newest artists can be chosen, those of most artists first, each once', async () => {
  const app = await openTestApp({ database: 'own' });
  await insertArtists(app, ['ana'], { city: 'PORTLAND', created_at: new Date('2026-01-01') });
  await insertArtists(app, ['bo', 'cy'], { city: 'Portland' });
  await insertArtists(app, ['dee'], { city: 'Austin' });
  expect((await explore(app)).page.cities).toEqual(['Portland', 'Austin']);
});

test('a card has the address, the pictures of designs before those of the portfolio, and no email', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { studio_name: 'Quint Tattoo' });
  await addPictureRow(app, artist, { kind: 'portfolio', title: 'Old work' });
  await addPictureRow(app, artist, { kind: 'portfolio', title: 'Older work' });
  const first = await addDesignRow(app, artist);
  await addDesignRow(app, artist, { status: 'claimed' });
  const second = await addDesignRow(app, artist);
  const [card] = (await explore(app)).page.open_artists;
  expect(card).toMatchObject({
    username: artist.username,
    full_name: 'An Artist',
    studio_name: 'Quint Tattoo',
    city: 'New York',
    state: 'NY',
    scheduling_type: 'service',
  });
  expect(card?.pictures.map(({ id }) => id).slice(0, 2)).toEqual([first.imageId, second.imageId]);
  expect(card?.pictures).toHaveLength(3);
  expect(card).not.toHaveProperty('email');
});

describe('the next opening', () => {
  const openingOf = async (app: TestApp, { username }: TestArtist) => {
    const cards = (await explore(app)).page.open_artists;
    return cards.find((card) => card.username === username)?.next_opening;
  };

  test('is the first free time of the shortest service', async () => {
    const { app, artist } = await openArtistApp({ database: 'own' }, { duration: 60 });
    await app.call('POST /services/', {
      token: artist.token,
      json: { name: 'Sleeve', duration: 600 },
    });
    const [first, second] = await listSlots(app, artist);
    if (!first || !second) throw new Error('The artist has no slots');
    expect(await openingOf(app, artist)).toBe(first.start);
    await bookSlot(app, artist, first);
    expect(await openingOf(app, artist)).toBe(second.start);
  });

  test('is null without opening hours, without a service, and while the artist takes requests', async () => {
    const app = await openTestApp({ database: 'own' });
    const artists = [
      await app.newArtist({ schedule: { weekly: [] } }),
      await app.newArtist({ scheduling_type: 'managed' }),
      await app.newArtist(),
    ];
    const [, , withoutService] = artists;
    await app.call(`DELETE /services/${withoutService?.service.id}`, {
      token: withoutService?.token,
    });
    for (const artist of artists) expect(await openingOf(app, artist)).toBeNull();
  });

  test('bounds how long the page is cached: until the minimum notice passes it', async () => {
    const app = await openTestApp({ database: 'own' });
    await app.newArtist({
      // As short as the interval, so that there is an opening in each, also before midnight.
      duration: 5,
      schedule: {
        ...createDailySchedule('00:00', '24:00'),
        slot_interval_minutes: 5,
        minimum_notice_minutes: 60,
      },
    });
    const { page, maxAge } = await explore(app);
    const opening = Date.parse(page.open_artists[0]?.next_opening ?? '');
    const secondsLeft = (opening - 60 * MINUTE_MS - Date.now()) / 1000;
    expect(maxAge).toBeLessThanOrEqual(secondsLeft + 1);
    expect(maxAge).toBeLessThanOrEqual(300);
  });
});

describe('with billing', () => {
  test('artists whose trial is over are listed as closed until they subscribe, which invalidates every page', async () => {
    const { app, subscribe, loadSelf } = await openBilledTestApp();
    const [inTrial, over] = [await app.newArtist(), await app.newArtist()];
    await moveSignupBack(app, over, 15);
    expect(await explore(app)).toMatchObject({ open: [inTrial.username], closed: [over.username] });
    expect((await explore(app)).page.closed_artists[0]).toMatchObject({
      full_name: 'An Artist',
      city: 'New York',
      avatar_url: null,
    });
    const before = app.invalidatedTags.length;
    await subscribe(over);
    await loadSelf(over);
    expect(app.invalidatedTags.slice(before)).toContain('explore');
    expect(await explore(app)).toMatchObject({
      open: [inTrial.username, over.username],
      closed: [],
    });
  });

  test('all artists are open in the first two weeks of billing', async () => {
    const { app } = await openBilledTestApp();
    await insertArtists(app, ['old'], { created_at: new Date('2025-01-01') });
    await startBilling(app, new Date(Date.now() - TRIAL_MS + 2 * MINUTE_MS));
    const { open, maxAge } = await explore(app);
    expect(open).toEqual(['old']);
    // Then their trial ends.
    expect(maxAge).toBeGreaterThan(60);
    expect(maxAge).toBeLessThanOrEqual(120);
  });

  test('the page lists an artist as open exactly when clients can book: every status, payment and trial', async () => {
    const { app } = await openBilledTestApp();
    const now = Date.now();
    await startBilling(app, new Date('2025-01-01'));
    const expected = { open: new Set<string>(), closed: new Set<string>() };
    const failures = [null, now - GRACE_MS + 5 * MINUTE_MS, now - GRACE_MS - 5 * MINUTE_MS];
    for (const [age, created_at] of [13, 15].map((days) => [days, now - days * DAY_MS] as const))
      for (const status of SUBSCRIPTION_STATUSES)
        for (const [index, failingSince] of failures.entries()) {
          const username = `${status.replaceAll('_', '-')}-${index}-${age}`;
          await insertArtists(app, [username], {
            created_at: new Date(created_at),
            payment_customer: username,
            city: status,
          });
          const state = { status, failingSince, currentPeriodEnd: null, cancelAtPeriodEnd: false };
          const subscription = { ...state, id: username, customer: username };
          await upsertSubscription(app.database, subscription);
          const eligibility = bookingEligibilityAt([subscription], created_at, now);
          expected[canTakeBookings(eligibility) ? 'open' : 'closed'].add(username);
        }
    const found = { open: new Set<string>(), closed: new Set<string>() };
    for (const city of SUBSCRIPTION_STATUSES) {
      const { open, closed } = await explore(app, { city });
      for (const username of open) found.open.add(username);
      for (const username of closed) found.closed.add(username);
    }
    expect(found).toEqual(expected);
    expect(found.open.size).toBeGreaterThan(24);
    await expectListingsRight(app);
    await app.database.updateTable('subscriptions').set({ customer: 'nobody' }).execute();
    await expectListingsRight(app);
  });

  test('`next` leads through the open artists, and then through the closed ones', async () => {
    const { app } = await openBilledTestApp();
    await startBilling(app, new Date('2025-01-01'));
    await insertArtists(app, usernames(30));
    const closed = usernames(60).map((username) => `closed-${username}`);
    await insertArtists(app, closed, { created_at: new Date('2026-01-01') });
    const pages: Answer[] = [await explore(app)];
    for (let next = pages[0]?.page.next; next; next = pages.at(-1)?.page.next)
      pages.push(await explore(app, { ...next }));
    expect(pages).toMatchObject([
      { open: usernames(24), closed: closed.slice(0, 24) },
      { open: usernames(30).slice(24), closed: closed.slice(0, 24) },
      { open: [], closed: closed.slice(24, 48) },
      { open: [], closed: closed.slice(48) },
    ]);
    for (const { maxAge } of pages) expect(maxAge).toBeGreaterThan(0);
  });

  test('the page is cached no longer than until the next trial ends, also of an artist of another page', async () => {
    const { app } = await openBilledTestApp();
    await startBilling(app, new Date('2025-01-01'));
    await insertArtists(app, usernames(30), {
      created_at: new Date(Date.now() - 14 * DAY_MS + 31 * MINUTE_MS),
    });
    const { maxAge, open } = await explore(app);
    expect(open).not.toContain('artist-29');
    expect(maxAge).toBeGreaterThan(60);
    expect(maxAge).toBeLessThanOrEqual(120);
  });
});

describe('the cache', () => {
  test('a page has the tag of the list and those of the artists on it', async () => {
    const { app, artist } = await openArtistApp({ database: 'own' });
    const managed = await app.newArtist({ scheduling_type: 'managed' });
    const { tags, maxAge } = await explore(app);
    const kinds = ['artist', 'designs', 'portfolio', 'services', 'availability'];
    expect(tags.toSorted()).toEqual(
      [
        'explore',
        ...kinds.map((kind) => `${kind}:${artist.self.id}`),
        ...kinds.slice(0, 3).map((kind) => `${kind}:${managed.self.id}`),
      ].toSorted(),
    );
    expect(maxAge).toBeGreaterThan(0);
  });

  test('a page of a city, style or position that nobody has, or in another spelling, is not stored', async () => {
    const app = await openTestApp({ database: 'own' });
    await insertArtists(app, ['ana'], { styles: ['Fine line'] });
    for (const style of ['Fine line', undefined])
      expect((await explore(app, { city: 'New York', style })).maxAge).toBeGreaterThan(0);
    for (const query of [
      ...['Tribal', 'fine line', 'Fine line ', ' ', 'Scratch', ''].map((style) => ({ style })),
      ...['Paris', 'new york', 'New York ', '  ', 'New York\u0000', ''].map((city) => ({ city })),
      // The far future, and no artist.
      { after: `99999999999999.${NO_ARTIST}` },
      { after: `1764000000000.${NO_ARTIST}` },
      { after: 'made-up' },
      { closed_after: 'made-up' },
    ]) {
      const { page, maxAge } = await explore(app, query);
      expect([query, typeof page.open_artists, maxAge]).toEqual([query, 'object', 0]);
    }
  });

  test('a page with a position of another city or spelling, or with two positions, is not stored', async () => {
    const app = await openTestApp({ database: 'own' });
    await insertArtists(app, usernames(25), { styles: ['Anime'] });
    // Older than all of them, so that pages after a position list these.
    const boston = { city: 'Boston', styles: ['Tribal' as const] };
    await insertArtists(app, ['ana'], { ...boston, created_at: new Date('2026-01-02') });
    await insertArtists(app, ['bo'], { city: 'NEW YORK', created_at: new Date('2026-01-01') });
    const { next } = (await explore(app)).page;
    const after = next && 'after' in next ? next.after : undefined;
    expect((await explore(app, { after })).maxAge).toBeGreaterThan(0);
    expect((await explore(app, { after, city: 'New York' })).maxAge).toBeGreaterThan(0);
    expect((await explore(app, { after, style: 'Anime' })).maxAge).toBeGreaterThan(0);
    for (const choice of [{ city: 'Boston' }, { city: 'Boston\u0000' }, { style: 'Tribal' }])
      expect(await explore(app, { after, ...choice })).toMatchObject({ open: ['ana'], maxAge: 0 });
    // Only in the spelling of the artist who has the position.
    const ofAnotherSpelling = await explore(app, { after, city: 'NEW YORK' });
    expect(ofAnotherSpelling).toMatchObject({ open: ['artist-24', 'bo'], maxAge: 0 });
    const both = await explore(app, { after, closed_after: after });
    expect(both).toMatchObject({ open: ['artist-24', 'ana', 'bo'], maxAge: 0 });
  });

  test('a change, a deactivation and a deletion of an artist invalidate every page, and the listings follow', async () => {
    const { app, artist, token } = await openArtistApp({ database: 'own' });
    const [inactive, superuser] = [await app.newArtist(), await app.superuserToken()];
    for (const [call, by, json] of [
      ['PATCH /users/me', token, { studio: { city: 'Boston' } }],
      ['PATCH /users/me', token, { scheduling_type: 'managed' }],
      ['PATCH /users/me', token, { is_listed: false }],
      ['PATCH /users/me', token, { is_listed: true }],
      [`PATCH /users/${inactive.self.id}`, superuser, { is_active: false, ...PROOF }],
      [`DELETE /users/${artist.self.id}`, superuser, PROOF],
    ] as const) {
      const before = app.invalidatedTags.length;
      await app.call(call, { token: by, json });
      expect(app.invalidatedTags.slice(before), call).toContain('explore');
      await expectListingsRight(app);
    }
    expect((await explore(app)).open).toEqual([]);
  });

  test('the proof of an email invalidates every page', async () => {
    const app = await openTestApp({ database: 'own' });
    const { username } = await app.newArtist({ viaSignup: true, isEmailProven: false });
    expect((await explore(app)).open).toEqual([]);
    const [mail] = await app.mailsAbout(/./);
    const token = linkToken(mail, 'prove-email');
    const before = app.invalidatedTags.length;
    expect((await app.call('POST /users/prove-email', { json: { token } })).status).toBe(200);
    expect(app.invalidatedTags.slice(before)).toContain('explore');
    expect((await explore(app)).open).toEqual([username]);
  });
});

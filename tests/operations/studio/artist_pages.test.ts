import { expect, test } from 'vitest';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { updateArtist, updateSchedule } from '#server/database/artists.ts';
import { deleteDesign, updateDesign } from '#server/operations/catalogue/designs.ts';
import {
  loadDesignPage,
  loadDesignsPage,
  loadPortfolioPage,
  loadServicesPage,
} from '#server/operations/studio/artist_pages.ts';
import {
  loadConfirmationPage,
  loadSchedulingPage,
} from '#server/operations/studio/booking_pages.ts';
import {
  addAppointment,
  addArtist,
  addDesign,
  addImage,
  addService,
} from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

/** Monday in New York, at midnight; the studio is open on Mondays from 9 to 12. */
const NOW = Date.parse('2030-06-03T04:00:00Z');
const NEXT_MIDNIGHT = NOW + 24 * HOUR_MS;
const NOT_FOUND = { reason: 'not_found' };

async function setUp() {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const service = await addService(database, artist);
  const design = await addDesign(database, artist);
  const { id } = artist;
  await inTransaction(database, updateSchedule, id, {
    booking_range: { kind: 'rolling', days: 6 },
    weekly: [{ weekday: 1, windows: [{ start: '09:00', end: '12:00' }] }],
    slot_interval_minutes: 60,
    minimum_notice_minutes: 0,
  });
  const scheduling = (query: { design?: string; service?: string } = {}, now = NOW) =>
    loadSchedulingPage(context, artist.username, query, now);
  return { context, artist, service, design, scheduling };
}

test('the page of designs shows the artist and the designs that clients can book', async () => {
  const { context, artist, design } = await setUp();
  await addDesign(context.database, artist, { status: 'hidden' });
  const { value, tags, until } = await loadDesignsPage(context, artist.username, {}, NOW);
  expect(value.artist.username).toBe(artist.username);
  expect(value.designs.map(({ id }) => id)).toEqual([design.id]);
  expect(value.services).toEqual([]);
  expect([tags, until]).toEqual([[`artist:${artist.id}`, `designs:${artist.id}`], null]);
});

test('the page of designs shows the services to book while there are no designs', async () => {
  const { context, artist, service, design } = await setUp();
  const { id, username } = artist;
  await updateDesign(context, id, design.id, { status: 'claimed' });
  await addService(context.database, artist, { is_available: false });
  const { value, tags } = await loadDesignsPage(context, username, {}, NOW);
  expect(value.designs).toEqual([]);
  expect(value.services.map((shown) => shown.id)).toEqual([service.id]);
  expect(tags).toEqual([`artist:${id}`, `designs:${id}`, `services:${id}`]);
  // These artists list no times.
  for (const scheduling_type of ['managed', null] as const) {
    await updateArtist(context.database, id, { scheduling_type });
    expect((await loadDesignsPage(context, username, {}, NOW)).value.services).toEqual([]);
  }
});

test('the page of a design shows it between the designs before and after it', async () => {
  const { context, artist, design } = await setUp();
  const [second, third] = [
    await addDesign(context.database, artist, { name: 'second' }),
    await addDesign(context.database, artist, { name: 'third' }),
  ];
  const load = async (id: string) => {
    const { value, tags, until } = await loadDesignPage(context, artist.username, id, NOW);
    expect(value.design.id).toBe(id);
    expect([tags, until]).toEqual([[`artist:${artist.id}`, `designs:${artist.id}`], null]);
    return [value.previous?.id, value.next?.id];
  };
  expect(await load(design.id)).toEqual([undefined, second.id]);
  expect(await load(second.id)).toEqual([design.id, third.id]);
  expect(await load(third.id)).toEqual([second.id, undefined]);
});

test('the page of a claimed design exists and is beside no other; those of hidden, deleted and foreign designs do not', async () => {
  const { context, artist, design } = await setUp();
  const { database } = context;
  const load = (id: string) => loadDesignPage(context, artist.username, id, NOW);
  const claimed = await addDesign(database, artist, { status: 'claimed' });
  expect((await load(claimed.id)).value).toMatchObject({
    design: { id: claimed.id, status: 'claimed' },
    previous: null,
    next: null,
  });
  const hidden = await addDesign(database, artist, { status: 'hidden' });
  const foreign = await addDesign(database, await addArtist(database));
  await deleteDesign(context, artist.id, design.id);
  for (const id of [hidden.id, foreign.id, design.id, artist.id])
    await expect(load(id)).rejects.toMatchObject(NOT_FOUND);
});

test('the page of a design with a limit changes with bookings, also of one beyond those that a page lists', async () => {
  const { context, artist } = await setUp();
  for (let count = 1; count < MAX_PAGE_SIZE; count += 1) await addDesign(context.database, artist);
  const { id } = await addDesign(context.database, artist, { editions: 1 });
  const { value, tags } = await loadDesignPage(context, artist.username, id, NOW);
  expect(value.design.left).toBe(1);
  expect(tags).toContain(`availability:${artist.id}`);
});

test('the pages of services and about the artist show the services that clients can book, and the portfolio', async () => {
  const { context, artist, service } = await setUp();
  await addService(context.database, artist, { is_available: false });
  const services = await loadServicesPage(context, artist.username, NOW);
  expect(services.value.services.map(({ id }) => id)).toEqual([service.id]);
  expect(services).toMatchObject({
    tags: [`artist:${artist.id}`, `services:${artist.id}`],
    until: null,
  });
  const image = await addImage(context.database, artist, { kind: 'portfolio' });
  const about = await loadPortfolioPage(context, artist.username, NOW);
  expect(about.value.images.map(({ id }) => id)).toEqual([image.id]);
  expect(about).toMatchObject({
    tags: [`artist:${artist.id}`, `portfolio:${artist.id}`],
    until: null,
  });
});

test('an artist without a public page has none of these pages', async () => {
  const { context, artist, design, scheduling } = await setUp();
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(loadDesignsPage(context, artist.username, {}, NOW)).rejects.toMatchObject(NOT_FOUND);
  for (const load of [loadServicesPage, loadPortfolioPage])
    await expect(load(context, artist.username, NOW)).rejects.toMatchObject(NOT_FOUND);
  await expect(loadDesignPage(context, artist.username, design.id, NOW)).rejects.toMatchObject(
    NOT_FOUND,
  );
  await expect(scheduling()).rejects.toMatchObject(NOT_FOUND);
});

test('the scheduling page has the chosen design and service, with times of the first month', async () => {
  const { artist, service, design, scheduling } = await setUp();
  const { value, tags } = await scheduling({ design: design.id, service: service.id });
  expect(value).toMatchObject({
    services: [{ id: service.id }],
    service: { id: service.id },
    design: { id: design.id },
    first_month: {
      month: '2030-06',
      days: [{ date: '2030-06-03', windows: [{ start: '2030-06-03T13:00:00Z' }, {}, {}] }],
    },
  });
  const { id } = artist;
  expect(tags).toEqual([`artist:${id}`, `services:${id}`, `designs:${id}`, `availability:${id}`]);
});

test('the scheduling page is cached until the studio has a new day', async () => {
  const { scheduling } = await setUp();
  const { value, until } = await scheduling();
  expect(value).toMatchObject({ service: null, design: null, first_month: null });
  expect(until).toBe(NEXT_MIDNIGHT);
});

test('the scheduling page is cached only until a listed time is over or a hold expires', async () => {
  const { context, artist, service, scheduling } = await setUp();
  const nine = NOW + 9 * HOUR_MS;
  expect((await scheduling({ service: service.id })).until).toBe(nine);
  const expiresAt = NOW + 20 * MINUTE_MS;
  await addAppointment(context.database, artist, { start: nine, expiresAt, status: 'held' });
  expect((await scheduling({ service: service.id })).until).toBe(expiresAt);
});

test('an unknown design or service is ignored, and the page is not cached', async () => {
  const { context, service, design, scheduling } = await setUp();
  const other = await addArtist(context.database);
  const foreign = await addDesign(context.database, other);
  for (const id of [foreign.id, design.id.toUpperCase(), 'a swallow', ''])
    expect(await scheduling({ design: id })).toMatchObject({
      value: { design: null },
      until: Number.NEGATIVE_INFINITY,
    });
  for (const id of [design.id, service.id.toUpperCase(), ''])
    expect(await scheduling({ service: id })).toMatchObject({
      value: { service: null, first_month: null },
      until: Number.NEGATIVE_INFINITY,
    });
});

test('an artist who sets the times has no services to book, but keeps the chosen one; before the sign-up ends, no designs', async () => {
  const { context, artist, service, design, scheduling } = await setUp();
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  expect(await scheduling({ service: service.id, design: design.id })).toMatchObject({
    value: {
      services: [],
      service: { id: service.id },
      design: { id: design.id },
      first_month: null,
    },
    until: NEXT_MIDNIGHT,
  });
  await updateArtist(context.database, artist.id, { scheduling_type: null });
  expect((await scheduling({ design: design.id })).value.design).toBeNull();
});

test('the confirmation page shows the appointment and its artist', async () => {
  const { context, artist } = await setUp();
  const id = await addAppointment(context.database, artist, { start: NOW + HOUR_MS });
  expect(await loadConfirmationPage(context, id, {}, NOW)).toMatchObject({
    artist: { username: artist.username },
    confirmation: { id },
  });
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(loadConfirmationPage(context, id, {}, NOW)).rejects.toMatchObject(NOT_FOUND);
});

/** An artist with 13 designs, enough for filters: two for arms, one of them small and taken. */
async function setUpFilters() {
  const opened = await setUp();
  const { context, artist } = opened;
  const { database } = context;
  for (let count = 0; count < 10; count += 1) await addDesign(database, artist);
  const large = await addDesign(database, artist, { placements: ['arms'], height_mm: 250 });
  const taken = await addDesign(database, artist, {
    ...{ placements: ['arms'], width_mm: 50, editions: 1 },
  });
  await addAppointment(database, artist, { designId: taken.id });
  const load = async (query: Parameters<typeof loadDesignsPage>[2] = {}) => {
    const page = await loadDesignsPage(context, artist.username, query, NOW);
    return { ...page, ids: page.value.designs.map(({ id }) => id) };
  };
  return { ...opened, large, taken, load };
}

test('what is taken comes last and stays visible; with a limit, bookings change the page', async () => {
  const { artist, taken, load } = await setUpFilters();
  const { ids, value, tags } = await load();
  expect([ids.length, ids.at(-1)]).toEqual([13, taken.id]);
  expect(value.designs.at(-1)).toMatchObject({ status: 'available', left: 0 });
  expect(tags).toContain(`availability:${artist.id}`);
});

test('many designs are filtered by what they have, each condition narrowing the list', async () => {
  const { large, taken, load } = await setUpFilters();
  const { value } = await load();
  expect(value.filters).toEqual({
    ...{ placements: ['arms'], sizes: ['small', 'large'] },
    ...{ placement: null, size: null, free: false, count: 13 },
  });
  expect((await load({ placement: 'arms' })).ids).toEqual([large.id, taken.id]);
  expect((await load({ placement: 'arms', free: '1' })).ids).toEqual([large.id]);
  const small = await load({ size: 'small' });
  expect([small.ids, small.value.filters?.size, small.until]).toEqual([[taken.id], 'small', null]);
  expect((await load({ size: 'small', free: '1' })).ids).toEqual([]);
});

test('an unknown filter is ignored, and its page is never cached', async () => {
  const { load } = await setUpFilters();
  for (const query of [{ placement: 'legs' }, { size: 'huge' }, { free: 'yes' }]) {
    const { ids, until } = await load(query);
    expect([query, ids.length, until]).toEqual([query, 13, Number.NEGATIVE_INFINITY]);
  }
});

test('a few designs have no filters', async () => {
  const { context, artist } = await setUp();
  await addDesign(context.database, artist, { placements: ['arms'], width_mm: 50 });
  const { value } = await loadDesignsPage(context, artist.username, {}, NOW);
  expect(value.filters).toBeNull();
});

test('a page with a held last piece is cached only until the hold’s deadline', async () => {
  const { context, artist, design, scheduling } = await setUp();
  const { database } = context;
  await updateDesign(context, artist.id, design.id, { editions: 1 });
  const expiresAt = Date.now() + 60_000;
  await addAppointment(database, artist, { designId: design.id, status: 'held', expiresAt });
  const page = await loadDesignsPage(context, artist.username, {}, NOW);
  expect(page.until).toBe(expiresAt);
  const gone = await scheduling({ design: design.id });
  expect(gone.value).toMatchObject({ design: null, is_design_gone: true });
  expect(gone.until).toBeLessThanOrEqual(expiresAt);
});

test('a design’s own service is the chosen one; a design with a length of its own has its times', async () => {
  const { context, artist, service, design, scheduling } = await setUp();
  await updateDesign(context, artist.id, design.id, { service_id: service.id });
  const withService = (await scheduling({ design: design.id })).value;
  expect([withService.service?.id, withService.first_month !== null]).toEqual([service.id, true]);
  await updateDesign(context, artist.id, design.id, { duration: 95 });
  const { value } = await scheduling({ design: design.id, service: service.id });
  expect([value.service, value.design?.duration]).toEqual([null, 95]);
  const [window] = value.first_month?.days[0]?.windows ?? [];
  expect(Date.parse(window?.end ?? '') - Date.parse(window?.start ?? '')).toBe(94 * 60_000);
});

test('instead of a design that is gone, those that are alike are offered', async () => {
  const { context, artist, design, scheduling } = await setUp();
  const { database } = context;
  const other = await addDesign(database, artist);
  await updateDesign(context, artist.id, design.id, { status: 'hidden', editions: 1 });
  const { value } = await scheduling({ design: design.id });
  expect(value).toMatchObject({ design: null, is_design_gone: true, alike: [{ id: other.id }] });
  const bookable = await scheduling({ design: other.id });
  expect(bookable.value).toMatchObject({ is_design_gone: false, alike: [] });
  // Without a limit, the artist alone decides about a design.
  await updateDesign(context, artist.id, design.id, { editions: null });
  expect((await scheduling({ design: design.id })).value.alike).toEqual([]);
});

import { expect, test } from 'vitest';
import { addDesignRow, expireAppointment, loadAllRows } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { NO_DESIGN_FACTS, NO_TERMS } from '#support/design_facts.ts';
import { addMinutes, bookSlot, FILLED_FORM, findSlot, requestSlot } from '#support/test_app.ts';

test('booking a listed time holds it, and returns exactly the body of the confirmation page', async () => {
  const { app, artist } = await openArtistApp();
  const design = await addDesignRow(app, artist);
  const slot = await findSlot(app, artist);
  const response = await requestSlot(app, artist, slot, { design_id: design.id });
  expect(response.status).toBe(201);
  expect(response.body).toStrictEqual({
    id: response.body.id,
    start: slot.start,
    end: slot.end,
    confirmed: false,
    status: 'held',
    version: 1,
    must_prove_email: false,
    email_proven: false,
    email_hint: 'r•••@example.com',
    new_email_hint: null,
    new_email_asked_at: null,
    lapses_at: response.body.lapses_at,
    cancel_until: addMinutes(slot.start, -48 * 60),
    move_until: null,
    times: [{ id: response.body.times[0]?.id, ...slot }],
    location: 'arms',
    size: 'small',
    customer_notes: FILLED_FORM.customer_notes,
    history: [{ at: response.body.history[0]?.at, by: 'client', what: 'held', start: slot.start }],
    can: ['confirm', 'release', 'change_email'],
    data_requests: [],
    data_erased_at: null,
    note: null,
    ...NO_TERMS,
    client: { first_name: 'Rosa' },
    design: {
      id: design.id,
      name: 'Swallow',
      description: 'In black.',
      status: 'available',
      ...NO_DESIGN_FACTS,
      image: {
        id: design.imageId,
        file_url: `/media/${design.imageId}/800.webp`,
        title: 'A swallow',
        width: 1600,
        height: 1200,
        sources: [
          {
            type: 'image/avif',
            srcset: `/media/${design.imageId}/400.avif 400w, /media/${design.imageId}/800.avif 800w`,
          },
          {
            type: 'image/webp',
            srcset: `/media/${design.imageId}/400.webp 400w, /media/${design.imageId}/800.webp 800w`,
          },
        ],
        placeholder: null,
      },
    },
    service: {
      id: artist.service.id,
      name: 'Flash',
      description: '',
      duration: 60,
      is_available: true,
      price: null,
    },
    user: {
      username: artist.username,
      full_name: 'An Artist',
      studio: {
        name: 'The Studio',
        address_one: '1 Example Street',
        address_two: null,
        city: 'New York',
        state: 'NY',
        zip_code: '10001',
        time_zone: 'America/New_York',
        offsets: response.body.user.studio.offsets,
      },
    },
  });
  expect(response.body.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const read = await app.call(`GET /appointments/confirmation/${response.body.id}`);
  expect(read.status).toBe(200);
  expect(read.body).toStrictEqual(response.body);
  expect(read.headers.get('Cache-Control')).toBe('no-store');
});

test('GET requests never write to the database', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  await expireAppointment(app, held.id);
  const before = await loadAllRows(app);
  const year = slot.start.slice(0, 4);
  const gets = [
    `/appointments/confirmation/${held.id}`,
    `/appointments/${held.id}`,
    '/appointments?status=expired',
    `/appointments/schedule?start=${year}-01-01T00:00:00Z&end=${Number(year) + 1}-12-31T00:00:00Z`,
    `/services/${artist.service.id}/availability?year=${year}&month=${Number(slot.start.slice(5, 7))}`,
    `/users/availability?year=${year}&month=1`,
    '/users/me',
    `/users/artist/${artist.username}`,
    '/services',
  ];
  for (const path of gets) {
    const { status } = await app.call(`GET ${path}`, { token: artist.token });
    expect([path, status]).toEqual([path, 200]);
  }
  expect(await loadAllRows(app)).toBe(before);
});

test('a time may have an offset other than UTC', async () => {
  const { app, artist } = await openArtistApp();
  const slot = await findSlot(app, artist);
  const inParis = (instant: string) => addMinutes(instant, 120).replace('Z', '+02:00');
  const response = await requestSlot(app, artist, {
    start: inParis(slot.start),
    end: inParis(slot.end),
  });
  expect(response).toMatchObject({ status: 201, body: slot });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { call } from '#client/call.ts';
import { BlockedSender } from '#contract/abuse.ts';
import { SecurityEvent } from '#contract/account_security.ts';
import { Appointment } from '#contract/appointment.ts';
import { CurrentArtist } from '#contract/artist.ts';
import { ClientRecord } from '#contract/client.ts';
import { ReceivedMessage } from '#contract/contact.ts';
import { Design } from '#contract/design.ts';
import * as endpoints from '#contract/endpoints.ts';
import { ExportedEvent } from '#contract/export.ts';
import { UploadedImage } from '#contract/image.ts';
import { OutgoingMail } from '#contract/mail.ts';
import { Passkey } from '#contract/passkey.ts';
import { Service } from '#contract/service.ts';
import type { Price } from '#domain/money/price.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { csvRows, makeExport, openExport, textOf } from '#support/exports.ts';
import { createPicture } from '#support/pictures.ts';
import {
  bookSlot,
  FILLED_FORM,
  findSlot,
  listSlots,
  openTestApp,
  type TestApp,
} from '#support/test_app.ts';

const LISTS = {
  'services.json': Service,
  'designs.json': Design,
  'portfolio.json': UploadedImage,
  'clients.json': ClientRecord,
  'appointments.json': Appointment,
  'appointment_history.json': ExportedEvent,
  'messages.json': ReceivedMessage,
  'mails.json': OutgoingMail,
  'blocked_senders.json': BlockedSender,
  'security_events.json': SecurityEvent,
  'passkeys.json': Passkey,
};

/** The same schema, refusing unknown fields. */
function strict(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodMiniObject ? z.strictObject({ ...schema.shape }) : schema;
}

async function newArtistWithData(app: TestApp) {
  const artist = await app.newArtist({ time_zone: 'Europe/Berlin', full_name: 'Änne Öztürk' });
  const { http, username, service } = artist;
  const file = new File([new Uint8Array(await createPicture())], 'swallow.jpg');
  const design = await call(http, endpoints.createDesign, {
    body: { name: 'Schwälbe / "3"', description: '', file },
  });
  const portfolio = await call(http, endpoints.uploadPortfolio, { body: { file: [file, file] } });
  const me = await call(http, endpoints.changeAvatar, { body: { file } });
  await call(http, endpoints.blockSender, { body: { email: 'pest@example.com' } });
  const [slot] = (await listSlots(app, artist)).slice(4);
  if (!slot) throw new Error('The artist has no slot');
  const held = await call(app.http(), endpoints.bookService, {
    query: { username },
    body: { ...FILLED_FORM, ...slot, service_id: service.id, design_id: design.id },
  });
  await call(app.http(), endpoints.confirmAppointment, { path: { appt_id: held.id } });
  await call(app.http(), endpoints.sendContactMessage, {
    path: { username },
    body: { name: 'Rosa', email: 'a@example.com', message: '@SUM(A1)' },
  });
  await app.mails();
  return { artist, design, portfolio, me };
}

test('an export has all data of one artist, as the API and the schemas of the contract have it', async () => {
  const app = await openTestApp({ database: 'own' });
  const { artist } = await newArtistWithData(app);
  const stranger = await addArtist(app.database);
  await addAppointment(app.database, stranger);
  const contents = await openExport(app, await makeExport(app, artist));
  const account: unknown = JSON.parse(textOf(contents, 'account.json'));
  expect(strict(CurrentArtist)).toSatisfy(
    (schema: z.core.$ZodType) => z.safeParse(schema, account).success,
  );
  expect(account).toEqual(await call(artist.http, endpoints.fetchMe));
  const counts = Object.entries(LISTS).map(([name, item]) => {
    const List = z.strictObject({ data: z.array(strict(item)), count: z.int() });
    const { data, count } = z.parse(List, JSON.parse(textOf(contents, name)));
    expect(data, name).toHaveLength(count);
    return [name, count];
  });
  expect(Object.fromEntries(counts)).toEqual({
    'services.json': 1,
    'designs.json': 1,
    'portfolio.json': 2,
    'clients.json': 1,
    'appointments.json': 1,
    'appointment_history.json': 2,
    'messages.json': 1,
    'mails.json': expect.toSatisfy((count: number) => count >= 2),
    'blocked_senders.json': 1,
    // Their login.
    'security_events.json': 1,
    'passkeys.json': 0,
  });
  const pages = {
    'services.json': await call(artist.http, endpoints.listOwnServices),
    'designs.json': await call(artist.http, endpoints.listOwnDesigns),
    'portfolio.json': await call(artist.http, endpoints.listOwnPortfolio),
    'clients.json': await call(artist.http, endpoints.listClients),
    'appointments.json': await call(artist.http, endpoints.listAppointments),
    'messages.json': await call(artist.http, endpoints.listMessages),
    'blocked_senders.json': await call(artist.http, endpoints.listBlockedSenders),
    'security_events.json': await call(artist.http, endpoints.listSecurityEvents),
  };
  for (const [name, page] of Object.entries(pages))
    expect(JSON.parse(textOf(contents, name)), name).toEqual(page);
});

test('every stored picture is in the export, as the largest WebP file, under a name that people understand', async () => {
  const app = await openTestApp();
  const { artist, design, portfolio, me } = await newArtistWithData(app);
  const contents = await openExport(app, await makeExport(app, artist));
  const names = Object.keys(contents).filter((name) => name.startsWith('pictures/'));
  const short = (id: string | undefined) => id?.slice(0, 8);
  const expected = new Map([
    [`pictures/designs/schwälbe-3-${short(design.id)}.webp`, design.image.file_url],
    ...portfolio.data.map(
      ({ id, file_url }) => [`pictures/portfolio/${short(id)}.webp`, file_url] as const,
    ),
    ['pictures/avatar.webp', me.avatar_url ?? ''],
  ]);
  expect(names.toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [name, url] of expected) {
    const stored = await readFile(
      join(app.folders.media, new URL(url, 'http://x').pathname.replace('/media/', '')),
    );
    expect(Buffer.from(contents[name] ?? []).equals(stored), name).toBe(true);
  }
  // The README names every file.
  const readme = textOf(contents, 'README.txt');
  expect(readme).toContain('Änne Öztürk');
  for (const name of Object.keys(contents)) {
    const [, folder] = /^(pictures\/(?:designs|portfolio))\//.exec(name) ?? [];
    if (name !== 'README.txt') expect(readme).toContain(`  ${folder ?? name} `);
  }
});

test('appointments.csv has agreed prices and received sums, each in its currency', async () => {
  const { app, artist } = await openArtistApp();
  const noon = (day: number) => `2027-01-0${day}T12:00:00Z`;
  const enter = (price: Price | null, day: number) =>
    call(artist.http, endpoints.createAppointment, {
      body: {
        client: { first_name: 'Rosa' },
        start: noon(day),
        end: noon(day).replace('12:00', '12:59'),
        price,
      },
    });
  const range = { kind: 'range', amount: 60_000, amount_to: 90_000, currency: 'USD' } as const;
  const { id } = await enter(range, 1);
  await enter({ kind: 'fixed', amount: 12_500, amount_to: null, currency: 'USD' }, 2);
  await enter({ kind: 'from', amount: 12_500, amount_to: null, currency: 'USD' }, 3);
  await enter({ kind: 'ask', amount: null, amount_to: null, currency: 'USD' }, 4);
  await enter(null, 5);
  for (const [amount, currency] of [
    [5_000, 'USD'],
    [8_000, 'JPY'],
    [1_050, 'USD'],
  ] as const)
    await call(artist.http, endpoints.addPayment, {
      path: { appt_id: id },
      body: { amount, currency, method: 'cash' },
    });
  const csv = textOf(await openExport(app, await makeExport(app, artist)), 'appointments.csv');
  const cells = csvRows(csv).map((row) => `${row['Price']} | ${row['Received']}`);
  expect(cells.toSorted()).toEqual([
    ' | ',
    '125.00 USD | ',
    '600.00 to 900.00 USD | 8000 JPY; 60.50 USD',
    'from 125.00 USD | ',
    'on request | ',
  ]);
});

test('no table of an export has a cell that a spreadsheet runs as a formula', async () => {
  const { app, artist } = await openArtistApp();
  const formula = '=HYPERLINK("http://evil.example";"Click")';
  const slot = await findSlot(app, artist);
  const { id: appt_id } = await bookSlot(app, artist, slot, { customer_notes: formula });
  await call(artist.http, endpoints.changeAppointment, {
    path: { appt_id },
    body: { private_notes: formula },
  });
  const [client] = (await call(artist.http, endpoints.listClients)).data;
  await call(artist.http, endpoints.changeClient, {
    path: { client_id: client?.id ?? '' },
    body: { notes: formula, phone_number: '+4915112345678' },
  });
  await call(app.http(), endpoints.sendContactMessage, {
    path: { username: artist.username },
    body: { name: 'Rosa', email: 'rosa@example.com', message: formula },
  });
  const contents = await openExport(app, await makeExport(app, artist));
  const cellsOf = (name: string, column: string) =>
    csvRows(textOf(contents, name)).map((row) => row[column]);
  for (const [name, column] of [
    ['clients.csv', 'Notes'],
    ['appointments.csv', 'Notes of the client'],
    ['appointments.csv', 'Private notes'],
    ['messages.csv', 'Message'],
  ] as const)
    expect(cellsOf(name, column), name).toEqual([`'${formula}`]);
  expect(cellsOf('clients.csv', 'Phone number')).toEqual(['tel:+4915112345678']);
});

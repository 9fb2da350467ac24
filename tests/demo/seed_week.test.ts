import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { Design } from '#contract/design.ts';
import { seedDemoArtists } from '#demo/seed.ts';
import { APPOINTMENT_STATUSES } from '#domain/appointments/appointment.ts';
import { expectOk } from '#support/call_api.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

async function openDemo() {
  const app = await openTestApp({ database: 'own' });
  const { images } = (await openTestContext()).context;
  await seedDemoArtists({ database: app.database, images });
  const logIn = async (username: string) => {
    const { access_token } = await expectOk(
      app.call<{ access_token: string }>('POST /login/access-token', {
        form: { username: `${username}@example.com`, password: 'tattoo-demo' },
      }),
    );
    return access_token;
  };
  return { app, logIn };
}

test('who logs in as ana sees a studio at work: every state, messages, clients, money, a claimed piece', async () => {
  const { app, logIn } = await openDemo();
  const token = await logIn('ana');
  const list = <T>(call: string) => expectOk(app.call<{ data: T[] }>(`GET ${call}`, { token }));
  const { data } = await list<Appointment>('/appointments/?limit=200');
  const statuses = new Set(data.map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([...APPOINTMENT_STATUSES].toSorted());
  const isAhead = ({ start }: Appointment) => start !== null && Date.parse(start) > Date.now();
  const ahead = data.filter(isAhead).filter(({ status }) => status === 'confirmed');
  expect(ahead.length).toBeGreaterThanOrEqual(5);
  // Her policy promises free changes until 48 hours before.
  const isFar = (at: string | null) => at !== null && Date.parse(at) > Date.now() + 48 * 3_600_000;
  for (const { id, start } of ahead) {
    // Time passes between the two calls.
    if (Math.abs(Date.parse(start ?? '') - Date.now() - 48 * 3_600_000) < 60_000) continue;
    const path = `GET /appointments/confirmation/${id}`;
    const { can } = await expectOk(app.call<Confirmation>(path));
    expect(can.includes('move')).toBe(isFar(start));
  }
  expect(data.filter(({ payments }) => payments.length > 0).length).toBeGreaterThanOrEqual(5);
  expect((await list('/users/me/messages')).data.length).toBeGreaterThanOrEqual(2);
  const { data: clients } = await list<{ appointment_count: number }>('/clients/');
  expect(clients.some(({ appointment_count: count }) => count > 1)).toBe(true);
  const { data: designs } = await list<Design>('/designs/?limit=200');
  expect(designs.filter(({ left }) => left === 0)).toHaveLength(1);
  const [request] = data.filter(({ status }) => status === 'requested');
  expect((await list(`/appointments/${request?.id}/rivals`)).data).toHaveLength(1);
});

test('the demo keeps the promises of the tables, and each design has a price', async () => {
  const { app } = await openDemo();
  const { rows } = await sql`
    SELECT appointments.id FROM appointments
    WHERE version <> (SELECT count(*) FROM appointment_events
        WHERE appointment_id = appointments.id AND actor <> 'system')
      OR status <> (SELECT to_status FROM appointment_events
        WHERE appointment_id = appointments.id ORDER BY id DESC LIMIT 1)
  `.execute(app.database);
  expect(rows).toEqual([]);
  const designs = await app.database.selectFrom('designs').select('price').execute();
  expect(designs.map(({ price }) => price)).not.toContain(null);
  await expectNoOversoldDesign(
    async (statement) => (await sql.raw(statement).execute(app.database)).rows,
  );
});

test('a database that holds anything is not touched', async () => {
  const { app } = await openDemo();
  const count = async () => {
    const { rows } = await sql`SELECT count(*) FROM appointments`.execute(app.database);
    return rows;
  };
  const before = await count();
  const { images } = (await openTestContext()).context;
  await seedDemoArtists({ database: app.database, images });
  expect(await count()).toEqual(before);
});

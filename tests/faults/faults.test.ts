import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findBrokenPromises } from '#support/database_promises.ts';
import { queryDatabase } from '#support/sandbox.ts';
import { FAULT_KINDS, type FaultKind, planFaults } from './fault_plan.ts';
import { type LogLine, openStudio, type Studio } from './studio.ts';
import { type StudioLoad, startLoad } from './studio_load.ts';

/** How long to make faults, at least one of each kind; `npm run test:faults` does so for 300 s. */
const seconds = Number(process.env['FAULT_SECONDS'] ?? 0);
const seed = Number(process.env['FAULT_SEED'] ?? 16);
/** More faults than there is time for. */
const MAX_FAULTS = 500;
/** All waiting mails are sent and all jobs are done by then. */
const SETTLE_MS = 300_000;
/** Errors that nobody expected. */
const UNCAUGHT = /uncaught error|unhandled|a promise was rejected/i;

test(
  'random faults of servers, database, disk and mail lose no booking, mail or picture, and book no time twice',
  async () => {
    // Also known if the run does not end.
    console.log(`FAULT_SEED=${seed} FAULT_SECONDS=${seconds}`);
    const studio = await openStudio();
    onTestFinished(() => studio[Symbol.asyncDispose]());
    await studio.recover();
    const load = await startLoad(studio);
    const made = new Map<FaultKind, number[]>();
    const possible = FAULT_KINDS.filter((kind) => kind !== 'fill the disk' || studio.isDiskSmall);
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    for (const fault of planFaults(seed, MAX_FAULTS)) {
      if (possible.every((kind) => made.has(kind)) && performance.now() > endsAt) break;
      await sleep(fault.pauseMs);
      const isMade = await studio.hit(fault, load.deletePictures);
      const recoveryMs = await studio.recover();
      if (isMade) made.set(fault.kind, [...(made.get(fault.kind) ?? []), recoveryMs]);
    }
    const ranSeconds = (performance.now() - startedAt) / 1000;
    await load.finish();
    const recoveryMs = await studio.recover();
    const settleMs = await settle(studio);
    report(load, made, { ranSeconds, recoveryMs, settleMs });
    expect([...made.keys()].toSorted()).toEqual(possible.toSorted());

    expect(await findBrokenPromises(studio.databaseUrl)).toEqual([]);
    await expectBookings(studio, load);
    await expectMails(studio);
    await expectPictures(studio, load);
    const log = studio.readLog();
    expect(load.surprises.map((surprise) => explain(surprise, log))).toEqual([]);
    expect(studio.surprises).toEqual([]);
    expect(log.filter(({ msg }) => UNCAUGHT.test(msg))).toEqual([]);
    // The lines above were looked for in a log.
    expect(log.filter(({ msg }) => msg.includes(' is ready at ')).length).toBeGreaterThanOrEqual(2);
  },
  seconds * 1000 + 2 * SETTLE_MS,
);

/** Adds the lines of the log about the request. */
function explain(surprise: string, log: readonly LogLine[]): string {
  const lines = log.filter(
    ({ request_id: id }) => id !== undefined && surprise.includes(`"${id}"`),
  );
  return [surprise, ...lines.map((line) => JSON.stringify(line))].join('\n');
}

function report(
  { promised, counts }: StudioLoad,
  made: ReadonlyMap<FaultKind, readonly number[]>,
  {
    ranSeconds,
    recoveryMs,
    settleMs,
  }: Readonly<Record<'ranSeconds' | 'recoveryMs' | 'settleMs', number>>,
): void {
  const booked = promised.filter(({ status }) => status !== undefined).length;
  const unknown = promised.filter(({ isUncertain }) => isUncertain).length;
  console.log(
    [
      `${Math.round(ranSeconds)} s, FAULT_SEED=${seed}: ${promised.length} bookings tried, ${booked} made, ${unknown} uncertain`,
      `answers ${JSON.stringify(counts)}`,
      ...[...made].map(
        ([kind, times]) =>
          `${times.length} × ${kind}: ready again after at most ${Math.round(Math.max(...times))} ms`,
      ),
      `ready ${Math.round(recoveryMs)} ms after the last fault, all mails sent after ${Math.round(settleMs)} ms`,
    ].join('\n'),
  );
}

/** Lets all that waits become due, until no mail and no job is left. Returns the milliseconds. */
async function settle({ databaseUrl }: Studio): Promise<number> {
  const startedAt = performance.now();
  await vi.waitFor(
    async () => {
      await queryDatabase(
        databaseUrl,
        `UPDATE mails SET waits_until = now() WHERE status = 'queued' AND waits_until > now()`,
      );
      await queryDatabase(
        databaseUrl,
        `UPDATE pgboss.job SET start_after = now() WHERE state IN ('created', 'retry') AND start_after > now() AND name NOT IN ('minute', 'day', 'erasure_log')`,
      );
      const waiting = await queryDatabase(
        databaseUrl,
        `SELECT 'mail', status, count(*)::int FROM mails WHERE status = 'queued' GROUP BY status
         UNION ALL
         SELECT name, state::text, count(*)::int FROM pgboss.job
         WHERE state IN ('created', 'retry', 'active', 'failed') AND name NOT IN ('minute', 'day', 'erasure_log')
           AND name NOT LIKE '\\_\\_pgboss%'
         GROUP BY name, state`,
      );
      expect(waiting).toEqual([]);
    },
    { timeout: SETTLE_MS, interval: 1000 },
  );
  return performance.now() - startedAt;
}

/** Every answered booking is there, in the promised status, and none that nobody sent. */
async function expectBookings({ databaseUrl }: Studio, { promised }: StudioLoad): Promise<void> {
  const rows = await queryDatabase(
    databaseUrl,
    'SELECT idempotency_key::text, id::text, status FROM appointments',
  );
  const stored = new Map(rows.map(([key, id, status]) => [String(key), { id, status }]));
  const broken = promised.filter(({ key, id, status, isUncertain }) => {
    const row = stored.get(key);
    if (status === undefined) return row !== undefined && !isUncertain;
    return row?.id !== id || (row.status !== status && !isUncertain);
  });
  expect(broken).toEqual([]);
  const keys = new Set(promised.map(({ key }) => key));
  expect([...stored.keys()].filter((key) => !keys.has(key))).toEqual([]);
  expect(promised.filter(({ status }) => status === 'confirmed').length).toBeGreaterThan(0);
}

/**
 * Each stored mail arrived, and only once. A server that was interrupted while it sent a mail cannot
 * know whether it arrived: then its job runs again, and sends it with the same Message-ID.
 */
async function expectMails({ databaseUrl, smtp }: Studio): Promise<void> {
  const rows = await queryDatabase(
    databaseUrl,
    `SELECT m.id::text, m.status, coalesce(sum(j.retry_count), 0)::int
     FROM mails m LEFT JOIN pgboss.job j ON j.name = 'mail' AND j.data->>'id' = m.id::text
     WHERE m.status IN ('sent', 'failed') GROUP BY m.id`,
  );
  const deliveries = smtp.countDeliveries();
  const mails = rows.map(([id, status, retries]) => ({
    status,
    attempts: 1 + Number(retries),
    count: [...deliveries].find(([messageId]) => messageId.includes(String(id)))?.[1] ?? 0,
  }));
  const repeated = mails.reduce((sum, { count }) => sum + Math.max(0, count - 1), 0);
  const interrupted = mails.filter(({ attempts }) => attempts > 1).length;
  console.log(`${mails.length} mails; ${interrupted} tried more than once, ${repeated} sent again`);
  expect(
    mails.filter(
      ({ status, attempts, count }) => status === 'failed' || count < 1 || count > attempts,
    ),
  ).toEqual([]);
  const missing = await queryDatabase(
    databaseUrl,
    `SELECT a.id FROM appointments a WHERE a.status = 'confirmed' AND 2 > (
       SELECT count(DISTINCT notice->>'kind') FROM mails m
       WHERE m.appointment_id = a.id AND m.status = 'sent' AND notice->>'kind' IN ('booked', 'new_booking'))`,
  );
  expect(missing).toEqual([]);
}

/** Each picture of a row can be fetched, and each uploaded picture has its row. */
async function expectPictures(
  { databaseUrl, servers }: Studio,
  { pictures }: StudioLoad,
): Promise<void> {
  const rows = await queryDatabase(databaseUrl, 'SELECT id::text, widths[1] FROM images');
  const ids = new Set(rows.map(([id]) => id));
  expect([...pictures].filter((id) => !ids.has(id))).toEqual([]);
  const statuses = await Promise.all(
    rows.flatMap(([id, width]) =>
      ['webp', 'avif'].map(async (format) => {
        const path = `/media/${id}/${width}.${format}`;
        return `${path}: ${(await fetch(`${servers[0]?.url}${path}`)).status}`;
      }),
    ),
  );
  expect(statuses.filter((status) => !status.endsWith(' 200'))).toEqual([]);
}

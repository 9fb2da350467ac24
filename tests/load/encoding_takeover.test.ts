import { expect, test, vi } from 'vitest';
import { serveBucket } from '#support/bucket.ts';
import { expectOk } from '#support/call_api.ts';
import { createMultipart, createNoisyPicture } from '#support/pictures.ts';
import { openDemo, queryDatabase } from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';

const PICTURES = 8;
const WAIT = { timeout: 120_000, interval: 50 };

/** What pg-boss records about the encoding of one picture. */
interface EncodingJob {
  readonly picture: string;
  readonly state: string;
  /** The number of attempts before the last one. */
  readonly retries: number;
  readonly completed: string | null;
}

test('pictures that a killed server was encoding are encoded by another server, each once', async () => {
  const { settings, endpoint } = await serveBucket();
  await using sandbox = await openDemo();
  const first = await sandbox.serve({ env: settings });
  const database = await sandbox.databaseUrl();
  const picture = await createNoisyPicture(640, 480).jpeg().toBuffer();
  const multipart = createMultipart(Array(PICTURES).fill(picture));
  const token = await logIn(first, 'ana');
  await expectOk(call(first, 'POST /images/portfolio/upload', { token, multipart }));
  await vi.waitFor(async () => {
    // While the server is paused, its jobs do not change.
    first.process.kill('SIGSTOP');
    const states = (await listJobs(database)).map(({ state }) => state);
    if (!states.includes('active')) first.process.kill('SIGCONT');
    expect(states).toContain('active');
  }, WAIT);
  first.process.kill('SIGKILL');
  await first.exited;
  const before = await listJobs(database);
  expect(before).toHaveLength(PICTURES);
  expect(before.map(({ state }) => state)).toContain('created');

  await sandbox.serve({ env: { ...settings, ...(await sandbox.settingsBeside()) } });
  await vi.waitFor(async () => {
    const states = (await listJobs(database)).map(({ state }) => state);
    expect(states).toEqual(Array(PICTURES).fill('completed'));
  }, WAIT);
  // No picture was encoded again, except the one that the killed server had begun.
  const after = await listJobs(database);
  expect(after).toEqual(
    before.map((job) =>
      job.state === 'completed'
        ? job
        : {
            ...job,
            state: 'completed',
            retries: job.state === 'active' ? 1 : 0,
            completed: expect.any(String),
          },
    ),
  );
  expect(
    await queryDatabase(database, "SELECT id FROM images WHERE NOT 'avif' = ANY(formats)"),
  ).toEqual([]);
  for (const { picture } of after)
    expect((await fetch(`${endpoint}/pictures/${picture}/320.avif`)).status).toBe(200);
});

async function listJobs(database: string): Promise<EncodingJob[]> {
  const rows = await queryDatabase(
    database,
    `SELECT singleton_key, state::text, retry_count, completed_on::text
     FROM pgboss.job WHERE name = 'encode_avif' ORDER BY singleton_key`,
  );
  return rows.map(([picture, state, retries, completed]) => ({
    picture: String(picture),
    state: String(state),
    retries: Number(retries),
    completed: completed === null ? null : String(completed),
  }));
}

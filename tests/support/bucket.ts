import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { onTestFinished } from 'vitest';

/** The settings of a bucket. */
type BucketSettings = Readonly<
  Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
>;

/** Starts an S3 server with one bucket for the current test. */
export async function serveBucket(
  name = 'pictures',
): Promise<{ endpoint: string; settings: BucketSettings; close: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'linework-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name }],
  });
  const { port } = await server.run();
  let running = true;
  const close = async () => {
    if (running) await server.close();
    running = false;
  };
  onTestFinished(async () => {
    await close();
    await rm(directory, { recursive: true, force: true });
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = {
    S3_ENDPOINT: `${endpoint}/`,
    S3_BUCKET: name,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
  return { endpoint, settings, close };
}

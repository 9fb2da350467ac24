// `npm run bucket`: makes the bucket that the settings name, if it is missing.
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, readConfig } from '#server/config.ts';
import { ensureBucket } from '#server/images/s3_store.ts';

/** A store that starts together with us is given this long. */
const TIMEOUT_MS = 60_000;

try {
  const { bucket } = readConfig(process.env);
  if (!bucket) throw new ConfigError('No bucket is set: S3_BUCKET and what goes with it.');
  const until = Date.now() + TIMEOUT_MS;
  while (true) {
    try {
      const isNew = await ensureBucket(bucket);
      console.log(`The bucket ${bucket.name} ${isNew ? 'was made' : 'is there'}.`);
      break;
    } catch (error) {
      if (Date.now() > until)
        throw new ConfigError(
          `The bucket ${bucket.name} was not made at ${bucket.endpoint}: ${error}`,
        );
      await pause(1000);
    }
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

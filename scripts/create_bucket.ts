// `npm run bucket`: creates the bucket of S3_BUCKET, if it is missing.
import { setTimeout as pause } from 'node:timers/promises';
import { describeBucketError } from '#server/images/bucket_failure.ts';
import { ensureBucket } from '#server/images/s3_store.ts';
import { ConfigError, readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';

/** How long to wait for a store that is starting. */
const TIMEOUT_MS = 60_000;
/** Errors that do not end when the store has started. */
const LASTING_ERRORS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidBucketName',
]);

await runCommand(async () => {
  const { bucket } = readConfig(process.env);
  if (!bucket) throw new ConfigError('No bucket is set: S3_BUCKET and what goes with it.');
  const until = Date.now() + TIMEOUT_MS;
  while (true) {
    try {
      const isNew = await ensureBucket(bucket);
      console.log(`The bucket ${bucket.name} ${isNew ? 'was made' : 'is there'}.`);
      return;
    } catch (error) {
      const isLasting = error instanceof Error && LASTING_ERRORS.has(error.name);
      if (isLasting || Date.now() > until) {
        const { reason, advice } = describeBucketError(error, bucket);
        throw new ConfigError(`The bucket ${bucket.name} was not made: ${reason}. ${advice}`, {
          cause: error,
        });
      }
      await pause(1000);
    }
  }
});

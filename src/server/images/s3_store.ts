import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { S3 } from '@aws-sdk/client-s3';
import { type ExportStore, exportName } from './export_store.ts';
import { type ImageInventory, type ImageStore, imagePath } from './image_store.ts';

/** A bucket of Amazon S3 or a compatible service. URLs have no trailing slash. */
export interface Bucket {
  /** The API's URL, such as `https://s3.example.com`. */
  readonly endpoint: string;
  readonly name: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** The URL for browsers, which may be a CDN in front of the bucket. */
  readonly publicUrl: string;
}

const YEAR_SECONDS = 31_536_000;
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 5000;
const RESPONSE_TIMEOUT_MS = 30_000;

/** Stores images in a bucket that the public may read. */
export function createS3Store(bucket: Bucket, maxAttempts = MAX_ATTEMPTS): ImageStore {
  const { name, publicUrl } = bucket;
  const client = createS3Client(bucket, maxAttempts);
  return {
    async put(file, bytes) {
      await client.putObject({
        Bucket: name,
        Key: imagePath(file),
        Body: bytes,
        ContentType: `image/${file.format}`,
        CacheControl: `public, max-age=${YEAR_SECONDS}, immutable`,
      });
    },
    async read(file) {
      const { Body } = await client.getObject({ Bucket: name, Key: imagePath(file) });
      if (!Body) throw new Error(`${imagePath(file)} has no content`);
      return Body.transformToByteArray();
    },
    async remove(imageId) {
      // Not every compatible service supports deleting several objects in one request.
      const { Contents = [] } = await client.listObjectsV2({ Bucket: name, Prefix: `${imageId}/` });
      for (const { Key } of Contents)
        if (Key !== undefined) await client.deleteObject({ Bucket: name, Key });
    },
    urlOf: (file) => `${publicUrl}/${imagePath(file)}`,
  };
}

/** Describes the images in a bucket. Exports do not count: they are deleted after a day anyway. */
export function createS3Inventory(bucket: Bucket): ImageInventory {
  const client = createS3Client(bucket);
  return {
    async isEmpty() {
      let after: string | undefined;
      for (;;) {
        const { Contents = [] } = await client.listObjectsV2({
          Bucket: bucket.name,
          ...(after !== undefined && { StartAfter: after }),
        });
        if (Contents.some(({ Key = '' }) => !Key.startsWith('exports/'))) return false;
        after = Contents.at(-1)?.Key;
        if (after === undefined) return true;
      }
    },
    async has(file) {
      try {
        await client.headObject({ Bucket: bucket.name, Key: imagePath(file) });
        return true;
      } catch (error) {
        if (error instanceof Error && error.name === 'NotFound') return false;
        throw error;
      }
    },
  };
}

/**
 * Stores exports in the bucket of the images. The public may read it but needs the name of a file,
 * which nobody learns: the API passes the file on.
 */
export function createS3ExportStore(bucket: Bucket): ExportStore {
  const client = createS3Client(bucket);
  const toObject = (id: string) => ({ Bucket: bucket.name, Key: `exports/${exportName(id)}` });
  return {
    async put(id, path) {
      const { size } = await stat(path);
      await client.putObject({
        ...toObject(id),
        Body: createReadStream(path),
        ContentLength: size,
        ContentType: 'application/zip',
        CacheControl: 'private, no-store',
      });
    },
    async *read(id) {
      const { Body } = await client.getObject(toObject(id));
      if (!(Body instanceof Readable)) throw new Error('The export has no content');
      yield* Body;
    },
    async remove(id) {
      await client.deleteObject(toObject(id));
    },
  };
}

/**
 * Creates a bucket, without changing who may read it.
 * @returns false when it exists already
 */
export async function ensureBucket(bucket: Bucket): Promise<boolean> {
  const client = createS3Client(bucket);
  try {
    await client.createBucket({ Bucket: bucket.name });
    return true;
  } catch (creationError) {
    // The error for an existing bucket differs between services, so ask whether the bucket exists.
    await client.headBucket({ Bucket: bucket.name }).catch(() => {
      throw creationError;
    });
    return false;
  }
}

function createS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: Bucket,
  maxAttempts = MAX_ATTEMPTS,
): S3 {
  return new S3({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Compatible services may support neither bucket names as subdomains nor newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: RESPONSE_TIMEOUT_MS },
  });
}

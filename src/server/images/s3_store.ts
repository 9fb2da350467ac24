import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type ImageStore, imagePath } from './image_store.ts';

/** A bucket of a store that speaks S3. */
export interface Bucket {
  /** Such as `https://s3.example.com`, without a slash at its end. */
  readonly endpoint: string;
  readonly name: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Where browsers fetch from, such as a CDN in front of the bucket; no slash at its end. */
  readonly publicUrl: string;
}

const YEAR_SECONDS = 31_536_000;
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 5000;
const RESPONSE_TIMEOUT_MS = 30_000;

/** Keeps images as objects of a bucket that browsers may read. */
export function createS3Store(bucket: Bucket): ImageStore {
  const { name: Bucket, publicUrl } = bucket;
  const client = createS3Client(bucket);
  return {
    async put(file, bytes) {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: imagePath(file),
          Body: bytes,
          ContentType: `image/${file.format}`,
          CacheControl: `public, max-age=${YEAR_SECONDS}, immutable`,
        }),
      );
    },
    async read(file) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: imagePath(file) }));
      if (!Body) throw new Error(`${imagePath(file)} came without its bytes`);
      return Body.transformToByteArray();
    },
    async remove(imageId) {
      // One by one: not every store takes many deletions in one call.
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: `${imageId}/` }),
      );
      for (const { Key } of Contents)
        if (Key !== undefined) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    urlOf: (file) => `${publicUrl}/${imagePath(file)}`,
  };
}

/**
 * Makes a bucket; who may read it is for its store to say.
 * @returns false when it is there already
 */
export async function ensureBucket(bucket: Bucket): Promise<boolean> {
  const client = createS3Client(bucket);
  const { name: Bucket } = bucket;
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
    return true;
  } catch (error) {
    // Stores have several names for this.
    await client.send(new HeadBucketCommand({ Bucket })).catch(() => {
      throw error;
    });
    return false;
  }
}

function createS3Client({ endpoint, region, accessKeyId, secretAccessKey }: Bucket): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Neither names under the host nor the newer checksums are known to every store.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: RESPONSE_TIMEOUT_MS },
  });
}

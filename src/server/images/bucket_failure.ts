/** Turns errors of a bucket into a reason and a remedy, for the operator. */
import { toOneLine } from '#domain/text/one_line.ts';
import type { Bucket } from './s3_store.ts';

export interface BucketFailure {
  /** Such as `there is no bucket pictures`. Contains no key. */
  readonly reason: string;
  /** A sentence with the remedy. */
  readonly advice: string;
}

type Describe = (bucket: Bucket, message: string) => BucketFailure;

const unreachable: Describe = ({ endpoint }, message) => ({
  reason: `${endpoint} cannot be reached (${message})`,
  advice: 'Correct S3_ENDPOINT, or start the image store.',
});
const wrongSecret: Describe = () => ({
  reason: 'it refuses our key',
  advice: 'Correct S3_SECRET_ACCESS_KEY, which belongs to S3_ACCESS_KEY_ID.',
});

/** By the names of S3's errors, and by Node's codes. */
const KNOWN_ERRORS: Readonly<Record<string, Describe>> = {
  NoSuchBucket: ({ name }) => ({
    reason: `there is no bucket ${name}`,
    advice: 'Create it with `npm run bucket`, or correct S3_BUCKET.',
  }),
  InvalidBucketName: ({ name }) => ({
    reason: `${name} cannot be the name of a bucket`,
    advice: 'Use small letters, digits and hyphens in S3_BUCKET.',
  }),
  InvalidAccessKeyId: () => ({
    reason: 'it does not know our key',
    advice: 'Correct S3_ACCESS_KEY_ID.',
  }),
  SignatureDoesNotMatch: wrongSecret,
  AccessDenied: ({ name }) => ({
    reason: `our key may not read and write in the bucket ${name}`,
    advice: 'Give the key of S3_ACCESS_KEY_ID the rights to put, get, list and delete objects.',
  }),
  AuthorizationHeaderMalformed: () => ({
    reason: 'the region is wrong',
    advice: 'Set S3_REGION to the region of the bucket.',
  }),
  PermanentRedirect: () => ({
    reason: 'the bucket is in another region',
    advice: 'Set S3_REGION and S3_ENDPOINT to the region of the bucket.',
  }),
  RequestTimeTooSkewed: () => ({
    reason: 'the clock of this machine is wrong',
    advice: 'Set the clock, for example with chrony or systemd-timesyncd.',
  }),
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  EHOSTUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  EPROTO: unreachable,
  TimeoutError: unreachable,
};

/** Describes the error of a request to a bucket. */
export function describeBucketError(error: unknown, bucket: Bucket): BucketFailure {
  if (!(error instanceof Error)) return notS3(bucket, String(error));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = KNOWN_ERRORS[error.name] ?? KNOWN_ERRORS[code];
  return (known ?? notS3)(bucket, code || error.name);
}

/** For an unknown error, such as that of a web page instead of XML. */
const notS3: Describe = ({ endpoint }, message) => ({
  reason: `${endpoint} does not answer as S3 does (${toOneLine(message)})`,
  advice: 'Correct S3_ENDPOINT: the address of the S3 API, without the name of the bucket.',
});

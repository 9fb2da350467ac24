/** Requests of clients to their artist for a copy or the erasure of their data. */
import * as z from 'zod/mini';
import { DATA_REQUEST_KINDS } from '#domain/clients/data_request.ts';
import { Id, namedInput, namedObject, TimestampOutput } from './common.ts';

const Kind = z
  .enum(DATA_REQUEST_KINDS)
  .check(
    z.describe('`copy`: a copy of the data; `erasure`: its deletion, which the artist decides'),
  );

/** A client asks their artist for a copy of their data, or for its erasure. */
export const DataRequestInput = namedInput('DataRequestInput', {
  kind: Kind,
  mail_token: z
    .optional(z.string())
    .check(z.describe('Of the mailed link; needed once for each email of the appointment')),
});
export type DataRequestInput = z.output<typeof DataRequestInput>;

/** A request about data as its client sees it. */
export const AskedData = z.object({
  kind: Kind,
  asked_at: TimestampOutput,
  done_at: z.nullable(TimestampOutput).check(z.describe('Null while the artist has not done it')),
});
export type AskedData = z.output<typeof AskedData>;

/** A request about data as the artist sees it. */
export const DataRequest = namedObject('DataRequest', { id: Id, ...AskedData.shape });
export type DataRequest = z.output<typeof DataRequest>;

/** A request that the artist has not done. */
export const OpenDataRequest = namedObject('OpenDataRequest', {
  id: Id,
  kind: Kind,
  asked_at: TimestampOutput,
  client: z.object({
    id: Id,
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
});
export type OpenDataRequest = z.output<typeof OpenDataRequest>;

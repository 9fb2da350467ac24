import { randomUUID } from 'node:crypto';
import { call } from '#client/call.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Transport } from '#contract/endpoint.ts';
import {
  changeMe,
  changeSchedule,
  createService,
  fetchMe,
  logIn,
  signUp,
} from '#contract/endpoints.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import type { Service } from '#contract/service.ts';
import { insertArtist, updateSchedule } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import type { TokenKeys } from '#server/operations/token_keys.ts';
import { createAccessToken } from './access_token.ts';
import { createDailySchedule, NEW_YORK } from './sample_people.ts';

/** An artist of one test. Bookings of other tests do not affect them. */
export interface TestArtist {
  readonly self: CurrentArtist;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** The artist's transport for the functions of `client`. */
  readonly http: Transport;
  readonly service: Service;
}

export interface ArtistOptions {
  readonly email?: string;
  readonly username?: string;
  readonly full_name?: string;
  readonly studio_name?: string;
  /** Null if the artist has not chosen yet. */
  readonly scheduling_type?: 'service' | 'managed' | null;
  readonly time_zone?: string;
  /** Changes to the default schedule. By default: every day from 00:00 to 24:00, without notice. */
  readonly schedule?: ScheduleChanges;
  /** Minutes of the artist's only service. */
  readonly duration?: number;
  readonly service_name?: string;
  /** Whether the artist has used the link in the mail to their email; true unless set. */
  readonly isEmailProven?: boolean;
  /** Signs up over the API: sends a welcome mail, and hashes the password slowly. */
  readonly viaSignup?: boolean;
}

interface ArtistServer {
  readonly database: Database;
  readonly tokenKeys: TokenKeys;
  http(token?: string): Transport;
}

/** The password of all artists from `newArtist`. */
export const PASSWORD = 'correct horse';
/** What calls that cannot be undone take beside the token. */
export const PROOF = { current_password: PASSWORD };

/** A hash of `PASSWORD` that is cheap to verify; a real one costs 19 MiB and two passes. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$UpJtziI0SFFEunN8TEkuTQ$pf7HnYendcIdFkwTjENtr6JD+r7GDLPVRiOuQQ3RD3I';

const TOKEN_VERSION = 1;
const ALWAYS_OPEN = createDailySchedule('00:00', '24:00');

/** The body of a sign-up. */
export function createSignup<T extends object>(account: T) {
  const passwords = { password: PASSWORD, confirm_password: PASSWORD };
  return { studio_name: 'Studio', ...NEW_YORK, ...passwords, ...account };
}

/** Creates an artist who takes bookings, and logs them in. */
export async function newArtist(
  server: ArtistServer,
  setup: ArtistOptions = {},
): Promise<TestArtist> {
  const {
    username = `artist-${randomUUID().slice(0, 13)}`,
    full_name = 'An Artist',
    studio_name = 'The Studio',
    scheduling_type = 'service',
    time_zone = NEW_YORK.time_zone,
    schedule = ALWAYS_OPEN,
    isEmailProven = true,
  } = setup;
  const account = { email: setup.email ?? `${username}@example.com`, full_name, username };
  const studio = { ...NEW_YORK, time_zone };

  async function insert(): Promise<string> {
    const id = await server.database.transaction().execute(async (transaction) => {
      const inserted = await insertArtist(
        transaction,
        {
          ...account,
          password_hash: PASSWORD_HASH,
          token_version: TOKEN_VERSION,
          email_proven_at: isEmailProven ? new Date() : null,
          scheduling_type,
        },
        { name: studio_name, ...studio },
      );
      await updateSchedule(transaction, inserted, schedule);
      return inserted;
    });
    return createAccessToken(server.database, server.tokenKeys, id, TOKEN_VERSION);
  }

  async function signUpAndLogIn(): Promise<string> {
    await call(server.http(), signUp, {
      body: createSignup({ ...account, studio_name, ...studio }),
    });
    const login = { username: account.email, password: PASSWORD };
    const { access_token } = await call(server.http(), logIn, { body: login });
    await call(server.http(access_token), changeMe, { body: { scheduling_type } });
    await call(server.http(access_token), changeSchedule, { body: schedule });
    return access_token;
  }

  const token = await (setup.viaSignup ? signUpAndLogIn() : insert());
  const http = server.http(token);
  const service = await call(http, createService, {
    body: {
      name: setup.service_name ?? 'Flash',
      duration: setup.duration ?? 60,
    },
  });
  return { self: await call(http, fetchMe), username, password: PASSWORD, token, http, service };
}

/** What an artist types into the two steps of the sign-up, by the labels of the fields. */
export function signupSteps(username: string) {
  return [
    {
      'Full name': 'Ines Kowal',
      Username: username,
      Email: `${username}@example.com`,
      Password: PASSWORD,
      'Confirm password': PASSWORD,
    },
    {
      'Studio name': 'Ink & Ivory',
      'Address line 1': '12 Example Street',
      City: 'New York',
      State: 'NY',
      'Zip code': '10002',
    },
  ] as const;
}

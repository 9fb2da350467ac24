import { randomUUID } from 'node:crypto';
import { changeMe, changeSchedule, readMe, signUp } from '#client/artists.ts';
import type { Http } from '#client/http.ts';
import { logIn } from '#client/login.ts';
import { createService } from '#client/services.ts';
import type { ArtistSelf } from '#contract/artist.ts';
import type { ScheduleChanges } from '#contract/schedule.ts';
import type { Service } from '#contract/service.ts';
import { NEW_BOOKING_RANGE } from '#domain/booking_range.ts';
import { NEW_SCHEDULE } from '#domain/schedule.ts';
import { insertArtist, updateHours } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { signToken } from '#server/operations/login.ts';
import { openDaily } from './rosa.ts';

/** An artist of one test: nobody else's bookings touch them. */
export interface TestArtist {
  readonly self: ArtistSelf;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** Calls as this artist, by the functions of `client`. */
  readonly http: Http;
  readonly service: Service;
}

export interface ArtistSetup {
  readonly username?: string;
  readonly full_name?: string;
  readonly studio_name?: string;
  readonly scheduling_type?: 'service' | 'managed' | null;
  readonly time_zone?: string;
  /** Beside what a new artist has; every day from 00:00 to 24:00 with no notice unless given. */
  readonly schedule?: ScheduleChanges;
  /** Minutes of their one service. */
  readonly duration?: number;
  /** What that service is called. */
  readonly service_name?: string;
  /** Signs up over the API, which welcomes them by mail and takes its time to hash their password. */
  readonly signsUp?: boolean;
}

/** Where artists are put, and how they call. */
interface Server {
  readonly database: Database;
  /** Signs its access tokens. */
  readonly secret: Uint8Array;
  http(token?: string): Http;
}

/** The password of all artists that `newArtist` makes. */
export const PASSWORD = 'correct horse';

/** Of `PASSWORD`, by so little work that a login takes no time; a real one costs 19 MiB and two passes. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$UpJtziI0SFFEunN8TEkuTQ$pf7HnYendcIdFkwTjENtr6JD+r7GDLPVRiOuQQ3RD3I';

const TOKEN_VERSION = 1;
const ALWAYS_OPEN = openDaily('00:00', '24:00');

/** An artist who takes bookings, and their token. */
export async function newArtist(server: Server, setup: ArtistSetup = {}): Promise<TestArtist> {
  const username = setup.username ?? `artist-${randomUUID().slice(0, 13)}`;
  const token = await (setup.signsUp ? signUpAs : insertAs)(server, username, setup);
  const http = server.http(token);
  const service = await createService(http, {
    name: setup.service_name ?? 'Flash',
    duration: setup.duration ?? 60,
  });
  return { self: await readMe(http), username, password: PASSWORD, token, http, service };
}

async function insertAs(
  { database, secret }: Server,
  username: string,
  setup: ArtistSetup,
): Promise<string> {
  const { studio_name: name, ...place } = studioOf(setup);
  const id = await database.transaction().execute(async (transaction) => {
    const inserted = await insertArtist(
      transaction,
      {
        ...accountOf(username, setup),
        password_hash: PASSWORD_HASH,
        token_version: TOKEN_VERSION,
        scheduling_type: schedulingTypeOf(setup),
      },
      { name, ...place },
      NEW_SCHEDULE,
      NEW_BOOKING_RANGE,
    );
    await updateHours(transaction, inserted, setup.schedule ?? ALWAYS_OPEN);
    return inserted;
  });
  return signToken(secret, id, TOKEN_VERSION);
}

async function signUpAs(server: Server, username: string, setup: ArtistSetup): Promise<string> {
  const account = accountOf(username, setup);
  const passwords = { password: PASSWORD, confirm_password: PASSWORD };
  await signUp(server.http(), { ...account, ...passwords, ...studioOf(setup) });
  const { access_token: token } = await logIn(server.http(), {
    username: account.email,
    password: PASSWORD,
  });
  await changeMe(server.http(token), { scheduling_type: schedulingTypeOf(setup) });
  await changeSchedule(server.http(token), setup.schedule ?? ALWAYS_OPEN);
  return token;
}

function accountOf(username: string, { full_name = 'An Artist' }: ArtistSetup) {
  return { email: `${username}@example.com`, full_name, username };
}

function studioOf({ studio_name = 'The Studio', time_zone = 'America/New_York' }: ArtistSetup) {
  return {
    studio_name,
    address_one: '1 Example Street',
    city: 'New York',
    state: 'NY',
    zip_code: '10001',
    time_zone,
  };
}

/** Not a default of the setup: null says that they have not chosen yet. */
function schedulingTypeOf({ scheduling_type = 'service' }: ArtistSetup) {
  return scheduling_type;
}

/** Passkeys (WebAuthn, W3C): an artist logs in with a key that their device keeps. */
import { type Selectable, sql } from 'kysely';
import type { ListPage } from '#contract/common.ts';
import type {
  NewPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyLogin,
  PasskeyLoginOptions,
} from '#contract/passkey.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import { insertSessionEvent } from '#server/database/security_events.ts';
import type { Passkeys } from '#server/database/tables.ts';
import type { Site } from '#server/mail/mail_content.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { browserName } from './browser_name.ts';
import { readDeviceToken } from './device_token.ts';
import { type LoginSource, type LoginTokens, requireCurrentPassword, startLogin } from './login.ts';
import type { Browser, TokenOwner } from './sessions.ts';

/** How long a person has for the dialogs of their device. */
const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
const MAX_PASSKEYS = 20;
/** 1023 bytes (WebAuthn, 6.5.1) in base64url. */
const MAX_CREDENTIAL_ID_LENGTH = 1364;
/** ES256, RS256 and EdDSA (RFC 9053): every authenticator knows one of them. */
const ALGORITHMS = [-7, -257, -8];

/** Imported at its first use, because most processes start without needing it. */
const webauthn = () => import('@simplewebauthn/server');

const LISTED_COLUMNS = ['id', 'browser', 'created_at', 'last_used_at'] as const;
type PasskeyRow = Pick<Selectable<Passkeys>, (typeof LISTED_COLUMNS)[number]>;

/** Selects the artist's passkeys, the oldest first. */
function selectPasskeys(database: Database, artistId: string) {
  return database
    .selectFrom('passkeys')
    .select([...LISTED_COLUMNS, 'credential_id'])
    .where('artist_id', '=', artistId)
    .orderBy('created_at')
    .orderBy('id');
}

/** The artist's passkeys, the oldest first. */
export async function listPasskeys(
  { database }: Context,
  artistId: string,
): Promise<ListPage<Passkey>> {
  const data = (await selectPasskeys(database, artistId).execute()).map(toPasskey);
  return { data, count: data.length };
}

/** Returns the options with which a browser makes a passkey of the artist. */
export async function startPasskey(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  current_password: string,
  now: Instant,
): Promise<PasskeyCreationOptions> {
  await requireCurrentPassword(context, owner, current_password);
  const { id: artistId } = owner;
  const artist = requireFound(await findArtistById(context.database, artistId));
  const existing = await selectPasskeys(context.database, artistId).execute();
  if (existing.length >= MAX_PASSKEYS) throw refuse('too_many_passkeys');
  const { generateRegistrationOptions } = await webauthn();
  const { id } = relyingParty(context.site);
  const { rp, user, challenge } = await generateRegistrationOptions({
    rpName: context.site.productName,
    rpID: id,
    userName: artist.email,
    userDisplayName: artist.full_name,
    userID: new TextEncoder().encode(artistId),
  });
  await insertChallenge(context, challenge, artistId, now);
  return {
    rp: { id, name: rp.name },
    user,
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: existing.map(({ credential_id }) => ({
      type: 'public-key',
      id: credential_id,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      // A fingerprint, a face or a PIN: the passkey alone replaces the password.
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** Adds the passkey that a browser made, and mails the artist about it. */
export async function addPasskey(
  context: Context,
  owner: TokenOwner & Pick<Browser, 'userAgent'>,
  created: NewPasskey,
  now: Instant,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await webauthn();
  const { id, origin } = relyingParty(context.site);
  let challenge = '';
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...created, clientExtensionResults: {} },
    // Only remembered here; `requireChallenge` checks it.
    expectedChallenge: (signed) => {
      challenge = signed;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuseWrongPasskey);
  if (!registrationInfo) throw refuse('passkey_not_valid');
  await requireChallenge(context, challenge, owner.id, now);
  const { credential } = registrationInfo;
  if (credential.id.length > MAX_CREDENTIAL_ID_LENGTH) throw refuse('passkey_not_valid');
  const scope = { artistId: owner.id, lock: 'artist', invalidates: [] } as const;
  return change(context, scope, async (context) => {
    const { database } = context;
    // A new password, or the undo of an email's change, may have ended the session since the call began: no
    // passkey may outlive that.
    const session = database
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', owner.sessionId)
      .where('artist_id', '=', owner.id)
      .where('ended_at', 'is', null);
    if (!(await hasRow(session))) throw refuse('not_signed_in');
    const existing = await selectPasskeys(database, owner.id).execute();
    if (existing.length >= MAX_PASSKEYS) throw refuse('too_many_passkeys');
    const row = await database
      .insertInto('passkeys')
      .values({
        artist_id: owner.id,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        browser: browserName(owner.userAgent),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(LISTED_COLUMNS)
      .executeTakeFirst();
    // An account has a passkey with this credential already.
    if (!row) throw refuse('passkey_not_valid');
    await recordAndNotify(context, owner, 'passkey_added', row);
    return toPasskey(row);
  });
}

/** Removes a passkey of the artist, such as that of a lost phone, and mails the artist about it. */
export async function removePasskey(
  context: Context,
  owner: TokenOwner,
  id: string,
): Promise<void> {
  await change(context, { invalidates: [] }, async (context) => {
    const row = await context.database
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('artist_id', '=', owner.id)
      .returning(LISTED_COLUMNS)
      .executeTakeFirst();
    await recordAndNotify(context, owner, 'passkey_removed', requireFound(row));
  });
}

export async function deletePasskeys(database: Database, artistId: string): Promise<void> {
  await database.deleteFrom('passkeys').where('artist_id', '=', artistId).execute();
}

/** Returns the options with which a browser logs in with any passkey that it has for this site. */
export async function startPasskeyLogin(
  context: Context,
  now: Instant,
): Promise<PasskeyLoginOptions> {
  const { generateAuthenticationOptions } = await webauthn();
  const rpId = relyingParty(context.site).id;
  const { challenge } = await generateAuthenticationOptions({ rpID: rpId });
  await insertChallenge(context, challenge, null, now);
  return { rpId, challenge, timeout: CHALLENGE_LIFETIME_MS, userVerification: 'required' };
}

/** Exchanges the signature of a passkey for an access token and a device token, as `logIn` does. */
export async function logInWithPasskey(
  context: Context,
  login: PasskeyLogin,
  source: LoginSource,
  now: Instant,
): Promise<LoginTokens> {
  const found = await verifyPasskey(context, login, now);
  if (!found.is_active) throw refuse('artist_inactive');
  const device = await readDeviceToken(context, source.deviceToken);
  return startLogin(context, found, source, device?.artistId === found.id ? device : undefined);
}

/**
 * Checks the signature of a passkey. Its challenge works only once.
 * @returns the account of the passkey
 * @throws Refusal `passkey_not_valid`, also for a removed passkey
 */
export async function verifyPasskey(context: Context, login: PasskeyLogin, now: Instant) {
  const found = await context.database
    .selectFrom('passkeys')
    .innerJoin('artists', 'artists.id', 'passkeys.artist_id')
    .select(['passkeys.id as passkey_id', 'passkeys.public_key', 'passkeys.counter'])
    .select(['artists.id', 'artists.email', 'artists.full_name', 'artists.created_at'])
    .select(['artists.token_version', 'artists.is_active'])
    .where('credential_id', '=', login.id)
    .executeTakeFirst();
  if (!found) throw refuse('passkey_not_valid');
  const { verifyAuthenticationResponse } = await webauthn();
  const { id, origin } = relyingParty(context.site);
  const { clientDataJSON, authenticatorData, signature } = login.response;
  let challenge = '';
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...login,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    // Only remembered here; `requireChallenge` checks it.
    expectedChallenge: (signed) => {
      challenge = signed;
      return true;
    },
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: login.id,
      publicKey: new Uint8Array(found.public_key),
      counter: Number(found.counter),
    },
  }).catch(refuseWrongPasskey);
  if (!verified) throw refuse('passkey_not_valid');
  await requireChallenge(context, challenge, null, now);
  await context.database
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: sql<Date>`now()` })
    .where('id', '=', found.passkey_id)
    .execute();
  return found;
}

/** Stores a challenge that a passkey will sign. @param artistId of the artist who adds it; null for a login */
async function insertChallenge(
  { database }: Context,
  challenge: string,
  artistId: string | null,
  now: Instant,
): Promise<void> {
  const expires_at = new Date(now + CHALLENGE_LIFETIME_MS);
  await database
    .insertInto('passkey_challenges')
    .values({ challenge, artist_id: artistId, expires_at })
    .execute();
}

/**
 * Deletes the challenge that a passkey has signed, so that it is answered once. Call this after the library
 * has verified the passkey: inside of it, an error of the database would read as a wrong passkey.
 * @throws Refusal `passkey_not_valid` for a challenge that we did not give for this, or that is used already
 */
async function requireChallenge(
  { database }: Context,
  challenge: string,
  artistId: string | null,
  now: Instant,
): Promise<void> {
  const given = database
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('artist_id', 'is not distinct from', artistId)
    .where('expires_at', '>', new Date(now));
  if (!(await hasRow(given.returning('challenge')))) throw refuse('passkey_not_valid');
}

/** The library throws an error for each way in which a signature does not fit. */
function refuseWrongPasskey(): never {
  throw refuse('passkey_not_valid');
}

/** The site to which passkeys belong: its domain, and the origin of its pages. */
function relyingParty({ siteUrl }: Pick<Site, 'siteUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(siteUrl);
  return { id: hostname, origin };
}

/** Records a change of the artist's passkeys as a security event, and mails the artist about it. */
async function recordAndNotify(
  context: InChange<Pick<Context, 'jobs'>>,
  owner: TokenOwner,
  kind: 'passkey_added' | 'passkey_removed',
  { id: passkey, browser }: { readonly id: string; readonly browser: string | null },
): Promise<void> {
  await insertSessionEvent(context.database, owner, kind);
  const artist = requireFound(await findArtistById(context.database, owner.id));
  const notice = { kind, artist: toAccountSnapshot(artist), passkey, browser };
  await notify(context, { notices: [notice] });
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    browser: row.browser,
    created_at: toRfc3339(row.created_at.getTime()),
    last_used_at: row.last_used_at && toRfc3339(row.last_used_at.getTime()),
  };
}

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { NewPasskey, PasskeyLogin } from '#contract/passkey.ts';
import type { Database } from '#server/database/connect.ts';

/** Adds a passkey that nobody has. */
export function addPasskeyRow(database: Database, artistId: string) {
  return database
    .insertInto('passkeys')
    .values({
      artist_id: artistId,
      credential_id: randomBytes(16).toString('base64url'),
      public_key: randomBytes(77),
      counter: 0,
      browser: 'Chrome on Android',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** Flags of the authenticator data (WebAuthn, 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface DeviceOptions {
  /** Of the page that asks; the site's unless set. */
  readonly origin?: string;
  /** Whether the person showed a finger, a face or a PIN; true unless set. */
  readonly isVerified?: boolean;
}

/** A device with one passkey, which does what an authenticator and a browser do. */
export class PasskeyDevice {
  readonly #id: Buffer;
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly #rpId: string;
  readonly #origin: string;
  #counter = 0;

  /** @param idLength in bytes */
  constructor(siteUrl = 'http://linework.test', idLength = 16) {
    this.#id = randomBytes(idLength);
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#rpId = new URL(siteUrl).hostname;
    this.#origin = new URL(siteUrl).origin;
  }

  /** Makes the passkey, as `navigator.credentials.create` does. */
  create(challenge: string, options: DeviceOptions = {}): NewPasskey {
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.#id.length);
    const authData = Buffer.concat([
      this.#authenticatorData(options, HAS_CREDENTIAL),
      Buffer.alloc(16),
      idLength,
      this.#id,
      this.#coseKey(),
    ]);
    const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, options).toString(
          'base64url',
        ),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      },
    };
  }

  /** Signs a login, as `navigator.credentials.get` does. */
  sign(challenge: string, options: DeviceOptions = {}): PasskeyLogin {
    this.#counter += 1;
    const authData = this.#authenticatorData(options, 0);
    const clientData = this.#clientData('webauthn.get', challenge, options);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      },
    };
  }

  /** As a copy of the key that was made before its last uses. */
  rewindCounter(): void {
    this.#counter = 0;
  }

  #credential() {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: DeviceOptions): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData({ isVerified = true }: DeviceOptions, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      createHash('sha256').update(this.#rpId).digest(),
      Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags]),
      counter,
    ]);
  }

  /** The public key in COSE (RFC 9053, 7.1.1): EC2, ES256, P-256, x and y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key));
  }
}

/** Turns errors of PostgreSQL into a reason and a remedy, for the operator. */
import { toOneLine } from '#domain/text/one_line.ts';
import { errorCode } from './error_code.ts';
import { UnsupportedPostgres } from './postgres_version.ts';

export interface PostgresFailure {
  /** Such as `nothing listens on 10.0.0.5:5432 (ECONNREFUSED)`. Contains no password. */
  readonly reason: string;
  /** A sentence with the remedy. */
  readonly advice: string;
}

interface Target {
  /** The setting with the URL, such as `DATABASE_URL`. */
  readonly setting: string;
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

const TLS_CODES = /^(DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS)/;

/** Describes the error of connecting to the database of a setting, or of working with it. */
export function describePostgresError(
  error: unknown,
  url: string,
  setting = 'DATABASE_URL',
): PostgresFailure {
  const target = readTarget(url, setting);
  const known = KNOWN_ERRORS[errorCode(error) ?? ''] ?? findByMessage(error);
  if (known) return known(target, toMessage(error));
  return { reason: toMessage(error), advice: `Read the log of PostgreSQL, and check ${setting}.` };
}

/** A sentence with the reason and the remedy. */
export function formatPostgresError(error: unknown, url: string, setting = 'DATABASE_URL'): string {
  const { reason, advice } = describePostgresError(error, url, setting);
  return `The database of ${setting} cannot be used: ${reason}. ${advice}`;
}

type Describe = (target: Target, message: string) => PostgresFailure;

const noAnswer: Describe = ({ setting, host }) => ({
  reason: `${host} does not answer in time`,
  advice: `Correct host and port in ${setting}, or let this machine through the firewall.`,
});
const noHost: Describe = ({ setting, host }) => ({
  reason: `no machine has the name of ${host}`,
  advice: `Correct the host name in ${setting}.`,
});
const noRights: Describe = ({ user, setting }, message) =>
  message.includes('extension')
    ? {
        reason: message,
        advice: 'Run CREATE EXTENSION btree_gist in this database once, as a superuser.',
      }
    : {
        reason: `${message} (user ${user})`,
        advice: `Make ${user} the owner of the database, or name its owner in ${setting}.`,
      };

/** The known errors, by their codes of PostgreSQL and of Node. */
const KNOWN_ERRORS: Readonly<Record<string, Describe>> = {
  ECONNREFUSED: ({ setting, host }) => ({
    reason: `nothing listens on ${host} (ECONNREFUSED)`,
    advice: `Start PostgreSQL there, or correct host and port in ${setting}.`,
  }),
  EMFILE: () => ({
    reason: 'this process may open no more files',
    advice: 'Raise its limit (ulimit -n, or LimitNOFILE= of systemd).',
  }),
  ENFILE: () => ({
    reason: 'this machine may open no more files',
    advice: 'Raise its limit (sysctl fs.file-max).',
  }),
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  '28P01': ({ setting, user }) => ({
    reason: `PostgreSQL refuses the password of the user ${user}`,
    advice: `Correct the password in ${setting}, and write special characters in it as %40.`,
  }),
  '28000': ({ setting, user }, message) => ({
    reason: message,
    advice: `Create the user ${user}, let it in by pg_hba.conf, or correct ${setting}.`,
  }),
  '3D000': ({ setting, user, database }) => ({
    reason: `there is no database ${database}`,
    advice: `Create it (createdb --owner=${user} ${database}), or correct its name in ${setting}.`,
  }),
  '42501': noRights,
  '0A000': (_target, message) => ({
    reason: message,
    advice: 'Install the extensions that come with PostgreSQL (package postgresql-contrib).',
  }),
  '25006': ({ setting }) => ({
    reason: 'it can only be read',
    advice: `Let ${setting} name the primary server and not a replica.`,
  }),
  '53100': () => ({
    reason: 'its disk is full',
    advice: 'Free space on the disk of PostgreSQL.',
  }),
  '53300': () => ({
    reason: 'it has no free connection',
    advice: 'Raise max_connections of PostgreSQL, or run fewer servers and WORKERS.',
  }),
  '57P03': (_target, message) => ({ reason: message, advice: 'Wait until PostgreSQL runs.' }),
};

/** For errors of pg without a code. */
function findByMessage(error: unknown): Describe | undefined {
  const message = toMessage(error);
  if (error instanceof UnsupportedPostgres)
    return ({ setting }) => ({
      reason: message,
      advice: `Upgrade PostgreSQL, or let ${setting} name a newer one.`,
    });
  if (message.startsWith('the server is not a replica'))
    return ({ setting }) => ({
      reason: message,
      advice: `Let ${setting} name a replica of DATABASE_URL.`,
    });
  if (/timeout|did not answer/i.test(message)) return noAnswer;
  if (/password must be a (?:non-empty )?string/.test(message))
    return ({ setting, user }) => ({
      reason: `PostgreSQL asks for a password of the user ${user}`,
      advice: `Write the password into ${setting}: postgres://user:password@host:5432/name.`,
    });
  if (/SSL|TLS|certificate/i.test(message) || TLS_CODES.test(errorCode(error) ?? ''))
    return ({ setting }) => ({
      reason: message,
      advice: `Correct sslmode in ${setting}: ?sslmode=disable without TLS, ?sslmode=verify-full with it.`,
    });
  if (/connection terminated|unexpected message|ended/i.test(message))
    return ({ setting, host }) => ({
      reason: `${host} does not answer as PostgreSQL does`,
      advice: `Correct host and port in ${setting}.`,
    });
  return undefined;
}

function readTarget(url: string, setting: string): Target {
  const { hostname, port, pathname, username } = new URL(url);
  const user = decodeURIComponent(username) || 'of this process';
  return {
    setting,
    host: `${hostname || 'localhost'}:${port || '5432'}`,
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

/** The text of an error: its code, if it has no message, as Node's when all addresses of a host refuse us. */
function toMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return toOneLine(message || errorCode(error) || 'unknown error').replace(/\.$/, '');
}

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { FILE_SETTINGS, SETTINGS } from '#server/settings/settings.ts';
import { openFolder } from '#support/folder.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
/** Of systemd-analyze, from 0 to 100: the lower, the less a service may do. */
const MAX_EXPOSURE = 20;
/** Each secret may be in a file too; the files are explained once. */
const NAMES = SETTINGS.filter((name) => !FILE_SETTINGS.includes(name));
/** compose.yaml's own. */
const POSTGRES_PASSWORD = 'POSTGRES_PASSWORD';

const readProjectFile = (path: string) => readFile(join(PROJECT, path), 'utf8');

/** The names before the `=` of each line, also of those that are a comment. */
async function readEnvExample(): Promise<string[]> {
  const example = await readProjectFile('.env.example');
  return [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
}

test('.env.example lists each setting of a server once, and each block has a comment', async () => {
  const names = await readEnvExample();
  expect(names.sort()).toEqual(
    [...NAMES.filter((name) => name !== 'ADAPTER'), POSTGRES_PASSWORD].sort(),
  );
  for (const block of (await readProjectFile('.env.example')).split('\n\n'))
    expect(block).toMatch(/^# /);
});

describe('compose.yaml', () => {
  const Service = z.looseObject({
    image: z.string(),
    build: z.optional(z.string()),
    environment: z.optional(z.record(z.string(), z.string())),
    mem_limit: z.string(),
    logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
  });
  const Compose = z.object({
    services: z.record(z.string(), Service),
    configs: z.record(z.string(), z.object({ content: z.string() })),
  });
  let compose: z.output<typeof Compose>;
  beforeAll(async () => {
    // Fails if a service has no limit of memory or of logs.
    compose = Compose.parse(parse(await readProjectFile('compose.yaml'), { merge: true }));
  });

  test('passes every setting to the servers, but for those that belong to its other services', async () => {
    for (const name of ['site', 'bucket']) {
      const service = compose.services[name];
      expect(service).toMatchObject({ env_file: '.env', init: true, read_only: true });
      // A value here replaces the one of .env, unless it is only the default.
      const fixed = Object.entries(service?.environment ?? {})
        .filter(([setting, value]) => !value.startsWith(`\${${setting}:`))
        .map(([setting]) => setting);
      const example = await readProjectFile('.env.example');
      const [, listed = ''] = /sets these itself.*?\n(.*)/s.exec(example) ?? [];
      expect(fixed.sort()).toEqual((listed.match(/[A-Z][A-Z0-9_]+/g) ?? []).sort());
    }
  });

  test('limits memory and logs of each service, and uses images of precise versions', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      ['bucket', 'database', 'images', 'mail', 'proxy', 'site'].sort(),
    );
    for (const [name, { image, build, mem_limit, logging }] of Object.entries(compose.services)) {
      expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, logging.options['max-size']]).toEqual([name, '10m']);
      if (build === undefined)
        expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+(\.\d+)?(@|$)/)]);
    }
  });

  test('has a configuration that Caddy accepts', async () => {
    const file = join(await openFolder(), 'Caddyfile');
    await writeFile(file, compose.configs['proxy']?.content ?? '');
    await run('caddy', ['adapt', '--adapter', 'caddyfile', '--config', file]);
  });
});

test('the health check of the image does not depend on the database, and its Node is the one of the tests', async () => {
  const dockerfile = await readProjectFile('Dockerfile');
  expect(dockerfile).toMatch(/^HEALTHCHECK .*\/healthz/m);
  const { devDependencies } = JSON.parse(await readProjectFile('package.json'));
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(new Set(bases)).toEqual(new Set([`node:${devDependencies.node}-bookworm-slim`]));
});

test('systemd accepts the service, which may do little beside its work', async ({ annotate }) => {
  const file = join(await openFolder(), 'linework.service');
  const unit = await readProjectFile('deploy/systemd/linework.service');
  // systemd-analyze looks for the command.
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath));
  const verified = await run('systemd-analyze', ['verify', file]);
  expect(verified.stdout + verified.stderr).toBe('');
  // Exits with 1 if the exposure is higher.
  const { stdout } = await run('systemd-analyze', [
    ...['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, file],
  ]);
  await annotate(/→ .*/.exec(stdout)?.[0] ?? '');
});

test('Caddy accepts its configuration as it is', async () => {
  const { stdout } = await run('caddy', [
    ...['adapt', '--adapter', 'caddyfile', '--config', join(PROJECT, 'deploy/caddy/Caddyfile')],
  ]);
  expect(stdout).toContain('"uri":"/readyz"');
});

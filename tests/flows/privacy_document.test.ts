import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DEFAULT_RETENTION, RETENTION_SETTINGS } from '#domain/retention.ts';
import { openTestContext } from '#support/test_context.ts';

const DOCUMENT = await readFile(new URL('../../docs/privacy.md', import.meta.url), 'utf8');

test('docs/privacy.md names every table of the database, and no other', async () => {
  const { database } = (await openTestContext()).context;
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
  `.execute(database);
  const table = DOCUMENT.slice(DOCUMENT.indexOf('## Every table'));
  const [, , ...lines] = table.split('\n').filter((line) => line.startsWith('|'));
  const named = lines.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('docs/privacy.md names the settings of retention with their defaults', () => {
  const times = [
    'appointmentDetailsMonths',
    'messagesMonths',
    'mailsDays',
    'paymentEventsMonths',
  ] as const;
  expect(times).toHaveLength(Object.keys(RETENTION_SETTINGS).length);
  for (const time of times) {
    const [line = ''] = DOCUMENT.split('\n').filter((one) =>
      one.startsWith(`| \`${RETENTION_SETTINGS[time]}\``),
    );
    expect(line).toContain(
      ` ${DEFAULT_RETENTION[time]} ${time === 'mailsDays' ? 'days' : 'months'}`,
    );
  }
});

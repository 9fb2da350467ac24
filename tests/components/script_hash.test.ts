import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { scriptHash } from '#components/script_hash.ts';

test('each script has its own hash, which browsers compute too', async () => {
  for (const code of ['alert(1)', 'alert(2)', 'alert(1)', '“é”'])
    expect(await scriptHash(code)).toBe(
      `sha256-${createHash('sha256').update(code).digest('base64')}`,
    );
});

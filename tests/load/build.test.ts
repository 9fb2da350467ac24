import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { build, copyProgram } from './program_copy.ts';

describe('npm run build', () => {
  test('builds nothing when nothing has changed, or only files of the server', async () => {
    const program = inject('program');
    expect(await build(program)).toBe('');
    const note = join(program, 'src/server/note.txt');
    await writeFile(note, 'a change');
    expect(await build(program)).toBe('');
    await rm(note);
  });

  describe('after a failed build', () => {
    let program: string;
    beforeAll(async () => {
      program = await mkdtemp(join(tmpdir(), 'linework-build-'));
      await chmod(program, 0o755);
      await copyProgram(program, { built: true });
      await build(program);
    });
    afterAll(() => rm(program, { recursive: true, force: true }));

    test('the previous build stays current, and building its restored sources builds nothing', async () => {
      const broken = join(program, 'src/pages/broken.astro');
      await writeFile(broken, "---\nimport '../missing.ts';\n---\n");
      await expect(build(program)).rejects.toThrow(/missing\.ts/);
      await rm(broken);
      expect(existsSync(join(program, 'dist/current/server/entry.mjs'))).toBe(true);
      expect(await build(program)).toBe('');
    });
  });
});

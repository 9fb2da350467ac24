import { existsSync } from 'node:fs';
import { appendFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { openFolder } from '#support/folder.ts';
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

  test('after a failed build the previous one stays current, and a later build keeps it for servers that run', async () => {
    const program = join(await openFolder(), 'program');
    await copyProgram(program, { built: true });
    await build(program);
    const first = await readlink(join(program, 'dist/current'));
    const broken = join(program, 'src/pages/broken.astro');
    await writeFile(broken, "---\nimport '../missing.ts';\n---\n");
    await expect(build(program)).rejects.toThrow(/missing\.ts/);
    await rm(broken);
    expect(await readlink(join(program, 'dist/current'))).toBe(first);
    expect(await build(program)).toBe('');

    await appendFile(join(program, 'src/styles/artist.css'), '.changed { color: red; }\n');
    expect(await build(program)).toContain('Building');
    expect(await readlink(join(program, 'dist/current'))).not.toBe(first);
    for (const link of [first, 'current'])
      expect(existsSync(join(program, 'dist', link, 'server/entry.mjs'))).toBe(true);
  });
});

import type { TestProject } from 'vitest/node';
import { ensureInstalled } from '../../scripts/optional_packages.ts';
import provideProgram from '../load/program_copy.ts';

/** Installs what builds for other hosts, before the copy of the program that the tests build. */
export default function install(project: TestProject): Promise<() => Promise<void>> {
  for (const host of ['cloudflare', 'netlify', 'vercel'] as const)
    ensureInstalled(`deploy/${host}`);
  return provideProgram(project);
}

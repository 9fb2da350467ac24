import type { TestProject } from 'vitest/node';
import { ensureInstalled } from '../../scripts/optional_packages.ts';
import provideProgram from '../load/program_copy.ts';

/** Installs the adapters of other hosts, before the program is copied for the tests. */
export default function install(project: TestProject): Promise<() => Promise<void>> {
  for (const host of ['cloudflare', 'netlify', 'vercel'] as const)
    ensureInstalled(`deploy/${host}`);
  return provideProgram(project);
}

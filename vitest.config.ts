import './scripts/node_version.js';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Zones of machines: the rules about zones are tested in these too, with every eighth generated case. */
const MACHINE_ZONES = ['Europe/Berlin', 'America/New_York'];

/** What is waited for may take longer than the usual second on a busy machine. */
const expect = { poll: { timeout: 10_000 } };

export default defineConfig({
  test: {
    reporters: ['default'],
    // More than cores: most of the time they wait for PostgreSQL or for a process.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'domain',
          include: ['tests/{components,contract,domain,pages,layouts,rooms,scripts}/**/*.test.ts'],
          // Some start a command, which takes seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      ...MACHINE_ZONES.map((zone) => ({
        test: {
          name: `domain in ${zone}`,
          include: [
            'tests/domain/*/{availability*,booking_range,calendar_{date,view},format_time,studio_time,time_conflicts,wall_clock,zone_offsets}.test.ts',
          ],
          env: { TZ: zone, EVERY_NTH_CASE: '8' },
          isolate: false,
          testTimeout: 30_000,
        },
      })),
      {
        test: {
          name: 'api',
          expect,
          include: [
            'tests/{api,cache,database,demo,flows,images,jobs,mail,metrics,operations,payments,server}/**/*.test.ts',
          ],
          globalSetup: 'tests/support/postgres_cluster.ts',
          // Files of one worker share its modules, its database and its application (support/test_app.ts).
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'load',
          include: ['tests/load/**/*.test.ts'],
          globalSetup: 'tests/load/program_copy.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'abuse',
          include: ['tests/abuse/**/*.test.ts'],
          globalSetup: 'tests/load/program_copy.ts',
          // One after the other: they measure memory and time.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          globalSetup: 'tests/load/program_copy.ts',
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          globalSetup: 'tests/load/program_copy.ts',
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'hosts',
          include: ['tests/hosts/**/*.test.ts'],
          globalSetup: 'tests/hosts/install.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'engines',
          expect,
          include: ['tests/engines/**/*.test.ts'],
          globalSetup: 'tests/support/browser_server.ts',
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'islands',
          expect,
          include: ['tests/{islands,stores,client}/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'tests/support/island_setup.ts',
          pool: 'vmThreads',
          // Many clicks in a row, on a machine that may be busy with the other projects.
          testTimeout: 30_000,
        },
      },
    ],
  },
});

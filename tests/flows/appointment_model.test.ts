import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestApp } from '#support/test_app.ts';
import { appointmentCommands } from './appointment_model/commands.ts';
import { everyTransition, listTransitions } from './appointment_model/model.ts';
import { createTestMailServer, createWorlds } from './appointment_model/world.ts';

const SUITE_COMMANDS = 500;
const ALL_TRANSITIONS_COMMANDS = 20_000;
/** Commands of one run, at most: each run begins with an empty database. */
const RUN_COMMANDS = 150;

/** How many commands to run; `npm run test:model` runs 20,000. */
const commandCount = Number(process.env['MODEL_COMMANDS'] ?? SUITE_COMMANDS);
/** The first run's; each further run has the next one. */
const firstSeed = Number(process.env['MODEL_SEED'] ?? 13);
/** Includes the search for the shortest sequence of commands that fails. */
const RUN_LIMIT_MS = commandCount === SUITE_COMMANDS ? 60_000 : 300_000;

test(
  'random clients, artists, clocks and mail outages leave each appointment as the design says',
  async () => {
    const mailServer = createTestMailServer();
    const app = await openTestApp({ database: 'own', mailer: mailServer });
    const transitions = new Set<string>();
    let executed = 0;
    let seed = firstSeed;
    for (; executed < commandCount; seed += 1) {
      const property = fc.asyncProperty(appointmentCommands(RUN_COMMANDS), async (commands) => {
        const worlds = await createWorlds(app, mailServer);
        await fc.asyncModelRun(() => worlds, commands);
        await worlds.real.finish(worlds.model);
        executed += worlds.real.countSteps();
        for (const transition of listTransitions(worlds.model)) transitions.add(transition);
      });
      await fc.assert(property, {
        seed,
        numRuns: 1,
        interruptAfterTimeLimit: RUN_LIMIT_MS,
        // A short report: the error lists the commands.
        reporter: ({ failed, errorInstance, numShrinks }) => {
          if (!failed) return;
          const repeat = `MODEL_SEED=${seed} MODEL_COMMANDS=1 npm run test:model`;
          throw new Error(`${repeat} (shrunk ${numShrinks} times)\n${errorInstance}`);
        },
      });
    }
    console.log(`${executed} commands, seeds ${firstSeed} to ${seed - 1}`);
    // Enough commands reach every change of the table.
    if (commandCount >= ALL_TRANSITIONS_COMMANDS)
      expect([...transitions].toSorted()).toEqual(everyTransition());
    expect(executed).toBeGreaterThanOrEqual(commandCount);
  },
  // A command takes 30 ms at rest, and much longer on a busy machine.
  2 * RUN_LIMIT_MS + commandCount * 500,
);

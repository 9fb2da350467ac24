import { expect, test } from 'vitest';
import { ownFrames, stackFrames } from '#domain/text/stack_frames.ts';

const OWN = [
  'at run (file:///linework/src/server/database/prepared_statements.ts:46:39)',
  'at async file:///linework/dist/server/entry.mjs:9:1',
];
const PACKAGE = 'at Client.query (/linework/node_modules/pg/lib/client.js:526:17)';
const NODE = [
  'at process.processTicks (node:internal/process/task_queues:104:5)',
  'at node:fs:1:2',
];

test('the frames of a stack have neither its message nor their indentation', () => {
  const stack = `Error: at noon\nrosa@example.com\n    ${OWN[0]}\n    ${PACKAGE}`;
  expect(stackFrames(stack)).toEqual([OWN[0], PACKAGE]);
  expect(stackFrames('Error: no frames')).toEqual([]);
});

test('the frames of our own files are those outside of packages and of Node', () => {
  expect(ownFrames([NODE[0] ?? '', ...OWN, PACKAGE, ...NODE])).toEqual(OWN);
});

test('of a stack without own files all frames are shown', () => {
  expect(ownFrames([PACKAGE, ...NODE])).toEqual([PACKAGE, ...NODE]);
});

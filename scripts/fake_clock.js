// Loaded into every Node of `npm run test:at`: processes that are started with an environment of their own,
// such as PostgreSQL, get the variables of the faked clock too.
import { ChildProcess } from 'node:child_process';

const VARIABLES = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'NODE_OPTIONS'];
const pairs = VARIABLES.map((name) => `${name}=${process.env[name]}`);

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const names = new Set(options.envPairs.map((pair) => pair.split('=')[0]));
  const missing = pairs.filter((pair) => !names.has(pair.split('=')[0]));
  return spawn.call(this, { ...options, envPairs: [...options.envPairs, ...missing] });
};

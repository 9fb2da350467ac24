// Loaded into every Node of `npm run test:at`: a process with an environment of its own, such as
// PostgreSQL, gets the moved clock too.
import { ChildProcess } from 'node:child_process';

const variables = ['LD_PRELOAD', 'NODE_OPTIONS'].map((name) => `${name}=${process.env[name]}`);
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  return spawn.call(this, { ...options, envPairs: [...options.envPairs, ...variables] });
};

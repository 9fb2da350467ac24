// Loaded into every Node process of `npm run test:at`: gives the moved clock also to processes that Node starts with
// an environment of their own, such as PostgreSQL.
import { ChildProcess } from 'node:child_process';

const variables = ['LD_PRELOAD', 'NODE_OPTIONS'].map((name) => `${name}=${process.env[name]}`);
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  return spawn.call(this, { ...options, envPairs: [...options.envPairs, ...variables] });
};

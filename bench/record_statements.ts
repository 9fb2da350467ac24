import { AsyncLocalStorage } from 'node:async_hooks';
import { Server, ServerResponse } from 'node:http';
import pg from 'pg';

// Loaded before the program (`--import`): sends its parent process each statement of a request with the
// rows that PostgreSQL returned, and `answered` at the end of each request. Statements of jobs are left out.

/** A statement as it went to PostgreSQL. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly unknown[];
}

const requests = new AsyncLocalStorage<true>();

const emit = Server.prototype.emit;
Server.prototype.emit = function (event: string | symbol, ...rest: unknown[]): boolean {
  const pass = () => Reflect.apply(emit, this, [event, ...rest]);
  if (event !== 'request') return pass();
  const [, response] = rest;
  if (response instanceof ServerResponse) response.once('close', () => process.send?.('answered'));
  return requests.run(true, pass);
};

const query = pg.Client.prototype.query;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: Parameters<typeof query>) {
    const answer: unknown = Reflect.apply(query, this, args);
    if (requests.getStore() && answer instanceof Promise)
      void answer.then(({ rows }) => process.send?.({ ...asStatement(args), rows }));
    return answer;
  },
});

function asStatement([what, values]: readonly unknown[]): Omit<Statement, 'rows'> {
  if (typeof what === 'string') return { text: what, values: Array.isArray(values) ? values : [] };
  const { name, text, values: own } = Object(what);
  return { ...(name === undefined ? {} : { name }), text, values: own ?? [] };
}

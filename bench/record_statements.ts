import { AsyncLocalStorage } from 'node:async_hooks';
import { Server, ServerResponse } from 'node:http';
import pg from 'pg';

// Loaded before the program (`--import`): sends its parent process each query of a request with the
// rows that PostgreSQL returned, and `answered` at the end of each request. Queries of jobs are left out.

/** A query as it went to PostgreSQL. Without values, it may be several statements. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Of several statements, a list for each. */
  readonly rows: readonly unknown[];
  /** Queries of one number went through one connection. */
  readonly connection: number;
  /** Queries of one number were sent before any of them was answered. */
  readonly batch: number;
  /** Whether it left a transaction open. */
  readonly isInTransaction: boolean;
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

const connections = new Map<pg.Client, number>();
let batch = 0;
/** Whether a query of the batch has been answered: the next one may depend on it. */
let isAnswered = true;

const query = pg.Client.prototype.query;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]): unknown {
    const statement = toStatement(args);
    if (!requests.getStore() || !statement) return Reflect.apply(query, this, args);
    if (isAnswered) batch += 1;
    isAnswered = false;
    const sent = { ...statement, batch, connection: numberOf(this) };
    const record = (answer: unknown) => {
      isAnswered = true;
      const isInTransaction = this.getTransactionStatus() !== 'I';
      process.send?.({ ...sent, rows: rowsOf(answer), isInTransaction } satisfies Query);
    };
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      const answer: unknown = Reflect.apply(query, this, args);
      if (answer instanceof Promise) answer.then(record, record);
      return answer;
    }
    const recordFirst = (error: unknown, answer: unknown) => {
      record(answer);
      callback(error, answer);
    };
    return Reflect.apply(query, this, [...args.slice(0, -1), recordFirst]);
  },
});

/** Undefined for a query that pg has no text of, such as a COPY. */
function toStatement([what, values]: readonly unknown[]) {
  if (typeof what === 'string') return { text: what, values: Array.isArray(values) ? values : [] };
  const { name, text, values: own } = Object(what);
  if (typeof text !== 'string') return undefined;
  return { ...(name === undefined ? {} : { name }), text, values: own ?? [] };
}

function numberOf(client: pg.Client): number {
  const number = connections.get(client) ?? connections.size;
  connections.set(client, number);
  return number;
}

function rowsOf(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer.map(rowsOf) : (Object(answer).rows ?? []);
}

import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import {
  createInvoice,
  createSubscription,
  DAY_SECONDS,
  type Params,
  type StripeCheckoutSession,
  type StripeCustomer,
  type StripeEvent,
  type StripeSubscription,
  toCheckout,
  toCustomer,
  toEvent,
  type UnixSeconds,
} from './fake_stripe_objects.ts';
import { closeServer, listenOn } from './free_port.ts';

/** A received call with its parameters, such as `line_items[0][price]`. */
interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  readonly idempotencyKey: string | undefined;
}

/** The receiver of events: the URL of a webhook, or a function. */
type Webhook = string | ((body: string, signature: string) => Promise<unknown>);

interface SignOptions {
  /** By default the account's own. */
  readonly secret?: string;
  /** Unix seconds, by default now. */
  readonly at?: UnixSeconds;
}

/** The part of Stripe that we use, on a local port. */
export type FakeStripe = Awaited<ReturnType<typeof openFakeStripe>>;

const CHECKOUT = [
  'mode',
  'customer',
  'client_reference_id',
  'success_url',
  'cancel_url',
  'line_items[][price]',
  'line_items[][quantity]',
  'subscription_data[trial_end]',
];
/** Parameters of lists. */
const LIST = ['customer', 'status', 'limit', 'starting_after'];

/** An error response in Stripe's format. */
function problem(
  status: 400 | 401 | 404 | 500,
  error: { type: string; message: string; code?: string | undefined; param?: string | undefined },
) {
  const res = Response.json({ error }, { status });
  return new HTTPException(status, { message: error.message, res });
}

function invalidRequest(
  message: string,
  code?: string,
  param?: string,
  status: 400 | 401 | 404 = 400,
): HTTPException {
  // JSON omits undefined values.
  return problem(status, { type: 'invalid_request_error', message, code, param });
}

function resourceMissing(
  type: string,
  id: string,
  param: string,
  status: 400 | 404 = 404,
): HTTPException {
  return invalidRequest(`No such ${type}: '${id}'`, 'resource_missing', param, status);
}

/** Starts a fake Stripe without customers. */
export async function openFakeStripe() {
  const account = {
    secretKey: `sk_test_${createId()}`,
    webhookSecret: `whsec_${createId()}`,
    priceId: `price_${createId()}`,
  };
  const calls: StripeCall[] = [];
  const events: StripeEvent[] = [];
  const customers = new Map<string, StripeCustomer>();
  const checkouts = new Map<string, StripeCheckoutSession>();
  const subscriptions = new Map<string, StripeSubscription>();
  const idempotentResponses = new Map<
    string,
    { readonly request: string; readonly body: object }
  >();
  const trials = new Map<string, UnixSeconds>();
  let webhook: Webhook | undefined;
  let state: 'unreachable' | 'failing' | 'healthy' = 'healthy';

  const app = new Hono();
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) =>
    state === 'unreachable' ? request.socket.destroy() : void listener(request, response),
  );
  const url = `http://127.0.0.1:${await listenOn(server)}`;

  /** Answers a call. Looking up its idempotency key and storing the response must be synchronous. */
  const answer = async ({ req, json }: Context, run: (params: Params) => object) => {
    const { method, path } = req;
    const params = Object.fromEntries([
      ...new URL(req.url).searchParams,
      ...new URLSearchParams(await req.text()),
    ]);
    if (state === 'failing')
      throw problem(500, { type: 'api_error', message: 'Something went wrong on our end.' });
    if (req.header('authorization') !== `Bearer ${account.secretKey}`)
      throw invalidRequest('Invalid API Key provided', undefined, undefined, 401);
    const idempotencyKey = method === 'POST' ? req.header('idempotency-key') : undefined;
    calls.push({ method, path, params, idempotencyKey });
    const requestKey = JSON.stringify([path, params]);
    const earlier =
      idempotencyKey === undefined ? undefined : idempotentResponses.get(idempotencyKey);
    if (earlier && earlier.request !== requestKey)
      throw problem(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      });
    const body = earlier?.body ?? run(params);
    if (idempotencyKey !== undefined)
      idempotentResponses.set(idempotencyKey, { request: requestKey, body });
    return json(body);
  };

  /**
   * Registers an operation of the API.
   * @param known the parameters that it accepts; `[]` stands for any index, `[*]` for any name
   */
  const operation = (
    [method, path]: readonly ['GET' | 'POST' | 'DELETE', string],
    known: readonly string[],
    run: (params: Params, id: string) => object,
    required: readonly string[] = [],
  ) =>
    app.on(method, path, (context) =>
      answer(context, (params) => {
        checkParams(params, known, required);
        return run(params, context.req.param('id') ?? '');
      }),
    );

  const createCustomer = (params: Params): StripeCustomer => {
    if (params['email']?.endsWith('@refused.example'))
      throw invalidRequest(`Invalid email address: ${params['email']}`, 'email_invalid', 'email');
    const customer = toCustomer(`cus_${createId()}`, params);
    customers.set(customer.id, customer);
    return customer;
  };

  const createCheckout = (params: Params): StripeCheckoutSession => {
    const { customer = '' } = params;
    if (params['mode'] !== 'subscription')
      throw invalidRequest('Invalid mode: must be subscription', undefined, 'mode');
    if (!customers.has(customer)) throw resourceMissing('customer', customer, 'customer', 400);
    const price = params['line_items[0][price]'] ?? '';
    if (price !== account.priceId)
      throw resourceMissing('price', price, 'line_items[0][price]', 400);
    if (params['line_items[0][quantity]'] === undefined)
      throw invalidRequest('Quantity is required.', 'parameter_missing', 'line_items[0][quantity]');
    const trialEnd = params['subscription_data[trial_end]'];
    if (trialEnd !== undefined && !(Number(trialEnd) >= unixNow() + 2 * DAY_SECONDS))
      throw invalidRequest(
        'The `trial_end` date has to be at least 2 days in the future.',
        undefined,
        'subscription_data[trial_end]',
      );
    const id = `cs_test_${createId()}`;
    if (trialEnd !== undefined) trials.set(id, Number(trialEnd));
    const session = toCheckout(id, customer, params, `${url}/checkout/${id}`);
    checkouts.set(id, session);
    return session;
  };

  const expireCheckout = (session: StripeCheckoutSession): StripeCheckoutSession => {
    if (session.status !== 'open')
      throw invalidRequest('Only Checkout Sessions with a status in ["open"] can be expired.');
    const expired: StripeCheckoutSession = { ...session, status: 'expired', url: null };
    checkouts.set(session.id, expired);
    return expired;
  };

  const createPortal = (params: Params) => {
    const { customer = '' } = params;
    if (!customers.has(customer)) throw resourceMissing('customer', customer, 'customer', 400);
    const id = `bps_${createId()}`;
    return { id, object: 'billing_portal.session', url: `${url}/portal/${id}` };
  };

  const listCheckouts = (params: Params) =>
    pageOf(
      [...checkouts.values()].filter(
        ({ customer, status }) =>
          customer === (params['customer'] ?? customer) && status === (params['status'] ?? status),
      ),
      '/v1/checkout/sessions',
      params,
    );

  const listSubscriptions = (params: Params) =>
    pageOf(
      [...subscriptions.values()].filter(
        ({ customer, status }) =>
          customer === (params['customer'] ?? customer) &&
          (params['status'] === undefined
            ? status !== 'canceled'
            : params['status'] === 'all' || params['status'] === status),
      ),
      '/v1/subscriptions',
      params,
    );

  const cancelSubscription = (id: string): StripeSubscription => {
    const { status } = findObject(subscriptions, 'subscription', id);
    if (status === 'canceled') throw resourceMissing('subscription', id, 'id');
    const canceled = change(id, { status: 'canceled' });
    void emit('customer.subscription.deleted', canceled);
    return canceled;
  };

  /** Builds an event. It is neither sent nor stored. */
  const event = (type: string, object: object, created = unixNow(), id = `evt_${createId()}`) =>
    toEvent(id, type, object, created);

  const emit = async (type: string, object: object): Promise<void> => {
    const newEvent = event(type, object);
    events.push(newEvent);
    // Failed deliveries are not retried.
    if (webhook !== undefined) await send(newEvent).catch(() => {});
  };

  /** The value of the header `Stripe-Signature`. */
  const sign = (
    body: string,
    { secret = account.webhookSecret, at = unixNow() }: SignOptions = {},
  ) => `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

  /** Sends an event to the webhook, possibly again, and returns the webhook's response. */
  const send = async (sent: StripeEvent): Promise<unknown> => {
    if (webhook === undefined) throw new Error('No webhook is set');
    const body = JSON.stringify(sent);
    const signature = sign(body);
    if (typeof webhook !== 'string') return webhook(body, signature);
    return fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
      body,
    });
  };

  const change = (id: string, changes: Partial<StripeSubscription>): StripeSubscription => {
    const changed = { ...findObject(subscriptions, 'subscription', id), ...changes };
    subscriptions.set(id, changed);
    return changed;
  };

  const invoiceFor = (subscription: StripeSubscription) =>
    createInvoice(`in_${createId()}`, subscription);

  const start = async (
    customer: string,
    trialEnd: UnixSeconds | null,
    beforeEvents: (subscription: StripeSubscription) => Promise<void>,
  ): Promise<StripeSubscription> => {
    const id = `sub_${createId()}`;
    const subscription = createSubscription(id, customer, unixNow(), trialEnd);
    subscriptions.set(id, subscription);
    await beforeEvents(subscription);
    await emit('customer.subscription.created', subscription);
    await emit('invoice.paid', invoiceFor(subscription));
    return subscription;
  };

  /** Completes an open checkout, as its button does. */
  const subscribe = (id: string): Promise<StripeSubscription> => {
    const session = findObject(checkouts, 'checkout.session', id, 'session');
    if (session.status !== 'open') throw invalidRequest('This checkout is not open.');
    const trialEnd = trials.get(id) ?? null;
    return start(session.customer, trialEnd, async (subscription) => {
      const complete: StripeCheckoutSession = {
        ...session,
        status: 'complete',
        subscription: subscription.id,
        url: null,
      };
      checkouts.set(id, complete);
      await emit('checkout.session.completed', complete);
    });
  };

  /** Cancels the subscription at the end of its period, or resumes it. */
  const cancelAtPeriodEnd = async (id: string, cancel = true): Promise<void> => {
    const [item] = findObject(subscriptions, 'subscription', id).items.data;
    const changed = change(id, {
      cancel_at_period_end: cancel,
      cancel_at: cancel ? (item?.current_period_end ?? null) : null,
    });
    await emit('customer.subscription.updated', changed);
  };

  operation(['POST', '/v1/customers'], ['email', 'name', 'metadata[*]'], createCustomer);
  operation(['GET', '/v1/customers/:id'], [], (_, id) => findObject(customers, 'customer', id));
  operation(['POST', '/v1/checkout/sessions'], CHECKOUT, createCheckout, [
    'mode',
    'success_url',
    'line_items[0][price]',
  ]);
  operation(['GET', '/v1/checkout/sessions'], LIST, listCheckouts);
  operation(['POST', '/v1/checkout/sessions/:id/expire'], [], (_, id) =>
    expireCheckout(findObject(checkouts, 'checkout.session', id, 'session')),
  );
  operation(['POST', '/v1/billing_portal/sessions'], ['customer', 'return_url'], createPortal, [
    'customer',
  ]);
  operation(['GET', '/v1/subscriptions/:id'], [], (_, id) =>
    findObject(subscriptions, 'subscription', id),
  );
  operation(['GET', '/v1/subscriptions'], LIST, listSubscriptions);
  operation(['DELETE', '/v1/subscriptions/:id'], [], (_, id) => cancelSubscription(id));

  // The hosted page.
  app.all('/checkout/:id', async (context) => {
    const session = checkouts.get(context.req.param('id'));
    if (!session) return context.notFound();
    if (session.status !== 'open') return sendPage(context, 'This page is no longer open', '', 410);
    if (context.req.method !== 'POST')
      return sendPage(
        context,
        'Checkout',
        html`<form method="post"><button>Subscribe</button></form>`,
      );
    await subscribe(session.id);
    return context.redirect(session.success_url, 303);
  });
  app.notFound((context) => sendPage(context, 'Not found', '', 404));

  return {
    /** The value of `STRIPE_API_BASE`. */
    url,
    account: { ...account, apiBase: url },
    /** Settings of a server that uses this provider. */
    env: {
      STRIPE_SECRET_KEY: account.secretKey,
      STRIPE_WEBHOOK_SECRET: account.webhookSecret,
      STRIPE_PRICE_ID: account.priceId,
      STRIPE_API_BASE: url,
    },
    /** All API calls so far. */
    calls,
    /** All events so far, sent or not. */
    events,
    customers,
    checkouts,
    subscriptions,
    /** Sets the webhook. Without one, which is the default, events are not sent. */
    setWebhook: (next: Webhook | undefined) => {
      webhook = next;
    },
    send,
    sign,
    event,
    subscribe,
    /** Starts a subscription without a checkout. */
    startSubscription: (customer: string) => start(customer, null, async () => {}),
    /** A payment fails, and the subscription becomes past due. */
    async failPayment(id: string) {
      const changed = change(id, { status: 'past_due' });
      await emit('invoice.payment_failed', invoiceFor(changed));
      await emit('customer.subscription.updated', changed);
    },
    /** A failed payment succeeds. */
    async pay(id: string) {
      const changed = change(id, { status: 'active' });
      await emit('invoice.paid', invoiceFor(changed));
      await emit('customer.subscription.updated', changed);
    },
    /** The trial of the subscription ends without a card. */
    pause: (id: string) => emit('customer.subscription.updated', change(id, { status: 'paused' })),
    cancelAtPeriodEnd,
    /** Cancels the subscription immediately. */
    async cancelNow(id: string) {
      await emit('customer.subscription.deleted', change(id, { status: 'canceled' }));
    },
    /** Deletes the data of a subscription without an event. */
    deleteSubscription: (id: string) => subscriptions.delete(id),
    /** Deletes a customer, as one can in the dashboard. The API then answers as if unknown. */
    deleteCustomer: (id: string) => customers.delete(id),
    /** Sets whether connections are cut, every call fails, or calls succeed. */
    setState: (next: typeof state) => {
      state = next;
      if (next === 'unreachable') server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

function unixNow(): UnixSeconds {
  return Math.floor(Date.now() / 1000);
}

function createId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}

function checkParams(params: Params, known: readonly string[], required: readonly string[]): void {
  for (const param of Object.keys(params)) {
    const plain = param.replace(/\[\d+\]/g, '[]').replace(/(metadata)\[\w+\]$/, '$1[*]');
    if (!known.includes(plain))
      throw invalidRequest(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
  }
  for (const param of required)
    if (!params[param])
      throw invalidRequest(`Missing required param: ${param}.`, 'parameter_missing', param);
}

function findObject<T>(objects: ReadonlyMap<string, T>, type: string, id = '', param = 'id'): T {
  const found = objects.get(id);
  if (found === undefined) throw resourceMissing(type, id, param);
  return found;
}

/** A page of a list, newest first. */
function pageOf<T extends { readonly id: string }>(
  found: readonly T[],
  url: string,
  { limit = '10', starting_after }: Params,
) {
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
    throw invalidRequest(`Invalid integer: ${limit}`, 'parameter_invalid_integer', 'limit');
  const newest = found.toReversed();
  const after = newest.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && after < 0)
    throw resourceMissing('object', starting_after, 'starting_after', 400);
  const remaining = newest.slice(after + 1);
  const data = remaining.slice(0, Number(limit));
  return { object: 'list' as const, data, has_more: remaining.length > data.length, url };
}

type Html = ReturnType<typeof html> | '';

function sendPage(context: Context, title: string, body: Html, status: 200 | 404 | 410 = 200) {
  context.header('Cache-Control', 'no-store');
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>${title}</title>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </html>`;
  return context.html(page, status);
}

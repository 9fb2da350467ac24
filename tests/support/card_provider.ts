import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  API_VERSION,
  anInvoice,
  aSubscription,
  type CheckoutSession,
  type Customer,
  DAY,
  type Invoice,
  type List,
  type PortalSession,
  type ProviderEvent,
  type ProviderSubscription,
  type Seconds,
} from './card_provider_shapes.ts';

/** A call that came in, with what was sent, such as `line_items[0][price]`. */
interface ProviderCall {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
}

/** Where events go: the address of a webhook, or whoever takes them in. */
type Webhook = string | ((body: string, signature: string) => Promise<unknown>);

interface HowSigned {
  /** The account's own unless given. */
  readonly secret?: string;
  /** Unix seconds; now unless given. */
  readonly at?: Seconds;
}

/** The card provider, as far as we use it, on a port of this machine. */
export interface CardProvider extends AsyncDisposable {
  /** What goes into `STRIPE_API_BASE`. */
  readonly url: string;
  readonly account: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    readonly priceId: string;
    readonly apiBase: string;
  };
  /** The settings of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every call to its API so far. */
  readonly calls: readonly ProviderCall[];
  /** Everything that happened, whether it was told or not. */
  readonly events: readonly ProviderEvent[];
  readonly customers: ReadonlyMap<string, Customer>;
  readonly checkouts: ReadonlyMap<string, CheckoutSession>;
  readonly subscriptions: ReadonlyMap<string, ProviderSubscription>;
  /** From now on what happens is told there; nowhere when undefined, which is how it begins. */
  tell(webhook: Webhook | undefined): void;
  /** Tells an event, as it is or once more; answers what the webhook answers. */
  send(event: ProviderEvent, how?: HowSigned): Promise<unknown>;
  /** What goes into the header `stripe-signature`. */
  sign(body: string, how?: HowSigned): string;
  /** An event that is of its own making: it is not told, and changes nothing here. */
  event(type: string, object: object, created?: Seconds, id?: string): ProviderEvent;
  /** Goes through a checkout that is open, as its button does. */
  subscribe(checkout: string): Promise<ProviderSubscription>;
  /** Begins a subscription that no checkout led to. */
  begin(customer: string): Promise<ProviderSubscription>;
  /** A payment fails, and bookings go on for a while. */
  failPayment(subscription: string): Promise<void>;
  /** The payment that had failed is made. */
  pay(subscription: string): Promise<void>;
  /** Ends it with what is paid, or goes on after all. */
  cancelAtPeriodEnd(subscription: string, cancel?: boolean): Promise<void>;
  /** Ends it at once. */
  cancelNow(subscription: string): Promise<void>;
  /** Forgets a subscription, as if it had never been. */
  forget(subscription: string): void;
  /** Deletes a customer, as someone may by hand; it answers as if they had never been. */
  forgetCustomer(customer: string): void;
  /** From now on: connections are cut, every call fails, or all is well. */
  be(state: 'unreachable' | 'failing' | 'well'): void;
}

const PRICE = 2000;

/** Parameters that the API knows, a call each; `[]` stands for any index, `[*]` for any name. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/customers': ['email', 'name', 'phone', 'description', 'metadata[*]', 'expand[]'],
  'GET /v1/customers/:id': ['expand[]'],
  'POST /v1/checkout/sessions': [
    'mode',
    'customer',
    'client_reference_id',
    'success_url',
    'cancel_url',
    'line_items[][price]',
    'line_items[][quantity]',
    'subscription_data[trial_end]',
    'subscription_data[trial_period_days]',
    'subscription_data[description]',
    'subscription_data[metadata][*]',
    'allow_promotion_codes',
    'billing_address_collection',
    'expires_at',
    'locale',
    'metadata[*]',
    'payment_method_collection',
    'expand[]',
  ],
  'GET /v1/checkout/sessions': [
    'customer',
    'status',
    'subscription',
    'limit',
    'starting_after',
    'ending_before',
    'expand[]',
  ],
  'POST /v1/checkout/sessions/:id/expire': ['expand[]'],
  'POST /v1/billing_portal/sessions': [
    'customer',
    'return_url',
    'configuration',
    'locale',
    'on_behalf_of',
    'expand[]',
  ],
  'GET /v1/subscriptions/:id': ['expand[]'],
  'GET /v1/subscriptions': [
    'customer',
    'status',
    'price',
    'limit',
    'starting_after',
    'ending_before',
    'collection_method',
    'expand[]',
  ],
  'DELETE /v1/subscriptions/:id': ['invoice_now', 'prorate', 'expand[]'],
};

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/checkout/sessions': ['mode', 'success_url', 'line_items[0][price]'],
  'POST /v1/billing_portal/sessions': ['customer'],
};

/** The API says no, in the shape in which it does. */
class ApiProblem extends Error {
  readonly status: number;
  readonly error: Readonly<Record<string, string>>;

  constructor(status: number, error: Readonly<Record<string, string>>) {
    super(error['message']);
    this.status = status;
    this.error = error;
  }
}

function invalid(message: string, code?: string, param?: string, status = 400): ApiProblem {
  return new ApiProblem(status, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });
}

function missing(what: string, id: string, param: string, status = 404): ApiProblem {
  return invalid(`No such ${what}: '${id}'`, 'resource_missing', param, status);
}

/** Starts a card provider that has no customers yet. */
export async function openCardProvider(): Promise<CardProvider> {
  const account = {
    secretKey: `sk_test_${name()}`,
    webhookSecret: `whsec_${name()}`,
    priceId: `price_${name()}`,
  };
  const calls: ProviderCall[] = [];
  const events: ProviderEvent[] = [];
  const customers = new Map<string, Customer>();
  const checkouts = new Map<string, CheckoutSession>();
  const portals = new Map<string, PortalSession>();
  const subscriptions = new Map<string, ProviderSubscription>();
  const answered = new Map<string, { readonly asked: string; readonly body: object }>();
  const trials = new Map<string, Seconds>();
  let webhook: Webhook | undefined;
  let state: 'unreachable' | 'failing' | 'well' = 'well';

  const server = createServer((request, response) => {
    if (state === 'unreachable') {
      request.socket.destroy();
      return;
    }
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
    });
  });
  const url = await listen(server);

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', url);
    const method = request.method ?? 'GET';
    const body = await readText(request);
    if (!path.startsWith('/v1/')) return showPage(method, path, response);
    try {
      const params = Object.fromEntries([...searchParams, ...new URLSearchParams(body)]);
      const answer = takeCall(method, path, params, request.headers);
      response.writeHead(200, JSON_HEADERS).end(JSON.stringify(answer));
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      response
        .writeHead(problem.status, JSON_HEADERS)
        .end(JSON.stringify({ error: problem.error }));
    }
  };

  const takeCall = (
    method: string,
    path: string,
    params: Readonly<Record<string, string>>,
    headers: IncomingMessage['headers'],
  ): object => {
    if (state === 'failing')
      throw new ApiProblem(500, { type: 'api_error', message: 'Something went wrong on our end.' });
    if (headers.authorization !== `Bearer ${account.secretKey}`)
      throw invalid('Invalid API Key provided', undefined, undefined, 401);
    const key = headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' && method === 'POST' ? key : undefined;
    calls.push({ method, path, params, idempotencyKey });
    const asked = JSON.stringify([path, params]);
    const earlier = idempotencyKey === undefined ? undefined : answered.get(idempotencyKey);
    if (earlier && earlier.asked !== asked)
      throw new ApiProblem(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      });
    if (earlier) return earlier.body;
    const answer = doCall(method, path, params);
    if (idempotencyKey !== undefined) answered.set(idempotencyKey, { asked, body: answer });
    return answer;
  };

  const doCall = (
    method: string,
    path: string,
    params: Readonly<Record<string, string>>,
  ): object => {
    const [, , ...words] = path.split('/');
    const operation = Object.keys(KNOWN).find((one) => fits(one, method, path));
    if (operation === undefined)
      throw invalid(`Unrecognized request URL (${method}: ${path})`, undefined, undefined, 404);
    judgeParams(operation, params);
    switch (operation) {
      case 'POST /v1/customers':
        return createCustomer(params);
      case 'GET /v1/customers/:id':
        return find(customers, 'customer', words[1], 'id');
      case 'POST /v1/checkout/sessions':
        return createCheckout(params);
      case 'GET /v1/checkout/sessions':
        return pageOf(
          [...checkouts.values()].filter(
            ({ customer, status }) =>
              customer === (params['customer'] ?? customer) &&
              status === (params['status'] ?? status),
          ),
          path,
          params,
        );
      case 'POST /v1/checkout/sessions/:id/expire':
        return expireCheckout(find(checkouts, 'checkout.session', words[2], 'session'));
      case 'POST /v1/billing_portal/sessions':
        return createPortal(params);
      case 'GET /v1/subscriptions/:id':
        return find(subscriptions, 'subscription', words[1], 'id');
      case 'GET /v1/subscriptions':
        return listSubscriptions(path, params);
      default:
        return endSubscription(words[1]);
    }
  };

  const createCustomer = (params: Readonly<Record<string, string>>): Customer => {
    if (params['email']?.endsWith('@refused.example'))
      throw invalid(`Invalid email address: ${params['email']}`, 'email_invalid', 'email');
    const customer: Customer = {
      id: `cus_${name()}`,
      object: 'customer',
      created: now(),
      email: params['email'] ?? null,
      name: params['name'] ?? null,
      livemode: false,
      metadata: named('metadata', params),
    };
    customers.set(customer.id, customer);
    return customer;
  };

  const createCheckout = (params: Readonly<Record<string, string>>): CheckoutSession => {
    const { customer = '', success_url = '', cancel_url = null } = params;
    if (params['mode'] !== 'subscription')
      throw invalid('Invalid mode: must be subscription', undefined, 'mode');
    if (!customers.has(customer)) throw missing('customer', customer, 'customer', 400);
    const price = params['line_items[0][price]'] ?? '';
    if (price !== account.priceId) throw missing('price', price, 'line_items[0][price]', 400);
    if (params['line_items[0][quantity]'] === undefined)
      throw invalid('Quantity is required.', 'parameter_missing', 'line_items[0][quantity]');
    const trialEnd = params['subscription_data[trial_end]'];
    if (trialEnd !== undefined && !(Number(trialEnd) >= now() + 2 * DAY))
      throw invalid(
        'The `trial_end` date has to be at least 2 days in the future.',
        undefined,
        'subscription_data[trial_end]',
      );
    const id = `cs_test_${name()}`;
    if (trialEnd !== undefined) trials.set(id, Number(trialEnd));
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      created: now(),
      expires_at: now() + DAY,
      customer,
      client_reference_id: params['client_reference_id'] ?? null,
      livemode: false,
      metadata: named('metadata', params),
      mode: 'subscription',
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url,
      cancel_url,
      url: `${url}/checkout/${id}`,
    };
    checkouts.set(id, session);
    return session;
  };

  const expireCheckout = (session: CheckoutSession): CheckoutSession => {
    if (session.status !== 'open')
      throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.');
    const expired: CheckoutSession = { ...session, status: 'expired', url: null };
    checkouts.set(session.id, expired);
    return expired;
  };

  const createPortal = (params: Readonly<Record<string, string>>): PortalSession => {
    const { customer = '', return_url = null } = params;
    if (!customers.has(customer)) throw missing('customer', customer, 'customer', 400);
    const id = `bps_${name()}`;
    const session: PortalSession = {
      id,
      object: 'billing_portal.session',
      configuration: 'bpc_default',
      created: now(),
      customer,
      livemode: false,
      return_url,
      url: `${url}/portal/${id}`,
    };
    portals.set(id, session);
    return session;
  };

  const listSubscriptions = (
    path: string,
    params: Readonly<Record<string, string>>,
  ): List<ProviderSubscription> => {
    const { status } = params;
    const found = [...subscriptions.values()].filter(
      (one) =>
        one.customer === (params['customer'] ?? one.customer) &&
        (status === 'all' ||
          (status === undefined ? one.status !== 'canceled' : one.status === status)),
    );
    return pageOf(found, path, params);
  };

  const endSubscription = (id = ''): ProviderSubscription => {
    const subscription = find(subscriptions, 'subscription', id, 'id');
    if (subscription.status === 'canceled') throw missing('subscription', id, 'id');
    const ended: ProviderSubscription = {
      ...subscription,
      status: 'canceled',
      canceled_at: now(),
      ended_at: now(),
    };
    subscriptions.set(id, ended);
    void happen('customer.subscription.deleted', ended);
    return ended;
  };

  const makeEvent = (
    type: string,
    object: object,
    created = now(),
    id = `evt_${name()}`,
  ): ProviderEvent => ({
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  });

  const happen = async (type: string, object: object): Promise<void> => {
    const event = makeEvent(type, object);
    events.push(event);
    // Whoever does not listen is not told again.
    if (webhook !== undefined) await send(event).catch(() => {});
  };

  const sign = (body: string, { secret = account.webhookSecret, at = now() }: HowSigned = {}) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

  const send = async (event: ProviderEvent, how?: HowSigned): Promise<unknown> => {
    if (webhook === undefined) throw new Error('There is nobody to tell');
    const body = JSON.stringify(event);
    const signature = sign(body, how);
    if (typeof webhook !== 'string') return webhook(body, signature);
    return fetch(webhook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature },
      body,
    });
  };

  const change = (id: string, changes: Partial<ProviderSubscription>): ProviderSubscription => {
    const changed = { ...find(subscriptions, 'subscription', id, 'id'), ...changes };
    subscriptions.set(id, changed);
    return changed;
  };

  const invoiceFor = (subscription: ProviderSubscription, isPaid: boolean): Invoice =>
    anInvoice(
      `in_${name()}`,
      subscription,
      subscription.status === 'trialing' ? 0 : PRICE,
      isPaid,
      now(),
    );

  const start = async (
    customer: string,
    trialEnd: Seconds | null,
    before: (subscription: ProviderSubscription) => Promise<void>,
  ): Promise<ProviderSubscription> => {
    const id = `sub_${name()}`;
    const subscription = aSubscription(id, customer, account.priceId, now(), trialEnd);
    subscriptions.set(id, subscription);
    await before(subscription);
    await happen('customer.subscription.created', subscription);
    await happen('invoice.paid', invoiceFor(subscription, true));
    return subscription;
  };

  const subscribe = (id: string): Promise<ProviderSubscription> => {
    const session = find(checkouts, 'checkout.session', id, 'session');
    if (session.status !== 'open') throw invalid('This checkout is over.');
    const trialEnd = trials.get(id) ?? null;
    return start(session.customer, trialEnd, async (subscription) => {
      const complete: CheckoutSession = {
        ...session,
        status: 'complete',
        payment_status: trialEnd === null ? 'paid' : 'no_payment_required',
        subscription: subscription.id,
        url: null,
      };
      checkouts.set(id, complete);
      await happen('checkout.session.completed', complete);
    });
  };

  const cancelAtPeriodEnd = async (id: string, cancel = true): Promise<void> => {
    const [item] = find(subscriptions, 'subscription', id, 'id').items.data;
    const changed = change(id, {
      cancel_at_period_end: cancel,
      cancel_at: cancel ? (item?.current_period_end ?? null) : null,
      canceled_at: cancel ? now() : null,
    });
    await happen('customer.subscription.updated', changed);
  };

  /** The pages that people see. */
  const showPage = async (method: string, path: string, response: ServerResponse) => {
    const [, kind = '', id = ''] = path.split('/');
    const session = kind === 'checkout' ? checkouts.get(id) : undefined;
    const portal = kind === 'portal' ? portals.get(id) : undefined;
    const goTo = (where: string) => response.writeHead(303, { Location: where }).end();
    if (session) {
      if (session.status !== 'open') return show(response, 410, 'This page is no longer open', '');
      if (method !== 'POST') return show(response, 200, 'Checkout', checkoutBody(session));
      await subscribe(id);
      return goTo(session.success_url);
    }
    if (portal) {
      const theirs = [...subscriptions.values()].findLast(
        ({ customer, status }) => customer === portal.customer && status !== 'canceled',
      );
      if (method !== 'POST') return show(response, 200, 'Billing', portalBody(portal, theirs));
      if (theirs) await cancelAtPeriodEnd(theirs.id, !theirs.cancel_at_period_end);
      return goTo(portal.url);
    }
    return show(response, 404, 'Not found', '');
  };

  const apiBase = url;
  return {
    url,
    account: { ...account, apiBase },
    env: {
      STRIPE_SECRET_KEY: account.secretKey,
      STRIPE_WEBHOOK_SECRET: account.webhookSecret,
      STRIPE_PRICE_ID: account.priceId,
      STRIPE_API_BASE: apiBase,
    },
    calls,
    events,
    customers,
    checkouts,
    subscriptions,
    tell: (where) => {
      webhook = where;
    },
    send,
    sign,
    event: makeEvent,
    subscribe,
    begin: (customer) => start(customer, null, async () => {}),
    async failPayment(id) {
      const changed = change(id, { status: 'past_due' });
      await happen('invoice.payment_failed', invoiceFor(changed, false));
      await happen('customer.subscription.updated', changed);
    },
    async pay(id) {
      const changed = change(id, { status: 'active' });
      await happen('invoice.paid', invoiceFor(changed, true));
      await happen('customer.subscription.updated', changed);
    },
    cancelAtPeriodEnd,
    async cancelNow(id) {
      const ended = { status: 'canceled', canceled_at: now(), ended_at: now() };
      await happen('customer.subscription.deleted', change(id, ended));
    },
    forget: (id) => {
      subscriptions.delete(id);
    },
    forgetCustomer: (id) => {
      customers.delete(id);
    },
    be: (next) => {
      state = next;
      if (next === 'unreachable') server.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const JSON_HEADERS = { 'Content-Type': 'application/json' };

function now(): Seconds {
  return Math.floor(Date.now() / 1000);
}

function name(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It listens nowhere');
  return `http://127.0.0.1:${address.port}`;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function fits(operation: string, method: string, path: string): boolean {
  const [itsMethod, pattern = ''] = operation.split(' ');
  return (
    itsMethod === method &&
    new RegExp(`^${pattern.replace(':id', '(?!sessions$)[^/]+')}$`).test(path)
  );
}

function judgeParams(operation: string, params: Readonly<Record<string, string>>): void {
  const known = KNOWN[operation] ?? [];
  for (const param of Object.keys(params)) {
    const plain = param.replace(/\[\d+\]/g, '[]').replace(/(metadata)\[\w+\]$/, '$1[*]');
    if (!known.includes(plain))
      throw invalid(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
  }
  for (const param of NEEDED[operation] ?? [])
    if (!params[param])
      throw invalid(`Missing required param: ${param}.`, 'parameter_missing', param);
}

/** The names and values of `metadata[…]` and the like. */
function named(of: string, params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([param, value]) => {
      const [, key] = param.match(new RegExp(`^${of}\\[(\\w+)\\]$`)) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

function find<T>(of: ReadonlyMap<string, T>, what: string, id = '', param = 'id'): T {
  const found = of.get(id);
  if (found === undefined) throw missing(what, id, param);
  return found;
}

/** A page of a list, the newest first. */
function pageOf<T extends { readonly id: string }>(
  found: readonly T[],
  url: string,
  { limit = '10', starting_after }: Readonly<Record<string, string>>,
): List<T> {
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
    throw invalid(`Invalid integer: ${limit}`, 'parameter_invalid_integer', 'limit');
  const newest = found.toReversed();
  const after = newest.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && after < 0)
    throw missing('object', starting_after, 'starting_after', 400);
  const left = newest.slice(after + 1);
  const data = left.slice(0, Number(limit));
  return { object: 'list', data, has_more: left.length > data.length, url };
}

function show(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
        `<main><h1>${title}</h1>${body}</main></html>`,
    );
}

function checkoutBody({ cancel_url }: CheckoutSession): string {
  return (
    `<p>$${PRICE / 100}.00 a month</p>` +
    `<form method="post"><button>Subscribe</button></form>${backTo(cancel_url)}`
  );
}

function portalBody(
  { return_url }: PortalSession,
  subscription: ProviderSubscription | undefined,
): string {
  if (!subscription) return `<p>No subscription</p>${backTo(return_url)}`;
  const { cancel_at_period_end: ends } = subscription;
  return (
    `<p>${ends ? 'Ends with the period' : 'Goes on'}</p><form method="post"><button>` +
    `${ends ? "Don't cancel" : 'Cancel at period end'}</button></form>${backTo(return_url)}`
  );
}

function backTo(url: string | null): string {
  const address = url?.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return address === undefined ? '' : `<a href="${address}">Back</a>`;
}

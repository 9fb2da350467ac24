import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import {
  aCheckout,
  aCustomer,
  anEvent,
  aPortal,
  createInvoice,
  createSubscription,
  DAY_SECONDS,
  type Params,
  type StripeCheckoutSession,
  type StripeCustomer,
  type StripeEvent,
  type StripePortalSession,
  type StripeSubscription,
  type UnixSeconds,
} from './fake_stripe_objects.ts';
import { closeServer, listenOn } from './free_port.ts';

/** A call that came in, with what was sent, such as `line_items[0][price]`. */
interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  readonly idempotencyKey: string | undefined;
}

/** Where events go: the address of a webhook, or whoever takes them in. */
type Webhook = string | ((body: string, signature: string) => Promise<unknown>);

interface SignOptions {
  /** The account's own unless given. */
  readonly secret?: string;
  /** Unix seconds; now unless given. */
  readonly at?: UnixSeconds;
}

/** The card provider, as far as we use it, on a port of this machine. */
export type FakeStripe = Awaited<ReturnType<typeof openFakeStripe>>;

const PRICE_CENTS = 2000;

const CUSTOMER = ['email', 'name', 'phone', 'description', 'metadata[*]', 'expand[]'];
const CHECKOUT = [
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
];
const PORTAL = ['customer', 'return_url', 'configuration', 'locale', 'on_behalf_of', 'expand[]'];
/** Parameters of lists. */
const LISTED = ['customer', 'status', 'limit', 'starting_after', 'ending_before', 'expand[]'];

/** The API says no, in the shape in which it does. */
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
  // JSON leaves out what is undefined.
  return problem(status, { type: 'invalid_request_error', message, code, param });
}

function resourceMissing(
  what: string,
  id: string,
  param: string,
  status: 400 | 404 = 404,
): HTTPException {
  return invalidRequest(`No such ${what}: '${id}'`, 'resource_missing', param, status);
}

/** Starts a card provider that has no customers yet. */
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
  const portals = new Map<string, StripePortalSession>();
  const subscriptions = new Map<string, StripeSubscription>();
  const answered = new Map<string, { readonly asked: string; readonly body: object }>();
  const trials = new Map<string, UnixSeconds>();
  let webhook: Webhook | undefined;
  let state: 'unreachable' | 'failing' | 'well' = 'well';

  const app = new Hono();
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) =>
    state === 'unreachable' ? request.socket.destroy() : void listener(request, response),
  );
  const url = `http://127.0.0.1:${await listenOn(server)}`;

  /** Answers a call as the API does; nothing else may happen between its key and its answer. */
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
    const asked = JSON.stringify([path, params]);
    const earlier = idempotencyKey === undefined ? undefined : answered.get(idempotencyKey);
    if (earlier && earlier.asked !== asked)
      throw problem(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      });
    const body = earlier?.body ?? run(params);
    if (idempotencyKey !== undefined) answered.set(idempotencyKey, { asked, body });
    return json(body);
  };

  /**
   * A call that the API has.
   * @param known the parameters that it takes; `[]` stands for any index, `[*]` for any name
   */
  const operation = (
    [method, path]: readonly ['GET' | 'POST' | 'DELETE', string],
    known: readonly string[],
    run: (params: Params, id: string) => object,
    needed: readonly string[] = [],
  ) =>
    app.on(method, path, (context) =>
      answer(context, (params) => {
        checkParams(params, known, needed);
        return run(params, context.req.param('id') ?? '');
      }),
    );

  const createCustomer = (params: Params): StripeCustomer => {
    if (params['email']?.endsWith('@refused.example'))
      throw invalidRequest(`Invalid email address: ${params['email']}`, 'email_invalid', 'email');
    const customer = aCustomer(`cus_${createId()}`, params, unixNow());
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
    const session = aCheckout(id, customer, params, unixNow(), `${url}/checkout/${id}`);
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

  const createPortal = (params: Params): StripePortalSession => {
    const { customer = '' } = params;
    if (!customers.has(customer)) throw resourceMissing('customer', customer, 'customer', 400);
    const id = `bps_${createId()}`;
    const session = aPortal(id, customer, params, unixNow(), `${url}/portal/${id}`);
    portals.set(id, session);
    return session;
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

  const endSubscription = (id: string): StripeSubscription => {
    const { status } = findObject(subscriptions, 'subscription', id);
    if (status === 'canceled') throw resourceMissing('subscription', id, 'id');
    const ended = change(id, { status: 'canceled', canceled_at: unixNow(), ended_at: unixNow() });
    void happen('customer.subscription.deleted', ended);
    return ended;
  };

  /** An event that is of its own making: it is not told, and changes nothing here. */
  const event = (type: string, object: object, created = unixNow(), id = `evt_${createId()}`) =>
    anEvent(id, type, object, created);

  const happen = async (type: string, object: object): Promise<void> => {
    const happened = event(type, object);
    events.push(happened);
    // Whoever does not listen is not told again.
    if (webhook !== undefined) await send(happened).catch(() => {});
  };

  /** What goes into the header `stripe-signature`. */
  const sign = (
    body: string,
    { secret = account.webhookSecret, at = unixNow() }: SignOptions = {},
  ) => `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

  /** Tells an event, as it is or once more; answers what the webhook answers. */
  const send = async (told: StripeEvent, how?: SignOptions): Promise<unknown> => {
    if (webhook === undefined) throw new Error('There is nobody to tell');
    const body = JSON.stringify(told);
    const signature = sign(body, how);
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

  const invoiceFor = (subscription: StripeSubscription, isPaid: boolean) =>
    createInvoice(
      `in_${createId()}`,
      subscription,
      subscription.status === 'trialing' ? 0 : PRICE_CENTS,
      isPaid,
      unixNow(),
    );

  const start = async (
    customer: string,
    trialEnd: UnixSeconds | null,
    before: (subscription: StripeSubscription) => Promise<void>,
  ): Promise<StripeSubscription> => {
    const id = `sub_${createId()}`;
    const subscription = createSubscription(id, customer, account.priceId, unixNow(), trialEnd);
    subscriptions.set(id, subscription);
    await before(subscription);
    await happen('customer.subscription.created', subscription);
    await happen('invoice.paid', invoiceFor(subscription, true));
    return subscription;
  };

  /** Goes through a checkout that is open, as its button does. */
  const subscribe = (id: string): Promise<StripeSubscription> => {
    const session = findObject(checkouts, 'checkout.session', id, 'session');
    if (session.status !== 'open') throw invalidRequest('This checkout is over.');
    const trialEnd = trials.get(id) ?? null;
    return start(session.customer, trialEnd, async (subscription) => {
      const complete: StripeCheckoutSession = {
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

  /** Ends it with what is paid, or goes on after all. */
  const cancelAtPeriodEnd = async (id: string, cancel = true): Promise<void> => {
    const [item] = findObject(subscriptions, 'subscription', id).items.data;
    const changed = change(id, {
      cancel_at_period_end: cancel,
      cancel_at: cancel ? (item?.current_period_end ?? null) : null,
      canceled_at: cancel ? unixNow() : null,
    });
    await happen('customer.subscription.updated', changed);
  };

  operation(['POST', '/v1/customers'], CUSTOMER, createCustomer);
  operation(['GET', '/v1/customers/:id'], ['expand[]'], (_, id) =>
    findObject(customers, 'customer', id),
  );
  operation(['POST', '/v1/checkout/sessions'], CHECKOUT, createCheckout, [
    'mode',
    'success_url',
    'line_items[0][price]',
  ]);
  operation(['GET', '/v1/checkout/sessions'], [...LISTED, 'subscription'], listCheckouts);
  operation(['POST', '/v1/checkout/sessions/:id/expire'], ['expand[]'], (_, id) =>
    expireCheckout(findObject(checkouts, 'checkout.session', id, 'session')),
  );
  operation(['POST', '/v1/billing_portal/sessions'], PORTAL, createPortal, ['customer']);
  operation(['GET', '/v1/subscriptions/:id'], ['expand[]'], (_, id) =>
    findObject(subscriptions, 'subscription', id),
  );
  operation(
    ['GET', '/v1/subscriptions'],
    [...LISTED, 'price', 'collection_method'],
    listSubscriptions,
  );
  operation(['DELETE', '/v1/subscriptions/:id'], ['invoice_now', 'prorate', 'expand[]'], (_, id) =>
    endSubscription(id),
  );
  app.all('/v1/*', (context) =>
    answer(context, () => {
      const { method, path } = context.req;
      throw invalidRequest(
        `Unrecognized request URL (${method}: ${path})`,
        undefined,
        undefined,
        404,
      );
    }),
  );

  // The pages that people see.
  app.all('/checkout/:id', async (context) => {
    const session = checkouts.get(context.req.param('id'));
    if (!session) return context.notFound();
    if (session.status !== 'open') return sendPage(context, 'This page is no longer open', '', 410);
    if (context.req.method !== 'POST')
      return sendPage(
        context,
        'Checkout',
        html`<p>$${PRICE_CENTS / 100}.00 a month</p>
          <form method="post"><button>Subscribe</button></form>
          ${backLink(session.cancel_url)}`,
      );
    await subscribe(session.id);
    return context.redirect(session.success_url, 303);
  });
  app.all('/portal/:id', async (context) => {
    const portal = portals.get(context.req.param('id'));
    if (!portal) return context.notFound();
    const { customer, return_url } = portal;
    const theirs = [...subscriptions.values()].findLast(
      (one) => one.customer === customer && one.status !== 'canceled',
    );
    const ends = theirs?.cancel_at_period_end;
    if (context.req.method !== 'POST')
      return sendPage(
        context,
        'Billing',
        theirs
          ? html`<p>${ends ? 'Ends with the period' : 'Goes on'}</p>
              <form method="post">
                <button>${ends ? "Don't cancel" : 'Cancel at period end'}</button>
              </form>
              ${backLink(return_url)}`
          : html`<p>No subscription</p>
              ${backLink(return_url)}`,
      );
    if (theirs) await cancelAtPeriodEnd(theirs.id, !ends);
    return context.redirect(portal.url, 303);
  });
  app.notFound((context) => sendPage(context, 'Not found', '', 404));

  return {
    /** What goes into `STRIPE_API_BASE`. */
    url,
    account: { ...account, apiBase: url },
    /** The settings of a server that uses it. */
    env: {
      STRIPE_SECRET_KEY: account.secretKey,
      STRIPE_WEBHOOK_SECRET: account.webhookSecret,
      STRIPE_PRICE_ID: account.priceId,
      STRIPE_API_BASE: url,
    },
    /** Every call to its API so far. */
    calls,
    /** Everything that happened, whether it was told or not. */
    events,
    customers,
    checkouts,
    subscriptions,
    /** From now on what happens is told there; nowhere when undefined, which is how it begins. */
    tell: (where: Webhook | undefined) => {
      webhook = where;
    },
    send,
    sign,
    event,
    subscribe,
    /** Begins a subscription that no checkout led to. */
    begin: (customer: string) => start(customer, null, async () => {}),
    /** A payment fails, and bookings go on for a while. */
    async failPayment(id: string) {
      const changed = change(id, { status: 'past_due' });
      await happen('invoice.payment_failed', invoiceFor(changed, false));
      await happen('customer.subscription.updated', changed);
    },
    /** The payment that had failed is made. */
    async pay(id: string) {
      const changed = change(id, { status: 'active' });
      await happen('invoice.paid', invoiceFor(changed, true));
      await happen('customer.subscription.updated', changed);
    },
    cancelAtPeriodEnd,
    /** Ends it at once. */
    async cancelNow(id: string) {
      const ended = { status: 'canceled', canceled_at: unixNow(), ended_at: unixNow() };
      await happen('customer.subscription.deleted', change(id, ended));
    },
    /** Forgets a subscription, as if it had never been. */
    forget: (id: string) => subscriptions.delete(id),
    /** Deletes a customer, as someone may by hand; it answers as if they had never been. */
    forgetCustomer: (id: string) => customers.delete(id),
    /** From now on: connections are cut, every call fails, or all is well. */
    be: (next: typeof state) => {
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

function checkParams(params: Params, known: readonly string[], needed: readonly string[]): void {
  for (const param of Object.keys(params)) {
    const plain = param.replace(/\[\d+\]/g, '[]').replace(/(metadata)\[\w+\]$/, '$1[*]');
    if (!known.includes(plain))
      throw invalidRequest(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
  }
  for (const param of needed)
    if (!params[param])
      throw invalidRequest(`Missing required param: ${param}.`, 'parameter_missing', param);
}

function findObject<T>(of: ReadonlyMap<string, T>, what: string, id = '', param = 'id'): T {
  const found = of.get(id);
  if (found === undefined) throw resourceMissing(what, id, param);
  return found;
}

/** A page of a list, the newest first. */
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
  const left = newest.slice(after + 1);
  const data = left.slice(0, Number(limit));
  return { object: 'list' as const, data, has_more: left.length > data.length, url };
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

function backLink(url: string | null): Html {
  return url === null ? '' : html`<a href="${url}">Back</a>`;
}

import type { CurrentArtist } from '#contract/artist.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { type ApiCall, problemResponse, stubApi } from './fake_api.ts';
import { ANA_SELF, toListed } from './fake_schedule_api.ts';
import { press, resetStudioPage } from './fake_studio_api.ts';
import { logInAgain } from './query_stores.ts';

interface Item {
  readonly id: string;
}

/** A response instead of the default one; undefined means the default one. */
type Interceptor = (
  call: ApiCall,
) => Response | 'lost' | object | undefined | Promise<Response | object>;

/**
 * Logs an artist in, with an API that stores one ordered list.
 * @param create builds the item that a POST appends
 */
export async function fakeListApi<T extends Item>(
  items: readonly T[],
  create: (call: ApiCall) => T,
  self: Partial<CurrentArtist> = {},
) {
  let stored = [...items];
  let intercept: Interceptor = () => undefined;

  function change(call: ApiCall): Response | object {
    const id = call.path.split('/').at(-1);
    const found = stored.find((item) => item.id === id);
    if (!found) return problemResponse(404, 'Not found');
    const others = stored.filter((item) => item !== found);
    if (call.method === 'DELETE') {
      stored = others;
      return new Response(null, { status: 204 });
    }
    const { position = stored.indexOf(found), ...fields } = call.body;
    const changed = { ...found, ...fields };
    stored = others.toSpliced(Number(position), 0, changed);
    return changed;
  }

  function answer(call: ApiCall): Response | object {
    if (call.path === 'users/me') return { ...ANA_SELF, ...self };
    if (call.method === 'GET') return toListed(...stored);
    if (call.method !== 'POST') return change(call);
    const added = create(call);
    stored = [...stored, added];
    return added;
  }

  const calls = stubApi(async (call) => (await intercept(call)) ?? answer(call));
  await logInAgain();
  return {
    /** All calls except GET, including failed ones. */
    changes: () => calls.filter(({ method }) => method !== 'GET'),
    /** The items that the API stores, in order. */
    stored: () => stored,
    /** Intercepts the calls from now on. */
    intercept(next: Interceptor) {
      intercept = next;
    },
    /** Sets the response to the next matching call. */
    answerOnce(method: string, path: string | RegExp, reply: Response | 'lost') {
      intercept = (call) => {
        if (call.method !== method || call.path.search(path) === -1) return undefined;
        intercept = () => undefined;
        return reply;
      };
    },
  };
}

/** Resets after a test of a page with such a list. Sends deferred deletions first. */
export async function resetListPage(): Promise<void> {
  await sendDeletionsNow();
  await resetStudioPage();
}

/** Chooses an action from the menu of an item. */
export async function chooseAction(name: string, action: string): Promise<void> {
  await press(`More for ${name}`);
  await press(action);
}

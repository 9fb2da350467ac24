import { expect, test } from 'vitest';
import { fetchArtist } from '#client/artists.ts';
import { ApiError, createHttpTransport, formatError, toSearchParams } from '#client/http.ts';

const ORIGIN = 'http://api.test';

/** A connection to an API that answers every call alike. */
function connectTo(answer: () => Response | Promise<Response>, token = '', refused: string[] = []) {
  const requests: Request[] = [];
  const over: typeof fetch = async (input, init) => {
    requests.push(new Request(input, init));
    return answer();
  };
  const bearer = { getToken: () => token, onUnauthorized: (one: string) => refused.push(one) };
  return { http: createHttpTransport(ORIGIN, over, bearer), requests, refused };
}

const refusal = (status: number, body: unknown) => () => Response.json(body, { status });

test('calls go below /api/v1 of the origin, with names encoded', async () => {
  const { http, requests } = connectTo(refusal(200, {}));
  await fetchArtist(http, 'a/b?c');
  expect(requests.map(({ url }) => url)).toEqual([`${ORIGIN}/api/v1/users/artist/a%2Fb%3Fc`]);
});

test('a refusal is an ApiError with the status and the text of the API', async () => {
  const { http } = connectTo(refusal(409, { detail: 'That time is taken' }));
  const error: unknown = await fetchArtist(http, 'ana').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, detail: 'That time is taken' });
  expect(formatError(error)).toBe('That time is taken');
});

test('invalid input lists all that is wrong; its text is the first of it', async () => {
  const items = ['Too long', 'Not an email'].map((msg) => ({ type: 'value', loc: ['body'], msg }));
  const { http } = connectTo(refusal(422, { detail: [...items, 'no item', null] }));
  const error: unknown = await fetchArtist(http, 'ana').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 422, message: 'Validation Error', detail: items });
  expect(formatError(error)).toBe('Too long');
});

test.each([null, 'text', 7, {}, { detail: 7 }])(
  'an error whose body is %j says that something went wrong',
  async (body) => {
    const { http } = connectTo(refusal(502, body));
    await expect(fetchArtist(http, 'ana')).rejects.toMatchObject({
      status: 502,
      detail: 'Something went wrong.',
    });
  },
);

test('without an answer there is no ApiError', async () => {
  const { http } = connectTo(() => Promise.reject(new TypeError('Failed to fetch')));
  const error: unknown = await fetchArtist(http, 'ana').catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(ApiError);
  expect(formatError(error)).toBe('Something went wrong.');
});

test('a failed call is not repeated', async () => {
  const { http, requests } = connectTo(refusal(503, { detail: 'Busy' }));
  await expect(fetchArtist(http, 'ana')).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(1);
});

test('the token goes with each call, and a refused one is reported', async () => {
  const { http, requests, refused } = connectTo(refusal(401, { detail: 'Log in' }), 'one');
  await expect(fetchArtist(http, 'ana')).rejects.toMatchObject({ status: 401 });
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer one');
  expect(refused).toEqual(['one']);
});

test('a query names only what is set', () => {
  const query = { search: '', status: undefined, skip: 0, order: 'newest' };
  expect(toSearchParams(query).toString()).toBe('skip=0&order=newest');
});

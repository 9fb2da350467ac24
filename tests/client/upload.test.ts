import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import { createHttpTransport } from '#client/http.ts';
import { toCallOptions } from '#client/upload.ts';
import { changeAvatar } from '#contract/endpoints.ts';
import { ANA, stubApi } from '#support/fake_api.ts';

function uploadPicture(upload: Parameters<typeof toCallOptions>[0]) {
  const file = new File(['bytes'], 'one.jpg', { type: 'image/jpeg' });
  const http = createHttpTransport('http://api.test');
  return call(http, changeAvatar, { body: { file } }, toCallOptions(upload));
}

// WebKit refuses to read a form with a `Blob` back from its `Request`.
test('an upload sends the form itself, reports its progress and resolves with the response', async () => {
  const calls = stubApi(() => ANA);
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send');
  const readBack = (['blob', 'formData'] as const).map((name) => vi.spyOn(Request.prototype, name));
  const shares: number[] = [];
  expect(await uploadPicture({ onProgress: (share) => shares.push(share) })).toEqual(ANA);
  expect(shares).toEqual([1]);
  expect(send).toHaveBeenCalledWith(expect.any(FormData));
  for (const read of readBack) expect(read).not.toHaveBeenCalled();
  expect(calls).toMatchObject([{ method: 'PATCH', path: 'users/me/avatar' }]);
});

test('an upload without a connection fails with the same error as other calls', async () => {
  stubApi(() => 'lost');
  await expect(uploadPicture({})).rejects.toMatchObject({ name: 'NetworkError' });
});

test('an upload whose signal is aborted already is never sent', async () => {
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => {});
  try {
    const controller = new AbortController();
    const { fetch: fetchUpload } = toCallOptions({});
    controller.abort(new Error('Aborted'));
    const request = { method: 'POST', signal: controller.signal };
    const response = fetchUpload?.(new Request('http://linework.test/', request));
    await expect(response).rejects.toThrow('Aborted');
    expect(send).not.toHaveBeenCalled();
  } finally {
    send.mockRestore();
  }
});

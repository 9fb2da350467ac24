import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Design } from '#contract/design.ts';
import { expectOk } from '#support/call_api.ts';
import type { RunningServer } from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';

type Site = Pick<RunningServer, 'url'>;

/**
 * Gives the first design of ana the version 0 as its name.
 * @returns a function that saves another version, through any server
 */
export async function openEdits(server: Site) {
  const token = await logIn(server, 'ana');
  const designs = await expectOk(call<{ data: Design[] }>(server, 'GET /designs/ana/available'));
  const [design] = designs.data;
  if (!design) throw new Error('The demo has no designs');
  const edit = async (through: Site, version: number) => {
    const json = { name: `Version ${version}.` };
    const { status } = await call(through, `PATCH /designs/${design.id}`, { token, json });
    expect(status).toBe(200);
  };
  await edit(server, 0);
  return edit;
}

/** Requests the page of ana again and again, and records which version of the design it shows. */
export function watchVersions({ url }: Site) {
  const respondedAtByVersion = new Map<number, number>();
  /** The successful requests and when they started. */
  const seen: { version: number; requestedAt: number }[] = [];
  const failures: string[] = [];
  let isStopped = false;
  const polling = (async () => {
    while (!isStopped) {
      const requestedAt = performance.now();
      try {
        const page = await (await fetch(`${url}/ana`)).text();
        const [, version] = /Version (\d+)\./.exec(page) ?? [];
        if (version === undefined) failures.push(`${url}: ${page.slice(0, 200)}`);
        else seen.push({ version: Number(version), requestedAt });
      } catch (error) {
        failures.push(`${url}: ${error}`);
      }
      await sleep(5);
    }
  })();
  return {
    failures,
    countViews: () => seen.length,
    latestVersion: () => seen.at(-1)?.version,
    /** Notes when the edit to this version was answered. */
    recordEdit: (version: number, at = performance.now()) => respondedAtByVersion.set(version, at),
    /** How long after the response to an edit the last request began that got the old page. */
    staleMs: () =>
      Math.max(
        0,
        ...seen.map(
          ({ version, requestedAt }) =>
            requestedAt - (respondedAtByVersion.get(version + 1) ?? requestedAt),
        ),
      ),
    async stop() {
      isStopped = true;
      await polling;
    },
  };
}

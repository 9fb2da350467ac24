import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import { button, expectFieldValues, openFilledForm, toast } from '#support/browser_booking.ts';
import { runStatement } from '#support/browser_database.ts';
import { readSiteLog } from '#support/browser_server.ts';

test('a client whose booking fails sees a reference, and a search of the log for it tells the route, the reason and the artist', {
  tag: '@all',
}, async ({ page, artist, watch }) => {
  const { day, slot } = await findOpenDay(artist);
  await openFilledForm(page, artist, { day, slot, values: FILLED_FORM });
  const name = `break_bookings_${artist.self.id.replaceAll('-', '_')}`;
  await runStatement(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a trigger is broken'; END $$`,
    [],
  );
  await runStatement(
    `CREATE TRIGGER ${name} BEFORE INSERT ON appointments FOR EACH ROW
    WHEN (NEW.artist_id = '${artist.self.id}') EXECUTE FUNCTION ${name}()`,
    [],
  );
  watch.expectError(/^POST \/api\/v1\/appointments\/request\/service.*: 500$/);
  try {
    await button(page, 'Save').click();
    const message = await toast(page, 'Reference: ').textContent();
    const reference = /Reference: ([\w-]+)/.exec(message ?? '')?.[1] ?? '';
    expect(reference).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
    // The client can try again: nothing they typed is lost.
    await expectFieldValues(page, FILLED_FORM);

    const findLines = async () =>
      (await readSiteLog()).split('\n').filter((line) => line.includes(`"${reference}"`));
    // The line of the request is written after its response.
    await expect
      .poll(findLines)
      .toEqual([
        expect.stringMatching(/ERROR: API: A call failed \(answered 500\): a trigger is broken \{/),
        expect.stringMatching(
          /WARN: Request: Answered .*"route":"\/api\/v1\/appointments\/request\/service","status":500/,
        ),
      ]);
    for (const line of await findLines()) expect(line).toContain(`"artist_id":"${artist.self.id}"`);
  } finally {
    await runStatement(`DROP FUNCTION ${name} CASCADE`, []);
  }
});

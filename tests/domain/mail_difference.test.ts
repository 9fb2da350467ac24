import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeMailbox,
  choosePart,
  close,
  type Decision,
  decide,
  decideReminder,
  type End,
  end,
  type Facts,
  freeze,
  keepFacts,
  type News,
  newSide,
  type Side,
  type Surroundings,
  tell,
} from '#domain/mail_difference.ts';

const HOUR = 3_600_000;
const A = Date.parse('2026-12-01T15:00:00Z');
const [B, C] = [A + HOUR, A + 2 * HOUR];
const NOW = Date.parse('2026-11-20T12:00:00Z');
const UNDO_MS = 30_000;
const STUDIO = {
  name: 'Ink',
  address_one: '1 Main St',
  address_two: null,
  city: 'Oldtown',
  state: 'NY',
  zip_code: '10001',
  time_zone: 'America/New_York',
};

const at = (start: number | null, more: Partial<Facts> = {}): Facts => ({
  version: 1,
  status: 'confirmed',
  time: start === null ? null : { start, end: start + HOUR },
  agreed: null,
  expiresAt: null,
  note: null,
  studio: STUDIO,
  ...more,
});
const inCity = (city: string, more: Partial<Facts> = {}) =>
  at(A, { studio: { ...STUDIO, city }, ...more });
const inZone = (time_zone: string, start = A) => at(start, { studio: { ...STUDIO, time_zone } });

/** An appointment with its client's and its artist's side, which a story changes. */
class Story {
  client: Side = newSide('client', 'rosa@example.com');
  artist: Side = newSide('artist', 'ana@example.com');
  facts: Facts | null;
  now = NOW;
  around: Partial<Surroundings> = {};
  mails = 0;
  frozen: Decision | null = null;

  constructor(facts: Facts = at(A)) {
    this.facts = facts;
  }
  tell(news: News, after: Facts = this.facts ?? at(A), side: 'client' | 'artist' = 'client') {
    this[side] = tell(this[side], news, this.facts, after, this.now);
    this.facts = after;
    return this;
  }
  quiet(after: Facts | null) {
    this.facts = after;
    return this;
  }
  later(ms: number) {
    this.now += ms;
    return this;
  }
  decide(side: 'client' | 'artist' = 'client'): Decision {
    return decide(this[side], this.facts, {
      now: this.now,
      undoEnd: null,
      budgetEnd: null,
      isStopped: false,
      organizer: 'ana@example.com',
      ...this.around,
    });
  }
  /** Hands the mail over; its result may come later. */
  freeze(side: 'client' | 'artist' = 'client') {
    const decision = this.decide(side);
    if (decision.kind !== 'send') throw new Error(`Not sent: ${this.shown(decision)}`);
    this.mails += 1;
    this[side] = freeze(this[side], `mail ${this.mails}`, decision);
    return this.shown(decision);
  }
  end(how: End, side: 'client' | 'artist' = 'client') {
    this[side] = end(this[side], `mail ${this.mails}`, how);
    return this;
  }
  /** Sends what is due, and shows it as `moved@16:00 (15:00)`. */
  mail(side: 'client' | 'artist' = 'client'): string {
    const decision = this.decide(side);
    if (decision.kind === 'send') {
      const text = this.freeze(side);
      this.end('sent', side);
      return text;
    }
    if (decision.kind === 'nothing') this[side] = close(this[side]);
    return this.shown(decision);
  }
  shown(decision: Decision): string {
    if (decision.kind === 'wait') return 'wait';
    if (decision.kind === 'nothing') return decision.reason;
    const { kind, movedFrom, studioChange } = decision.content;
    const hour = (instant: number) => new Date(instant).toISOString().slice(11, 16);
    const time = decision.facts.time;
    const before = movedFrom === null ? '' : ` (${hour(movedFrom)})`;
    const studio = studioChange
      ? ` ${[studioChange.hasNewAddress && 'address', studioChange.hasNewZone && 'zone', studioChange.hasNewRules && 'rules'].filter(Boolean).join('+')}:${studioChange.kept}`
      : '';
    return `${kind}@${time ? hour(time.start) : '-'}${before}${studio}`;
  }
}

const BOOKED: News = { kind: 'booked', by: 'client' };
const MOVED: News = { kind: 'moved', by: 'artist', undo: 'move' };
const MOVED_BY_CLIENT: News = { kind: 'moved', by: 'client' };
const STUDIO_TOLD: News = { kind: 'moved', by: 'artist', undo: 'studio' };

/** A client who was mailed the booking at A. */
function booked(facts = at(A)) {
  const story = new Story(facts).tell(BOOKED, facts);
  expect(story.mail()).toMatch(/^booked@15:00/);
  return story;
}

describe('told is the facts and the last event', () => {
  test.for<[string, News, Partial<Facts>]>([
    [
      'an offer declined',
      { kind: 'offer_declined', by: 'client', ownFacts: { time: { start: A, end: B } } },
      { status: 'requested', time: null },
    ],
    ['an offer lapsed', { kind: 'offer_ended', by: 'system' }, { status: 'requested', time: null }],
    ["the client's own action", MOVED_BY_CLIENT, {}],
    ['a note', { kind: 'offer', by: 'artist' }, { status: 'offered', note: 'See you.' }],
    ['Send again', { kind: 'booked', by: 'client', isResent: true }, {}],
  ])('news with equal facts is news: %s', ([, news, more]) => {
    const story = booked();
    story.tell(news, at(A, more));
    expect(story.decide()).toMatchObject({ kind: 'send', content: { kind: news.kind } });
  });
  test('an undone move of the artist cancels itself', () => {
    const story = booked().tell(MOVED, at(B)).tell(MOVED, at(A)).later(UNDO_MS);
    expect(story.mail()).toBe('undone');
  });
  test('a move is undone only with its end, its note and a deadline that is no earlier', () => {
    const before = { status: 'offered', note: 'x', expiresAt: C } as const;
    const after = (more: Partial<Facts>) => {
      const story = booked(at(A)).quiet(at(A, before));
      story.tell({ ...MOVED, kind: 'offer' }, at(B, before));
      return story
        .tell({ ...MOVED, kind: 'offer' }, at(A, { ...before, ...more }))
        .later(UNDO_MS)
        .mail();
    };
    expect(after({})).toBe('undone');
    expect(after({ expiresAt: null })).toBe('undone');
    expect(after({ expiresAt: C + 1 })).toBe('undone');
    expect(after({ expiresAt: B })).toBe('offer@15:00');
    expect(after({ note: null })).toBe('offer@15:00');
    expect(after({ time: { start: A, end: C } })).toBe('offer@15:00');
  });
  test('an undone change of the studio cancels itself', () => {
    const story = booked().tell(STUDIO_TOLD, inCity('Newtown')).quiet(at(A)).later(UNDO_MS);
    expect(story.mail()).toBe('undone');
  });
  test('a move back by the client is news', () => {
    const story = booked().tell(MOVED, at(B)).tell(MOVED_BY_CLIENT, at(A));
    expect(story.mail()).toBe('moved@15:00');
  });
  test('an undone move hides no news that was due before it', () => {
    const story = new Story().tell(BOOKED).tell(MOVED, at(B)).tell(MOVED, at(A)).later(UNDO_MS);
    expect(story.mail()).toBe('booked@15:00');
  });
});

describe('one mail tells all that is due', () => {
  test.for<[string, (story: Story) => Story, string]>([
    [
      'hold and booking',
      (s) => s.tell({ kind: 'hold', by: 'client' }, at(A, { status: 'held' })).tell(BOOKED, at(A)),
      'booked@15:00',
    ],
    [
      'booking by the artist and move',
      (s) => s.quiet(at(null)).tell({ kind: 'booked', by: 'artist' }, at(A)).tell(MOVED, at(B)),
      'booked@16:00',
    ],
    [
      'booking by the client and move',
      (s) => s.tell(BOOKED).tell(MOVED, at(B)),
      'booked@16:00 (15:00)',
    ],
    [
      'offer and another offer',
      (s) =>
        s
          .quiet(at(null, { status: 'requested' }))
          .tell({ kind: 'offer', by: 'artist' }, at(A, { status: 'offered' }))
          .tell({ kind: 'offer', by: 'artist', undo: 'move' }, at(B, { status: 'offered' })),
      'offer@16:00',
    ],
    [
      'booking, move and cancellation',
      (s) =>
        s
          .quiet(at(null))
          .tell({ kind: 'booked', by: 'artist' }, at(A))
          .tell(MOVED, at(B))
          .tell({ kind: 'cancelled', by: 'artist' }, at(B, { status: 'cancelled' })),
      'cancelled@16:00',
    ],
  ])('%s', ([, events, expected]) => {
    expect(events(new Story()).later(UNDO_MS).mail()).toBe(expected);
  });
  test('two moves: the time that the client knows', () => {
    expect(booked().tell(MOVED, at(B)).tell(MOVED, at(C)).later(UNDO_MS).mail()).toBe(
      'moved@17:00 (15:00)',
    );
  });
  test('a new address and a move', () => {
    const moved = at(B, { studio: { ...STUDIO, city: 'Newtown' } });
    const story = booked().tell(STUDIO_TOLD, inCity('Newtown')).tell(MOVED, moved).later(UNDO_MS);
    expect(story.mail()).toBe('moved@16:00 (15:00) address:moments');
  });
  test('a cancellation after a move that was not mailed names the time that the client knows', () => {
    const story = booked().tell(MOVED, at(B));
    expect(
      story.tell({ kind: 'cancelled', by: 'artist' }, at(B, { status: 'cancelled' })).mail(),
    ).toBe('cancelled@16:00 (15:00)');
  });
  test('to the artist: a new booking and its move', () => {
    const story = new Story(at(null)).tell({ kind: 'new_booking', by: 'client' }, at(A), 'artist');
    story.tell({ kind: 'client_moved', by: 'client' }, at(B), 'artist');
    expect(story.mail('artist')).toBe('new_booking@16:00');
  });
});

describe('quiet never makes a mail due, and does not end what is due', () => {
  test("the artist's own action, to the artist", () => {
    const story = new Story(at(null)).tell({ kind: 'new_booking', by: 'client' }, at(A), 'artist');
    expect(story.quiet(at(B)).mail('artist')).toBe('new_booking@16:00');
    expect(story.quiet(at(C)).mail('artist')).toBe('no difference');
  });
  test.for<[string, Facts]>([
    ['completed', at(A, { status: 'completed' })],
    ['no-show', at(A, { status: 'no_show' })],
    ['a release', at(A, { status: 'expired' })],
    ['tell_clients: false', inCity('Newtown')],
    ['an edited price', at(A, { version: 2 })],
    ['zone data', at(A, { agreed: '2026-12-01T10:00' })],
  ])('%s', ([, facts]) => {
    expect(booked().quiet(facts).mail()).toBe('no difference');
  });
  test('a mail that no longer fits the status is dropped', () => {
    const story = new Story().tell({ kind: 'hold', by: 'artist' }, at(A, { status: 'held' }));
    expect(story.quiet(at(A, { status: 'expired' })).mail()).toBe('outdated');
  });
  test('a mail that is due shows quiet changes', () => {
    const story = booked().tell(MOVED, at(B));
    expect(story.quiet(at(C)).later(UNDO_MS).mail()).toBe('moved@17:00 (15:00)');
  });
  test('a later told change of the studio compares with the studio of the last mail', () => {
    const story = booked().quiet(inZone('America/Chicago'));
    const both = at(A, { studio: { ...STUDIO, city: 'Newtown', time_zone: 'America/Chicago' } });
    expect(story.tell(STUDIO_TOLD, both).later(UNDO_MS).mail()).toBe(
      'moved@15:00 address+zone:moments',
    );
  });
});

describe('changes of the studio', () => {
  test('undoing a second change tells the first', () => {
    const story = booked().tell(STUDIO_TOLD, inCity('First')).tell(STUDIO_TOLD, inCity('Second'));
    expect(story.quiet(inCity('First')).later(UNDO_MS).mail()).toBe('moved@15:00 address:moments');
  });
  test('a quiet correction of a told change is mailed; one back to what was told is not', () => {
    const told = () => booked().tell(STUDIO_TOLD, inCity('Wrong'));
    expect(told().quiet(inCity('Right')).later(UNDO_MS).mail()).toBe('moved@15:00 address:moments');
    expect(told().quiet(at(A)).later(UNDO_MS).mail()).toBe('undone');
  });
  test('a told change after a quiet one, undone, mails nobody', () => {
    const story = booked().quiet(inCity('First')).tell(STUDIO_TOLD, inCity('Second'));
    expect(story.quiet(inCity('First')).later(UNDO_MS).mail()).toBe('undone');
  });
  test('kept clock times, and those that clocks skip', () => {
    const hourLater = booked().tell(STUDIO_TOLD, inZone('America/Chicago', B)).later(UNDO_MS);
    expect(hourLater.mail()).toBe('moved@16:00 (15:00) zone:clock_times');
    const agreed = at(A, { agreed: '2026-12-01T11:00' });
    const rules = booked(agreed)
      .tell({ ...STUDIO_TOLD, hasNewRules: true }, at(B))
      .later(UNDO_MS);
    expect(rules.mail()).toBe('moved@16:00 (15:00) rules:clock_times');
  });
  test('an undone move after a told change leaves the change to be told', () => {
    const story = booked().tell(STUDIO_TOLD, inCity('Newtown'));
    story.tell(MOVED, at(B, { studio: { ...STUDIO, city: 'Newtown' } }));
    expect(story.tell(MOVED, inCity('Newtown')).later(UNDO_MS).mail()).toBe(
      'moved@15:00 address:moments',
    );
  });
});

describe('waits', () => {
  test('a move waits for its undo, a hold for its confirmation; a resent or proving mail does not', () => {
    expect(booked().tell(MOVED, at(B)).mail()).toBe('wait');
    const hold: News = { kind: 'hold', by: 'client' };
    const held = at(A, { status: 'held', expiresAt: NOW + HOUR });
    expect(new Story().tell(hold, held).mail()).toBe('wait');
    expect(new Story().tell(hold, held).later(120_000).mail()).toBe('hold@15:00');
    expect(new Story().tell({ ...hold, mustProveEmail: true }, held).mail()).toBe('hold@15:00');
    expect(new Story().tell({ ...hold, isResent: true }, held).mail()).toBe('hold@15:00');
    expect(new Story().tell(hold, { ...held, expiresAt: NOW + 60_000 }).mail()).toBe('hold@15:00');
  });
  test('all mails of an artist wait while a change of the studio can be undone', () => {
    const story = new Story().tell(BOOKED);
    story.around = { undoEnd: NOW + UNDO_MS };
    expect(story.mail()).toBe('wait');
    expect(story.later(UNDO_MS).mail()).toBe('booked@15:00');
  });
  test('a mail beyond a budget waits, and then tells what is so', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.around = { budgetEnd: NOW + HOUR };
    expect(story.mail()).toBe('wait');
    story.tell({ kind: 'cancelled', by: 'artist' }, at(B, { status: 'cancelled' }));
    expect(story.later(HOUR).mail()).toBe('cancelled@16:00 (15:00)');
  });
});

describe('ends', () => {
  test('refused closes the difference until a new change', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.freeze();
    story.end('refused');
    expect(story.mail()).toBe('no difference');
    expect(story.tell(MOVED, at(C)).later(UNDO_MS).mail()).toBe('moved@17:00 (16:00)');
  });
  test('stopped closes the difference until a new change', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.around = { isStopped: true };
    expect(story.mail()).toBe('stopped');
    story.around = {};
    expect(story.mail()).toBe('no difference');
    expect(story.tell(MOVED, at(A)).later(UNDO_MS).mail()).toBe('moved@15:00 (16:00)');
  });
  test('given up after it may have arrived: the next change is mailed, without the time before', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.freeze();
    story.end('unknown');
    expect(story.tell(MOVED, at(A)).later(UNDO_MS).mail()).toBe('moved@15:00');
  });
  test('a mail that cannot have arrived is told by the next one', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.freeze();
    story.tell(MOVED, at(C)).end('unreachable').later(UNDO_MS);
    expect(story.mail()).toBe('moved@17:00 (15:00)');
  });
  test('a move that the client may have read of, and its undo, are both mailed', () => {
    const story = booked().tell(MOVED, at(B)).later(UNDO_MS);
    expect(story.freeze()).toBe('moved@16:00 (15:00)');
    story.tell(MOVED, at(A)).later(UNDO_MS);
    expect(story.mail()).toBe('wait');
    expect(story.end('sent').mail()).toBe('moved@15:00 (16:00)');
  });
  test('a change during sending is never lost, whatever the result', () => {
    for (const how of ['sent', 'refused', 'unreachable', 'unknown'] as const) {
      const story = booked().tell(MOVED_BY_CLIENT, at(B));
      story.freeze();
      story.tell(MOVED_BY_CLIENT, at(C)).end(how);
      expect(story.mail()).toMatch(/^moved@17:00/);
    }
  });
  test('a late result of another mail changes nothing', () => {
    const story = booked().tell(MOVED_BY_CLIENT, at(B));
    story.freeze();
    const { client } = story;
    expect(end(client, 'mail 1', 'sent')).toBe(client);
  });
  test('a deleted appointment keeps the facts of an open difference', () => {
    const cancelled = at(A, { status: 'cancelled' });
    const story = booked().tell({ kind: 'cancelled', by: 'artist' }, cancelled);
    story.client = keepFacts(story.client, cancelled);
    expect(story.quiet(null).mail()).toBe('cancelled@15:00');
    expect(booked().tell(MOVED_BY_CLIENT, at(B)).quiet(null).mail()).toBe('outdated');
  });
});

describe('mailbox and calendar entry', () => {
  const file = (story: Story) => {
    const decision = story.decide();
    return decision.kind === 'send' ? decision.content.calendar : undefined;
  };
  const CANCELLED: News = { kind: 'cancelled', by: 'artist' };
  const cancelled = at(A, { status: 'cancelled', version: 7 });
  test('CANCEL goes only to a mailbox that got REQUEST, with its organizer and a greater SEQUENCE', () => {
    const story = booked();
    story.around = { organizer: 'new@example.com' };
    expect(file(story.tell(CANCELLED, cancelled))).toEqual({
      method: 'CANCEL',
      organizer: 'ana@example.com',
      sequence: 7,
    });
    const other = booked();
    other.client = changeMailbox(other.client, 'other@example.com');
    expect(file(other.tell(CANCELLED, cancelled))).toBeNull();
  });
  test('a new address gets what is due, also what waits for an undo', () => {
    const story = booked().tell(MOVED, at(B));
    story.client = changeMailbox(story.client, 'other@example.com');
    expect(story.mail()).toBe('wait');
    expect(story.later(UNDO_MS).mail()).toBe('moved@16:00 (15:00)');
    expect(story.client.entry).toMatchObject({ sequence: 1 });
  });
  test('an artist who is not proven has no organizer and no file', () => {
    const story = new Story().tell(BOOKED);
    story.around = { organizer: null };
    expect(file(story)).toBeNull();
    story.mail();
    expect(story.client.entry).toBeNull();
  });
});

describe('several appointments of a mailbox in one mail', () => {
  const due = (index: number) => {
    const story = new Story().tell(BOOKED);
    return { id: index, side: story.client, decision: story.decide() };
  };
  test('at most 50 parts, those of the same mailbox that are due, without a calendar file', () => {
    const others = Array.from({ length: 60 }, (_, index) => due(index));
    const waits = { ...due(97), decision: { kind: 'wait', until: NOW } as const };
    const stranger = { ...due(98), side: newSide('client', 'max@example.com') };
    const parts = choosePart(due(99), [...others, waits, stranger]);
    expect(parts.length).toBe(50);
    expect(parts.at(-1)?.id).toBe(99);
    expect(parts.some(({ id }) => id === 97 || id === 98)).toBe(false);
    const [part] = parts;
    const frozen = part && freeze(part.side, 'mail', part.decision, parts.length);
    expect(frozen?.sending?.content.calendar).toBeNull();
    const ended = frozen && end(frozen, 'mail', 'sent');
    expect(ended).toMatchObject({ entry: null, told: { facts: { version: 1 } } });
  });
});

describe('reminders', () => {
  const reminder = {
    hours: 24,
    queuedAt: A - 24 * HOUR,
    time: { start: A, end: B },
    studio: STUDIO,
  };
  const remind = (story: Story) =>
    decideReminder(story.client, reminder, story.facts, {
      now: story.now,
      undoEnd: null,
      budgetEnd: null,
      isStopped: false,
      organizer: null,
    });
  const due = () => booked().later(A - 24 * HOUR - NOW);
  test('a reminder is sent when nothing is due, and after an undone move', () => {
    expect(remind(due())).toBe('send');
    const undone = due().tell(MOVED, at(B)).tell(MOVED, at(A));
    expect(remind(undone)).toBe('wait');
    expect(remind(undone.later(UNDO_MS))).toBe('send');
  });
  test('a difference replaces a waiting reminder; a reminder replaces nothing', () => {
    const later = due().tell(MOVED_BY_CLIENT, at(A, { note: 'x' }));
    expect(remind(later)).toBe('drop');
    const story = new Story().tell(BOOKED);
    story.now = A - 24 * HOUR;
    expect(remind(story)).toBe('wait');
    story.mail();
    expect(remind(story)).toBe('send');
  });
  test('a reminder is of a clock time, and of nothing that is over', () => {
    expect(remind(due().quiet(inZone('America/Chicago', B)))).toBe('drop');
    expect(remind(due().quiet(inZone('America/Chicago', B)).later(HOUR))).toBe('send');
    expect(remind(due().quiet(at(B)))).toBe('drop');
    expect(remind(due().later(25 * HOUR))).toBe('drop');
    expect(remind(due().quiet(at(A, { status: 'cancelled' })))).toBe('drop');
  });
});

describe('model', () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom(
        'move',
        'client moves',
        'quiet',
        'freeze',
        'sent',
        'unknown',
        'unreachable',
        'wait',
      ),
      start: fc.constantFrom(A, B, C),
    }),
    { maxLength: 12 },
  );
  test('whatever happens, the last mail that arrived tells the facts of now, unless the rest was quiet', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const story = booked();
        let read: number | undefined = A;
        let isQuiet = false;
        let frozen: number | undefined;
        const step = (what: string, start: number) => {
          if (what === 'move') story.tell(MOVED, at(start));
          if (what === 'client moves') story.tell(MOVED_BY_CLIENT, at(start));
          if (what === 'quiet') story.quiet(at(start));
          if (what === 'quiet' && start !== story.facts?.time?.start) isQuiet = true;
          if (what === 'quiet') isQuiet = true;
          if (what === 'wait') story.later(UNDO_MS);
          if (what === 'freeze') {
            const decision = story.decide();
            if (decision.kind === 'nothing') story.client = close(story.client);
            if (decision.kind !== 'send') return;
            frozen = decision.facts.time?.start;
            expect(decision.content.movedFrom).not.toBe(frozen);
            story.freeze();
          }
          if (what === 'sent' && story.client.sending) read = frozen;
          if (what === 'unknown' && story.client.sending) read = undefined;
          if (what === 'sent' || what === 'unknown' || what === 'unreachable') story.end(what);
        };
        for (const { what, start } of list) step(what, start);
        for (const what of ['sent', 'wait', 'freeze', 'sent']) step(what, A);
        expect(story.client.pending).toBeNull();
        if (!isQuiet && read !== undefined) expect(read).toBe(story.facts?.time?.start);
      }),
    );
  });
});

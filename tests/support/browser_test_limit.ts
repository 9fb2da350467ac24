import type { FullConfig, FullResult, Reporter, Suite } from '@playwright/test/reporter';

/** How many browser tests `npm test` may run; others have the tag `@all`. */
const MAX_TESTS = 50;

/** Fails a run, also of all tests, in which `npm test` would have more. */
export default class BrowserTestLimit implements Reporter {
  #count = 0;

  onBegin(_config: FullConfig, suite: Suite): void {
    const tests = suite.allTests().filter((test) => {
      const isInNpmTest = test.parent.project()?.name === 'phone' && !test.tags.includes('@all');
      return isInNpmTest && test.repeatEachIndex === 0;
    });
    this.#count = tests.length;
  }

  async onEnd(): Promise<Partial<Pick<FullResult, 'status'>>> {
    if (this.#count <= MAX_TESTS) return {};
    console.error(
      `${this.#count} browser tests, of at most ${MAX_TESTS} in \`npm test\`: give others the tag @all.`,
    );
    return { status: 'failed' };
  }
}

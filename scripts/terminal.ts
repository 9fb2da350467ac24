// The output of a command that takes long, and its interruption by Ctrl-C.

const SHOW_EVERY_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/**
 * Opens the output. `log` prints a line; `progress` shows a text in place of the last one, on a terminal only.
 * `signal` aborts when the command shall stop. Dispose the output at the end of the command.
 */
export function openTerminal() {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  const isTerminal = process.stderr.isTTY;
  let isShown = false;
  let shownAt = 0;
  const clear = () => {
    if (isShown) process.stderr.write(CLEAR_LINE);
    isShown = false;
  };
  return {
    signal: interruption.signal,
    log(line: string) {
      clear();
      console.log(line);
    },
    progress(text: string) {
      if (!isTerminal || performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      isShown = true;
      process.stderr.write(`${CLEAR_LINE}${text} …`);
    },
    [Symbol.dispose]: clear,
  };
}

// Loaded before the program (`--import`, with `--expose-gc`): collects garbage on each message, so that
// only reachable memory is measured.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
// The listener must not keep the process alive.
process.channel?.unref();

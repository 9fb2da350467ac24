// Loaded before the program (`--import`, with `--expose-gc`): collects garbage when told to, so that
// what is measured is what is held.
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
// Being listened to must not keep the program from ending.
process.channel?.unref();

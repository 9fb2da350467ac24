(({ done = location.hash.slice(1), suggest }) => {
  const texts = '[data-keep] :is(textarea,[type=text],[type=email])';
  const key = ({ form, name }) => `kept:${form.dataset.keep}:${name}`;
  let kept = {};
  try {
    kept = sessionStorage;
  } catch {}
  const keep = ({ target }) => {
    if (!target.matches(texts)) return;
    if (target.type === 'email') import(suggest).catch(() => {});
    kept[key(target)] = target.value;
  };
  addEventListener('input', keep);
  addEventListener('submit', ({ target }) => {
    kept.sent = target.dataset.keep;
  });
  if (kept.sent === done && !performance.navigation?.type)
    for (const name in kept) if (name.includes(`:${done}:`)) delete kept[name];
  kept.sent = '';
  for (const field of document.querySelectorAll(texts)) {
    const text = kept[key(field)];
    if (!text || field.value) continue;
    field.value = text;
    keep({ target: field });
    (field.closest('details') ?? {}).open = true;
  }
})(document.currentScript.dataset);

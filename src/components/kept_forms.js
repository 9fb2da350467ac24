(({ accepted = location.hash.slice(1), suggest }) => {
  const texts = '[data-keep] :is(textarea,[type=text],[type=email])';
  const keyOf = ({ form, name }) => `linework:kept:${form.dataset.keep}:${name}`;
  const sent = 'linework:sent';
  let kept = {};
  try {
    kept = sessionStorage;
  } catch {}
  addEventListener('input', ({ target }) => {
    if (!target.matches(texts)) return;
    if (target.type === 'email' && suggest) import(suggest).catch(() => {});
    kept[sent] = '';
    kept[keyOf(target)] = target.value;
  });
  addEventListener('submit', ({ target }) => {
    kept[sent] = target.dataset.keep;
  });
  const [visit] = performance.getEntriesByType('navigation');
  // Neither Back to an earlier answer nor its reload accepts what was sent since.
  if (kept[sent] === accepted && visit?.type === 'navigate')
    for (const key in kept) if (key.includes(`:${accepted}:`)) delete kept[key];
  for (const field of document.querySelectorAll(texts)) {
    const text = kept[keyOf(field)];
    if (!text || field.value) continue;
    field.value = text;
    field.closest('details')?.setAttribute('open', '');
  }
  kept[sent] = '';
})(document.currentScript.dataset);

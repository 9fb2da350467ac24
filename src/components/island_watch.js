((alert) => {
  let late;
  const show = () => {
    alert.hidden = !late || !document.querySelector('astro-island[ssr]');
  };
  const fail = () => {
    late = true;
    show();
  };
  alert.lastElementChild.onclick = () => location.reload();
  addEventListener('astro:hydration-error', fail);
  addEventListener('astro:hydrate', show, true);
  setTimeout(fail, 3500);
})(document.currentScript.previousElementSibling);

((alert) => {
  var late;
  function show() {
    alert.hidden = !late || !document.querySelector('astro-island[ssr]');
  }
  function fail() {
    late = true;
    show();
  }
  if (IS_SUPPORTED) {
    alert.lastElementChild.onclick = () => {
      location.reload();
    };
    addEventListener('astro:hydration-error', fail);
    addEventListener('astro:hydrate', show, true);
    setTimeout(fail, 3500);
  } else {
    self.Astro = Object.freeze({});
    document.documentElement.className = 'old';
    alert.previousElementSibling.hidden = false;
  }
})(document.currentScript.previousElementSibling);

(({ home }, root) => {
  const isLoggedIn = () => {
    try {
      return localStorage.access_token;
    } catch {}
  };
  const reload = () => isLoggedIn() && location.reload();
  const showAlert = () => {
    const alert = document.querySelector('[role=alert]');
    if (!alert || root.dataset.artist === undefined) return;
    // The rest of the body is hidden.
    document.body.prepend(alert);
    alert.lastElementChild.onclick = () => location.reload();
    alert.hidden = false;
  };
  if (!isLoggedIn()) {
    addEventListener('storage', reload);
    addEventListener('pageshow', reload);
  } else if (IS_SUPPORTED) {
    root.dataset.artist = 'in';
    import(/* @vite-ignore */ home).catch(() => {
      showAlert();
      delete root.dataset.artist;
    });
    setTimeout(showAlert, 3500);
  } else location.replace('/studio/calendar');
})(document.currentScript.dataset, document.documentElement);

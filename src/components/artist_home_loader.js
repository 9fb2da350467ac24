(({ home }, root) => {
  const isLoggedIn = () => {
    try {
      return localStorage.access_token;
    } catch {}
  };
  const reloadIfLoggedIn = () => isLoggedIn() && location.reload();
  if (isLoggedIn()) {
    root.dataset.artist = 'in';
    import(/* @vite-ignore */ home).catch(() => delete root.dataset.artist);
  } else {
    addEventListener('storage', reloadIfLoggedIn);
    addEventListener('pageshow', reloadIfLoggedIn);
  }
})(document.currentScript.dataset, document.documentElement);

(({ home }, root) => {
  const held = () => {
    try {
      return localStorage.access_token;
    } catch {}
  };
  const again = () => held() && location.reload();
  if (held()) {
    root.dataset.artist = 'in';
    import(/* @vite-ignore */ home).catch(() => delete root.dataset.artist);
  } else {
    addEventListener('storage', again);
    addEventListener('pageshow', again);
  }
})(document.currentScript.dataset, document.documentElement);

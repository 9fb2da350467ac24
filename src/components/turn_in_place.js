// Links with `data-turn` replace the page in the history, so that Back leaves the series of pages.
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-turn]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  location.replace(link.href);
});

try {
  if (localStorage.access_token && !/[?&]next=/.test(location.search)) location.replace('/');
} catch {}

((button) => {
  // As stores/session.ts does, which a browser that is too old does not start.
  button.onclick = () => {
    const headers = { Authorization: `Bearer ${localStorage.access_token}` };
    delete localStorage.access_token;
    const leave = () => location.replace('/');
    fetch(`${document.documentElement.dataset.api || ''}/api/v1/users/me/session`, {
      method: 'DELETE',
      headers,
    }).then(leave, leave);
  };
})(document.getElementById('log-out'));

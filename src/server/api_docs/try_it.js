// Sends the calls of the page. Browsers run it as it is.
// @ts-check

/** @type {HTMLInputElement | null} */
const token = document.querySelector('#token');

for (const form of document.querySelectorAll('form'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
document.documentElement.classList.add('with-scripts');
openTarget();
addEventListener('hashchange', openTarget);

/** Shows the answer to the call of a form below it. @param {HTMLFormElement} form */
async function send(form) {
  const output = form.querySelector('output');
  if (!output) return;
  output.textContent = 'Sending …';
  try {
    const { address, init } = requestOf(form);
    const response = await fetch(address, init);
    output.textContent = `${response.status} ${response.statusText}\n${await bodyOf(response)}`;
  } catch (error) {
    output.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const { method = 'get', path = '', type = '' } = form.dataset;
  let filled = path;
  const query = new URLSearchParams();
  const headers = new Headers();
  if (token?.value) headers.set('Authorization', `Bearer ${token.value.trim()}`);
  for (const input of form.querySelectorAll('input')) {
    const { name, value } = input;
    if (input.dataset['in'] === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (input.dataset['in'] === 'query' && value) query.append(name, value);
    if (input.dataset['in'] === 'header' && value) headers.set(name, value);
  }
  if (type === 'application/json') headers.set('Content-Type', type);
  const body = type === '' ? null : bodyToSend(form, type);
  const address = query.size > 0 ? `${filled}?${query}` : filled;
  return { address, init: { method: method.toUpperCase(), headers, body } };
}

/**
 * @param {HTMLFormElement} form
 * @param {string} type
 */
function bodyToSend(form, type) {
  if (type === 'application/json') return form.querySelector('textarea')?.value ?? '';
  const fields = new FormData();
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll('input[data-in=body]');
  for (const { name, value, files } of inputs) {
    if (!files) fields.append(name, value);
    else for (const file of files) fields.append(name, file);
  }
  if (type === 'multipart/form-data') return fields;
  return new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
}

/** @param {Response} response */
async function bodyOf(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) return JSON.stringify(await response.json(), null, 2);
  if (!type || type.startsWith('text/')) return response.text();
  return `${type}, ${(await response.blob()).size} bytes`;
}

/** A link to a call leads to its details. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

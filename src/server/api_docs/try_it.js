// Sends the calls of the API docs page. Browsers run this file without a build step.
// @ts-check

/** @type {HTMLInputElement | null} */
const tokenInput = document.querySelector('#token');

for (const form of document.querySelectorAll('form'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
// This class shows the controls that need JavaScript.
document.documentElement.classList.add('with-scripts');
openTarget();
addEventListener('hashchange', openTarget);

/**
 * Sends the call of a form, and shows the response in the form.
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const output = form.querySelector('output');
  if (!output) return;
  output.textContent = 'Sending …';
  try {
    const response = await fetch(createRequest(form));
    output.textContent = `${response.status} ${response.statusText}\n${await formatBody(response)}`;
  } catch (error) {
    output.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** @param {HTMLFormElement} form */
function createRequest(form) {
  // `mediaType` is the type of the body; it is empty for a call without a body.
  const { method = 'get', path = '', mediaType = '' } = form.dataset;
  let url = path;
  const query = new URLSearchParams();
  const headers = new Headers();
  if (tokenInput?.value) headers.set('Authorization', `Bearer ${tokenInput.value.trim()}`);
  for (const input of form.querySelectorAll('input')) {
    const { name, value } = input;
    if (input.dataset['in'] === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    if (input.dataset['in'] === 'query' && value) query.append(name, value);
    if (input.dataset['in'] === 'header' && value) headers.set(name, value);
  }
  // For the other body types, the browser sets the `Content-Type` itself.
  if (mediaType === 'application/json') headers.set('Content-Type', mediaType);
  const body = mediaType === '' ? null : createBody(form, mediaType);
  if (query.size > 0) url += `?${query}`;
  return new Request(url, { method: method.toUpperCase(), headers, body });
}

/**
 * @param {HTMLFormElement} form
 * @param {string} mediaType
 */
function createBody(form, mediaType) {
  if (mediaType === 'application/json') return form.querySelector('textarea')?.value ?? '';
  const fields = new FormData();
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll('input[data-in=body]');
  for (const { name, value, files } of inputs) {
    // `files` is null unless the input is for files.
    if (!files) fields.append(name, value);
    else for (const file of files) fields.append(name, file);
  }
  if (mediaType === 'multipart/form-data') return fields;
  // The only other type is a URL-encoded form.
  return new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
}

/** @param {Response} response */
async function formatBody(response) {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.includes('json')) return JSON.stringify(await response.json(), null, 2);
  if (!type || type.startsWith('text/')) return response.text();
  return `${type}, ${(await response.blob()).size} bytes`;
}

/** Opens the `<details>` that the URL's fragment names. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

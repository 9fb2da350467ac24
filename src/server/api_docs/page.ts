import { html } from 'hono/html';
import { formatRemarks, formatType, schemaId } from './format_type.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from './openapi_types.ts';

type Html = ReturnType<typeof html>;

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The whole page, which can be read without scripts; with them, each call can be sent. */
export function renderPage(document: OpenApiDocument): string {
  const { info, components } = document;
  const groups = Map.groupBy(callsOf(document), ({ operation }) => operation.tags[0] ?? '');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/v1/docs/page.css">
<script src="/api/v1/docs/try_it.js" defer></script>
</head>
<body>
<header>
<h1>${info.title}</h1>
<p>${renderProse(info.description)}</p>
<p><a href="/api/v1/openapi.json">The same as an OpenAPI document</a></p>
<label class="scripted">Access token <input id="token" autocomplete="off" spellcheck="false"><small>Sent with the calls that you try. <a href="#post_login_access-token">Log in</a> to get one.</small></label>
</header>
<nav aria-label="Calls by resource">${[...groups.keys()].map((tag) => html`<a href="#${tag}">${tag}</a> `)}<a href="#schemas">schemas</a></nav>
<main>
${[...groups].map(([tag, calls]) => html`<section><h2 id="${tag}">${tag}</h2>${calls.map(renderCall)}</section>`)}
<section><h2 id="schemas">schemas</h2>${Object.entries(components.schemas).map(renderSchema)}</section>
</main>
</body>
</html>
`;
  return String(page);
}

function callsOf({ paths }: OpenApiDocument): ApiCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function renderCall({ method, path, operation }: ApiCall): Html {
  const { operationId, summary, description, security, responses } = operation;
  return html`<details id="${operationId}">
<summary><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> <span>${summary}</span></summary>
${description ? html`<p>${renderProse(description)}</p>` : ''}
<p>${security.length > 0 ? 'Needs an access token.' : 'Open to everyone.'}</p>
${renderForm(method, path, operation)}
<h3>Answers</h3>
<dl>${Object.entries(responses).map(
    ([status, { description: meaning, content = {} }]) =>
      html`<dt>${status}</dt><dd>${renderProse(meaning)}${Object.entries(content).map(([type, { schema }]) => renderType(type, schema))}</dd>`,
  )}</dl>
</details>
`;
}

/** Text of the document, whose `code` is marked as in Markdown. */
function renderProse(text: string) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function renderForm(
  method: string,
  path: string,
  { parameters = [], requestBody }: Operation,
): Html {
  const [content] = Object.entries(requestBody?.content ?? {});
  const [type, { schema, example } = {}] = content ?? [];
  return html`<form data-method="${method}" data-path="${path}" data-type="${type ?? ''}">
${parameters.map(renderParameter)}
${type === undefined || !schema ? '' : html`${renderType(type, schema)}${type === 'application/json' ? renderJson(example) : renderFields(schema, example)}`}
<button class="scripted">Send</button>
<output class="scripted" aria-label="Answer"></output>
</form>`;
}

function renderParameter({ name, in: place, required = false, schema }: Parameter): Html {
  return html`<label>${name} <small>${place}${required ? ', required' : ''}${formatRemarkSuffix(schema)}</small><input name="${name}" data-in="${place}"${required ? html` required` : ''} spellcheck="false" autocomplete="off"></label>`;
}

function renderJson(example: unknown): Html {
  return html`<label>Body <textarea data-in="body" rows="8" spellcheck="false">${JSON.stringify(example ?? {}, null, 2)}</textarea></label>`;
}

function renderFields({ properties = {}, required = [] }: Schema, example: unknown): Html {
  const values = new Map(typeof example === 'object' && example ? Object.entries(example) : []);
  const fields = Object.entries(properties).map(([name, property]) => {
    const isFile = (property.items ?? property).format === 'binary';
    return html`<label>${name} <small>body${required.includes(name) ? ', required' : ''}${formatRemarkSuffix(property)}</small><input name="${name}" data-in="body"${isFile ? html` type="file"${property.items ? html` multiple` : ''}` : html` value="${values.get(name) ?? ''}" spellcheck="false" autocomplete="off"`}></label>`;
  });
  return html`${fields}`;
}

function renderType(type: string, schema: Schema | undefined): Html {
  return html`<pre><i>${type}</i>
${schema ? formatType(schema) : ''}</pre>`;
}

function renderSchema([name, schema]: [string, Schema]): Html {
  return html`<details id="${schemaId(name)}"><summary><code>${name}</code></summary><pre>${formatType(schema)}</pre></details>
`;
}

function formatRemarkSuffix(schema: Schema): string {
  const remarks = formatRemarks(schema);
  return remarks && `; ${remarks}`;
}

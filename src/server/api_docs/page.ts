/** Renders the page that shows the OpenAPI document. */
import { html } from 'hono/html';
import { formatRemarks, formatType, type Html, schemaId } from './format_type.ts';
import type { OpenApiDocument, Operation, Parameter, Schema } from './openapi_types.ts';

/** An operation of the OpenAPI document. The page shows it as a "call". */
interface ApiCall {
  /** The HTTP method, in lower case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** JavaScript is needed only to send calls; without it, `.scripted` elements stay hidden. */
export function renderPage(openApi: OpenApiDocument): string {
  const { info, components } = openApi;
  const callsByTag = Map.groupBy(callsOf(openApi), ({ operation }) => operation.tags[0] ?? '');
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
<nav aria-label="Calls by resource">${[...callsByTag.keys()].map((tag) => html`<a href="#${tag}">${tag}</a> `)}<a href="#schemas">schemas</a></nav>
<main>
${[...callsByTag].map(([tag, calls]) => html`<section><h2 id="${tag}">${tag}</h2>${calls.map(renderCall)}</section>`)}
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
      html`<dt>${status}</dt><dd>${renderProse(meaning)}${Object.entries(content).map(([mediaType, { schema }]) => renderType(mediaType, schema))}</dd>`,
  )}</dl>
</details>
`;
}

/** Shows text in backticks as code. The split puts such text at the odd indexes. */
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
  // Every operation accepts at most one media type.
  const [mediaType, body] = Object.entries(requestBody?.content ?? {}).at(0) ?? [];
  return html`<form data-method="${method}" data-path="${path}" data-media-type="${mediaType ?? ''}">
${parameters.map(renderParameter)}
${mediaType && body?.schema ? renderBody(mediaType, body.schema, body.example) : ''}
<button class="scripted">Send</button>
<output class="scripted" aria-label="Answer"></output>
</form>`;
}

function renderBody(mediaType: string, schema: Schema, example: unknown): Html {
  const isJson = mediaType === 'application/json';
  const inputs = isJson ? renderJsonInput(example) : renderFields(schema, example);
  return html`${renderType(mediaType, schema)}${inputs}`;
}

function renderParameter(parameter: Parameter): Html {
  const required = parameter.required ? html` required` : '';
  return renderInput(parameter, html`${required} spellcheck="false" autocomplete="off"`);
}

/** A parameter of a call, or a field of its body. */
type Input = Omit<Parameter, 'in'> & { readonly in: Parameter['in'] | 'body' };

function renderInput({ name, in: place, required, schema }: Input, attributes: Html): Html {
  const remarks = `${place}${required ? ', required' : ''}${formatRemarkSuffix(schema)}`;
  return html`<label>${name} <small>${remarks}</small><input name="${name}" data-in="${place}"${attributes}></label>`;
}

function renderJsonInput(example: unknown): Html {
  return html`<label>Body <textarea data-in="body" rows="8" spellcheck="false">${JSON.stringify(example ?? {}, null, 2)}</textarea></label>`;
}

function renderFields({ properties = {}, required = [] }: Schema, example: unknown): Html {
  const examples = new Map(typeof example === 'object' && example ? Object.entries(example) : []);
  const fields = Object.entries(properties).map(([name, property]) => {
    // A field for several files is an array of files.
    const isFile = (property.items ?? property).format === 'binary';
    const attributes = isFile
      ? html` type="file"${property.items ? html` multiple` : ''}`
      : html` value="${examples.get(name) ?? ''}" spellcheck="false" autocomplete="off"`;
    const isRequired = required.includes(name);
    const input = { name, in: 'body', required: isRequired, schema: property } as const;
    return renderInput(input, attributes);
  });
  return html`${fields}`;
}

function renderType(mediaType: string, schema: Schema | undefined): Html {
  return html`<pre><i>${mediaType}</i>
${schema ? formatType(schema) : ''}</pre>`;
}

function renderSchema([name, schema]: [string, Schema]): Html {
  return html`<details id="${schemaId(name)}"><summary><code>${name}</code></summary><pre>${formatType(schema)}</pre></details>
`;
}

/** Returns the end of a label: `; ` and the schema's remarks; '' if it has none. */
function formatRemarkSuffix(schema: Schema): string {
  const remarks = formatRemarks(schema);
  return remarks && `; ${remarks}`;
}

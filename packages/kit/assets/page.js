/**
 * Shows the OpenAPI document that is served next to this page: operations by tag, with a form that sends real requests.
 * Has no dependencies and no inline scripts. Treats everything from the document as text.
 */
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const MOST_SHOWN = 100_000

const byId = (id) => document.getElementById(id)

function element(name, props = {}, ...children) {
  const node = Object.assign(document.createElement(name), props)
  node.append(...children)
  return node
}

const response = await fetch('./openapi.json')
show(await response.json())

function show(api) {
  document.title = api.info.title
  byId('title').textContent = `${api.info.title} ${api.info.version}`
  byId('about').textContent = api.info.description ?? ''
  const base = (api.servers?.[0]?.url ?? '').replace(/\/$/, '')
  const scheme = Object.values(api.components?.securitySchemes ?? {}).find((one) => one.in === 'header')
  if (scheme !== undefined) byId('header-name').value = scheme.name
  const groups = new Map()
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const operation = item[method]
      const tag = operation.tags?.[0] ?? 'Other'
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation, base, api }])
    }
  }
  const sections = [...groups].map(([tag, operations]) =>
    element('section', {}, element('h2', { textContent: tag }), ...operations.map(operationView)),
  )
  byId('operations').replaceChildren(...sections)
}

function operationView({ path, method, operation, base, api }) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(api, parameter))
  const inputs = parameters.map((parameter) => parameterRow(parameter))
  const schema = operation.requestBody && resolve(api, operation.requestBody).content?.['application/json']?.schema
  const body = schema && element('textarea', { rows: 6, value: JSON.stringify(example(api, schema), null, 2) })
  body?.setAttribute('aria-label', 'Request body')
  const result = element('div', {})
  const send = element('button', { type: 'button', textContent: 'Send' })
  send.addEventListener('click', () => request({ path, method, base, inputs, body, result }))
  const replies = Object.entries(operation.responses ?? {}).map(([status, reply]) =>
    element(
      'tr',
      {},
      element('td', { textContent: status }),
      element('td', { textContent: resolve(api, reply).description ?? '' }),
    ),
  )
  return element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { className: 'method', textContent: method.toUpperCase() }),
      element('code', { textContent: path }),
      element('span', { textContent: operation.summary ?? '' }),
    ),
    element(
      'div',
      { className: 'body' },
      element('p', { textContent: operation.description ?? '' }),
      ...(inputs.length > 0
        ? [
            table(
              'Parameter',
              inputs.map((input) => input.row),
            ),
          ]
        : []),
      ...(body ? [element('h3', { textContent: 'Body' }), body] : []),
      send,
      result,
      table('Reply', replies),
    ),
  )
}

function table(title, rows) {
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, element('th', { textContent: title }), element('th'))),
    element('tbody', {}, ...rows),
  )
}

function parameterRow(parameter) {
  const hint = parameter.style === 'deepObject' ? 'name=value, name=value' : parameter.schema?.type
  const field = element('input', { placeholder: parameter.description ?? hint ?? '' })
  field.setAttribute('aria-label', parameter.name)
  const label = `${parameter.name}${parameter.required ? ' *' : ''} (${parameter.in})`
  return { parameter, field, row: element('tr', {}, element('td', { textContent: label }), element('td', {}, field)) }
}

async function request({ path, method, base, inputs, body, result }) {
  let url = path
  const query = new URLSearchParams()
  for (const { parameter, field } of inputs) {
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(field.value))
    else if (parameter.style === 'deepObject') appendMembers(query, parameter.name, field.value)
    else if (parameter.in === 'query' && field.value !== '') query.append(parameter.name, field.value)
  }
  const search = query.size === 0 ? '' : `?${query}`
  const credentials = byId('header-value').value
  const headers = {
    ...(credentials === '' ? {} : { [byId('header-name').value]: credentials }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  try {
    const reply = await fetch(`${base}${url}${search}`, {
      method: method.toUpperCase(),
      headers,
      ...(body ? { body: body.value } : {}),
    })
    const text = pretty(await reply.text())
    const head = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    result.replaceChildren(
      element('p', { textContent: `${method.toUpperCase()} ${url}${search} → ${reply.status} ${reply.statusText}` }),
      element('pre', { textContent: head }),
      element('pre', { textContent: text.slice(0, MOST_SHOWN) }),
    )
  } catch (error) {
    result.replaceChildren(element('p', { role: 'alert', textContent: `The request failed: ${error.message}` }))
  }
}

/** `a=1, b=2` → `name[a]=1&name[b]=2`. */
function appendMembers(query, name, text) {
  for (const member of text.split(',')) {
    const [key, ...value] = member.split('=')
    if (key.trim() !== '') query.append(`${name}[${key.trim()}]`, value.join('=').trim())
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function resolve(api, value) {
  if (value?.$ref === undefined) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key], api)
}

/** A value that fits a schema: required members only, first alternative, given examples first. */
function example(api, given, depth = 0) {
  const schema = resolve(api, given) ?? {}
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const alternative = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (alternative !== undefined) return example(api, alternative, depth)
  if (schema.type === 'object') {
    const names = depth === 0 ? Object.keys(schema.properties ?? {}) : (schema.required ?? [])
    return Object.fromEntries(names.map((name) => [name, example(api, schema.properties[name], depth + 1)]))
  }
  if (schema.type === 'array') return []
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 0
  return schema.type === 'boolean' ? false : ''
}

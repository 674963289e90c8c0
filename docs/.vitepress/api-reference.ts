/** The part of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<Record<string, Reply>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Reply {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** A document as Markdown: operations by tag, each with its parameters, body and replies; named schemas at the end. */
export function apiReference({ info, servers, paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'Other')
  const base = servers?.[0]?.url ?? ''
  const sections = [...tags].map(([tag, of]) =>
    [
      `## ${tag}`,
      ...of.map(({ path, method, operation }) =>
        section(`${method.toUpperCase()} ${base === '/' ? '' : base}${path}`, operation),
      ),
    ].join('\n\n'),
  )
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) => schemaSection(name, schema))
  return [`# ${text(info.title)} ${info.version}`, text(info.description), ...sections, '## Schemas', ...schemas].join(
    '\n\n',
  )
}

function section(address: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, security, responses } = operation
  const parts = [`### \`${address}\``, text(summary)]
  if (security === undefined || security.length === 0) parts.push('Needs no credentials.')
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    `\`${name}\``,
    `${place}${required ? ', required' : ''}`,
    shape(schema),
    text(description ?? schema?.description),
  ])
  if (rows.length > 0) parts.push(table(['Parameter', 'In', 'Type', ''], rows))
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  if (body !== undefined) parts.push(`Body: ${shape(body)}`, properties(body))
  const replies = Object.entries(responses).map(([status, { description, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema
    return `| ${status} | ${text(description)} | ${schema === undefined ? '' : shape(schema)} |`
  })
  parts.push(['| Reply | When | Body |', '|---|---|---|', ...replies].join('\n'))
  return parts.filter((part) => part !== '').join('\n\n')
}

function schemaSection(name: string, schema: Schema): string {
  return [`### ${name}`, text(schema.description), properties(schema) || shape(schema)].filter(Boolean).join('\n\n')
}

function properties(schema: Schema): string {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return ''
  const rows = entries.map(([name, property]) => [
    `\`${name}\`${schema.required?.includes(name) ? ' (required)' : ''}`,
    shape(property),
    text(property.description),
  ])
  return table(['Property', 'Type', ''], rows)
}

/** A table, without the columns that have neither a heading nor text. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isShown = (_cell: string, at: number): boolean => head[at] !== '' || rows.some((row) => row[at] !== '')
  const line = (cells: readonly string[]): string => `| ${cells.filter(isShown).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A type in a few words; named schemas are links. */
function shape(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  const several = schema.anyOf ?? schema.allOf
  if (several !== undefined) return [...new Set(several.map(shape))].join(schema.anyOf ? ' or ' : ' and ')
  if (schema.items !== undefined) return `list of ${shape(schema.items)}`
  return text([schema.type ?? 'anything'].flat().join(' or '))
}

/** Text of the document as Markdown that means nothing else: no tags, no interpolation, no cells. */
function text(value = ''): string {
  const parts = value.replaceAll('\n', ' ').split(/(`[^`]*`)/)
  return parts.map((part, at) => (at % 2 === 1 ? part.replaceAll('|', '\\|') : escaped(part))).join('')
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/[|*_[\]]/g, '\\$&')
}

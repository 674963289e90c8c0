import { toPascalCase } from './identifiers.ts'
import type { Shape } from './payload-shape.ts'
import { toStringLiteral } from './string-literal.ts'
import type { PayloadKind, TypedFlag } from './typed-flag.ts'

/** Expression that converts the text of each kind of payload to a value. */
const READ_EXPRESSIONS: Readonly<Record<PayloadKind, string>> = {
  string: 'payload.value',
  csv: "payload.value.split(',')",
  number: 'Number(payload.value)',
  json: 'JSON.parse(payload.value)',
}

const LEAVES = { text: 'string', number: 'number', boolean: 'boolean', any: 'unknown' } as const

const quote = (text: string) => toStringLiteral(text, (point) => `\\u{${point.toString(16)}}`)

const getIdentifier = ({ name }: TypedFlag) => toPascalCase(name, 'Flag')
/** Quotes the name for a block comment, so that the name cannot close the comment. */
const quoteForComment = ({ name }: TypedFlag) => quote(name).replaceAll('*/', '*\\/')

/**
 * Generates TypeScript that works with any official JavaScript SDK: the name of a flag, its variants in all
 * environments, and the types of the variants' payloads. The types reject names and payloads that the flag does not
 * have.
 */
export function generateTypescript(flag: TypedFlag): string {
  return flag.variants.length === 0
    ? `${CLIENT_INTERFACE.replace(/\n {2}getVariant.*/, '')}\n\n${buildIsOnFunction(flag)}`
    : [
        CLIENT_INTERFACE,
        ...buildPayloadType(flag),
        buildVariantType(flag),
        buildIsOnFunction(flag),
        buildReadFunction(flag),
      ].join('\n\n')
}

/** Generates the line of code that evaluates the flag. */
export function generateTypescriptUsage(flag: TypedFlag): string {
  const id = getIdentifier(flag)
  return flag.variants.length === 0
    ? `const on = is${id}On(flags, { userId: '42' })`
    : `const { name, payload } = read${id}(flags, { userId: '42' })`
}

const CLIENT_INTERFACE = `interface FlagClient<Context> {
  isEnabled(name: string, context?: Context): boolean
  getVariant(name: string, context?: Context): { name: string; payload?: { type: string; value: string } }
}`

const buildIsOnFunction = (flag: TypedFlag) => `/** Whether ${quoteForComment(flag)} is on. */
export function is${getIdentifier(flag)}On<Context>(flags: FlagClient<Context>, context?: Context): boolean {
  return flags.isEnabled(${quote(flag.name)}, context)
}`

const buildPayloadType = (flag: TypedFlag) =>
  flag.json === undefined ? [] : [`export type ${getIdentifier(flag)}Payload = ${toType(flag.json, '')}`]

function buildVariantType(flag: TypedFlag): string {
  const types = { string: 'string', csv: 'readonly string[]', number: 'number', json: `${getIdentifier(flag)}Payload` }
  const lines = flag.variants.map(({ name, kinds }) => {
    // Code must always be prepared for a missing payload.
    const payload = [...kinds.map((kind) => types[kind]), 'undefined'].join(' | ')
    return `  | { readonly name: ${quote(name)}; readonly payload: ${payload} }`
  })
  return `/** Variants of ${quoteForComment(flag)}; \`disabled\` if the flag is off or the user gets no variant. */
export type ${getIdentifier(flag)}Variant =
${lines.join('\n')}
  | { readonly name: 'disabled'; readonly payload: undefined }`
}

function buildReadFunction(flag: TypedFlag): string {
  const id = getIdentifier(flag)
  const cases = flag.variants.map(({ name, kinds }) => {
    const text = quote(name)
    return `    case ${text}:\n      return { name: ${text}, payload: ${buildReadExpression(kinds)} }`
  })
  return `/** The variant of ${quoteForComment(flag)}. */
export function read${id}<Context>(flags: FlagClient<Context>, context?: Context): ${id}Variant {
  const { name, payload } = flags.getVariant(${quote(flag.name)}, context)
  switch (name) {
${cases.join('\n')}
    default:
      return { name: 'disabled', payload: undefined }
  }
}`
}

/** Generates an expression that reads a payload of one of the given kinds, or undefined. */
const buildReadExpression = (kinds: readonly PayloadKind[]) =>
  kinds.reduceRight((rest, kind) => `payload?.type === '${kind}' ? ${READ_EXPRESSIONS[kind]} : ${rest}`, 'undefined')

function toType(shape: Shape, indent: string): string {
  if (shape.kind === 'list') return `readonly (${toType(shape.of, indent)})[]`.replace(/\((\w+)\)/, '$1')
  if (shape.kind !== 'object') return LEAVES[shape.kind]
  const inner = `${indent}  `
  const fields = shape.fields.map(({ key, shape: of, optional }) => {
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : quote(key)
    return `${inner}readonly ${name}${optional ? '?' : ''}: ${toType(of, inner)}${optional ? ' | null' : ''}`
  })
  return `{\n${fields.join('\n')}\n${indent}}`
}

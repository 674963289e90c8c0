import { pascalCase } from './identifiers.ts'
import type { Shape } from './payload-shape.ts'
import { stringLiteral } from './string-literal.ts'
import type { PayloadKind, TypedFlag } from './typed-flag.ts'

/** Expression that reads each kind of payload from its text. */
const READ: Readonly<Record<PayloadKind, string>> = {
  string: 'payload.value',
  csv: "payload.value.split(',')",
  number: 'Number(payload.value)',
  json: 'JSON.parse(payload.value)',
}

const LEAVES = { text: 'string', number: 'number', boolean: 'boolean', any: 'unknown' } as const

const literal = (text: string) => stringLiteral(text, (point) => `\\u{${point.toString(16)}}`)

const idOf = ({ name }: TypedFlag) => pascalCase(name, 'Flag')
/** Quotes the name for a block comment, which it must not close. */
const told = ({ name }: TypedFlag) => literal(name).replaceAll('*/', '*\\/')

/**
 * Generates TypeScript that works with any official JavaScript SDK: the name of a flag, its variants in all
 * environments and the types of their payloads. The types reject everything that the flag does not have.
 */
export function typescriptCode(flag: TypedFlag): string {
  return flag.variants.length === 0
    ? `${CLIENT.replace(/\n {2}getVariant.*/, '')}\n\n${isOn(flag)}`
    : [CLIENT, ...payloadType(flag), variantType(flag), isOn(flag), reading(flag)].join('\n\n')
}

/** Generates the line that uses it. */
export function typescriptUse(flag: TypedFlag): string {
  const id = idOf(flag)
  return flag.variants.length === 0
    ? `const on = is${id}On(flags, { userId: '42' })`
    : `const { name, payload } = read${id}(flags, { userId: '42' })`
}

const CLIENT = `interface FlagClient<Context> {
  isEnabled(name: string, context?: Context): boolean
  getVariant(name: string, context?: Context): { name: string; payload?: { type: string; value: string } }
}`

const isOn = (flag: TypedFlag) => `/** Whether ${told(flag)} is on. */
export function is${idOf(flag)}On<Context>(flags: FlagClient<Context>, context?: Context): boolean {
  return flags.isEnabled(${literal(flag.name)}, context)
}`

const payloadType = (flag: TypedFlag) =>
  flag.json === undefined ? [] : [`export type ${idOf(flag)}Payload = ${typeOf(flag.json, '')}`]

function variantType(flag: TypedFlag): string {
  const types = { string: 'string', csv: 'readonly string[]', number: 'number', json: `${idOf(flag)}Payload` }
  const lines = flag.variants.map(({ name, kinds }) => {
    // Code must always expect a missing payload.
    const payload = [...kinds.map((kind) => types[kind]), 'undefined'].join(' | ')
    return `  | { readonly name: ${literal(name)}; readonly payload: ${payload} }`
  })
  return `/** What ${told(flag)} can give; \`disabled\` where it is off, or has no variant for somebody. */
export type ${idOf(flag)}Variant =
${lines.join('\n')}
  | { readonly name: 'disabled'; readonly payload: undefined }`
}

function reading(flag: TypedFlag): string {
  const id = idOf(flag)
  const cases = flag.variants.map(({ name, kinds }) => {
    const text = literal(name)
    return `    case ${text}:\n      return { name: ${text}, payload: ${reader(kinds)} }`
  })
  return `/** The variant of ${told(flag)}. */
export function read${id}<Context>(flags: FlagClient<Context>, context?: Context): ${id}Variant {
  const { name, payload } = flags.getVariant(${literal(flag.name)}, context)
  switch (name) {
${cases.join('\n')}
    default:
      return { name: 'disabled', payload: undefined }
  }
}`
}

/** Generates an expression that reads a payload of one of the kinds, or undefined. */
const reader = (kinds: readonly PayloadKind[]) =>
  kinds.reduceRight((rest, kind) => `payload?.type === '${kind}' ? ${READ[kind]} : ${rest}`, 'undefined')

function typeOf(shape: Shape, indent: string): string {
  if (shape.kind === 'list') return `readonly (${typeOf(shape.of, indent)})[]`.replace(/\((\w+)\)/, '$1')
  if (shape.kind !== 'object') return LEAVES[shape.kind]
  const inner = `${indent}  `
  const fields = shape.fields.map(({ key, shape: of, optional }) => {
    const name = /^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)
    return `${inner}readonly ${name}${optional ? '?' : ''}: ${typeOf(of, inner)}${optional ? ' | null' : ''}`
  })
  return `{\n${fields.join('\n')}\n${indent}}`
}

import { pascalCase } from './identifiers.ts'
import type { Shape } from './payload-shape.ts'
import { stringLiteral } from './string-literal.ts'
import type { PayloadKind, TypedFlag } from './typed-flag.ts'

/** How a payload is read of the text that SDKs give. */
const READ: Readonly<Record<PayloadKind, string>> = {
  string: 'payload.value',
  csv: "payload.value.split(',')",
  number: 'Number(payload.value)',
  json: 'JSON.parse(payload.value)',
}

const LEAVES = { text: 'string', number: 'number', boolean: 'boolean', any: 'unknown' } as const

const literal = (text: string) => stringLiteral(text, (point) => `\\u{${point.toString(16)}}`)

const idOf = ({ name }: TypedFlag) => pascalCase(name, 'Flag')
/** In a comment, which it must not end. */
const told = ({ name }: TypedFlag) => literal(name).replaceAll('*/', '*\\/')

/**
 * TypeScript that asks for one flag with any official SDK for JavaScript: its name, its variants as they are called in some
 * environment, and the types of their payloads. What the flag does not have, the types do not allow.
 */
export function typescriptCode(flag: TypedFlag): string {
  return flag.variants.length === 0
    ? `${CLIENT.replace(/\n {2}getVariant.*/, '')}\n\n${isOn(flag)}`
    : [CLIENT, ...payloadType(flag), variantType(flag), isOn(flag), reading(flag)].join('\n\n')
}

/** The line that asks with it. */
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
    // one that is missing may be missing anywhere
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

/** Reads a payload of one of some kinds; without one there is none. */
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

import type { AdminFeature } from '@burgee/protocol/admin-feature'

/** What typed code is made of: a flag with the variants of all its environments. */
type Typed = Pick<AdminFeature, 'name'> & {
  readonly environments: readonly {
    readonly variants: readonly Variant[]
    readonly strategies: readonly { readonly disabled: boolean; readonly variants: readonly Variant[] }[]
  }[]
}

interface Variant {
  readonly name: string
  readonly payload?: { readonly type: string; readonly value: string } | undefined
}

/** TypeScript of a payload, and how it is read of the text that SDKs give. */
const PAYLOADS: Readonly<Record<string, { readonly type: string; readonly read: string }>> = {
  string: { type: 'string', read: 'payload.value' },
  csv: { type: 'readonly string[]', read: "payload.value.split(',')" },
  number: { type: 'number', read: 'Number(payload.value)' },
  json: { type: 'unknown', read: 'JSON.parse(payload.value)' },
}

/**
 * TypeScript that asks for one flag with any official SDK for JavaScript: its name, its variants as they are called in some
 * environment, and the types of their payloads. What the flag does not have, the types do not allow.
 */
export function typedCode(flag: Typed): string {
  const name = JSON.stringify(flag.name)
  const id = identifier(flag.name)
  const kinds = payloadTypes(flag)
  return kinds.size === 0 ? plainCode(name, id) : variantCode({ name, id, kinds })
}

const CLIENT = `interface FlagClient<Context> {
  isEnabled(name: string, context?: Context): boolean
  getVariant(name: string, context?: Context): { name: string; payload?: { type: string; value: string } }
}`

function plainCode(name: string, id: string): string {
  return `${CLIENT.replace(/\n {2}getVariant.*/, '')}

/** Whether ${name} is on. */
export function is${id}On<Context>(flags: FlagClient<Context>, context?: Context): boolean {
  return flags.isEnabled(${name}, context)
}`
}

interface Parts {
  readonly name: string
  readonly id: string
  readonly kinds: ReadonlyMap<string, ReadonlySet<string>>
}

function variantCode({ name, id, kinds }: Parts): string {
  const variants = [...kinds].map(([variant, types]) => {
    const payload = [...types].map((type) => PAYLOADS[type]?.type ?? 'undefined')
    return `  | { readonly name: ${JSON.stringify(variant)}; readonly payload: ${payload.join(' | ')} }`
  })
  const cases = [...kinds].map(([variant, types]) => {
    const text = JSON.stringify(variant)
    return `    case ${text}:\n      return { name: ${text}, payload: ${reader([...types])} }`
  })
  return `${CLIENT}

/** What ${name} can give; \`disabled\` where it is off, or has no variant for somebody. */
export type ${id}Variant =
${variants.join('\n')}
  | { readonly name: 'disabled'; readonly payload: undefined }

/** Whether ${name} is on. */
export function is${id}On<Context>(flags: FlagClient<Context>, context?: Context): boolean {
  return flags.isEnabled(${name}, context)
}

/** The variant of ${name}. */
export function read${id}<Context>(flags: FlagClient<Context>, context?: Context): ${id}Variant {
  const { name, payload } = flags.getVariant(${name}, context)
  switch (name) {
${cases.join('\n')}
    default:
      return { name: 'disabled', payload: undefined }
  }
}`
}

/** Reads a payload of one of some types; without one there is none. */
function reader(types: readonly string[]): string {
  const known = types.filter((type) => PAYLOADS[type] !== undefined)
  return known.reduceRight(
    (rest, type) => `payload?.type === '${type}' ? ${PAYLOADS[type]?.read} : ${rest}`,
    'undefined',
  )
}

/** Types of payloads by variant, in the order of the names; '' where one is without. */
function payloadTypes({ environments }: Typed): Map<string, Set<string>> {
  const all = environments.flatMap(({ variants, strategies }) => [
    ...variants,
    ...strategies.filter(({ disabled }) => !disabled).flatMap((strategy) => strategy.variants),
  ])
  const found = new Map<string, Set<string>>()
  for (const { name, payload } of all.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const types = found.get(name) ?? new Set<string>()
    // one that is missing may be missing anywhere
    found.set(name, types.add(payload?.type ?? '').add(''))
  }
  return found
}

/** `new-checkout` as code may call it: `NewCheckout`. */
function identifier(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const text = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^\p{L}/u.test(text) ? text : `Flag${text}`
}

import type { Installation } from '@burgee/import/model/installation'
import type { Context } from '@burgee/protocol/context'
import * as fc from 'fast-check'

/** Attribute types, as named in the report. */
export type AttributeType = 'text' | 'number' | 'truth value'

/** Attributes of random documents and contexts, with the type that applications send. */
export const ATTRIBUTES = {
  plan: 'text',
  country: 'text',
  email: 'text',
  org: 'text',
  app: 'text',
  age: 'number',
  beta: 'truth value',
} as const satisfies Record<string, AttributeType>
export type Attribute = keyof typeof ATTRIBUTES

const VERSION = fc.oneof(
  fc.constantFrom(
    '1.2.3',
    '1.2.4',
    '1.2.0',
    '1.2',
    '1',
    '2',
    '2.0',
    '2.0.0',
    '10.0.0',
    '0.9.9',
    '1.10.0',
    '1.2.3-rc.1',
  ),
  fc.constantFrom(
    'v1.2.3',
    'V1.2.3',
    'v1.2',
    'v2',
    ' 1.2.3',
    '1.2.3 ',
    'v1.2.3-rc.1',
    '2-rc.1',
    '1.2-rc.1',
    '1.2.3+b',
    '1.2+b',
  ),
  fc.constantFrom('01.2.3', '1.02', '1.2.3.4', 'x', '', '1.x', '=1.2.3', 'vv1.2.3', '1.2.3-', '1.2.', '999999999.0.0'),
  fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((numbers) => numbers.join('.')),
  fc.tuple(fc.nat(30), fc.nat(30)).map((numbers) => numbers.join('.')),
)
const TEXT = fc.oneof(
  fc.constantFrom(
    'paid',
    'free',
    'trial',
    'Paid',
    ' paid',
    'paid ',
    '',
    'DE',
    'FR',
    'a@b.de',
    'x@y.fr',
    'true',
    'false',
  ),
  fc.constantFrom('18', '18.0', '1e1', '0', '-1', 'null', 'a,b', 'ä', '\u{1f600}', 'constructor', 'a\nb'),
)
const NUMBER = fc.oneof(fc.constantFrom(0, 1, 17, 18, 18.5, 19, -1, 1e21, 0.1), fc.integer({ min: -5, max: 30 }))

/** Returns operands for an attribute, mostly of its type. */
export function operandOf(attribute: Attribute): fc.Arbitrary<unknown> {
  const type = ATTRIBUTES[attribute]
  const own = { text: attribute === 'app' ? VERSION : TEXT, number: NUMBER, 'truth value': fc.boolean() }[type]
  return fc.oneof({ weight: 12, arbitrary: own }, { weight: 1, arbitrary: anyValue() })
}

/** Returns any scalar, or null. */
export function anyValue(): fc.Arbitrary<unknown> {
  return fc.oneof(TEXT, VERSION, NUMBER, fc.boolean(), fc.constant(null))
}

const PARTS: Record<AttributeType, fc.Arbitrary<unknown>> = {
  text: fc.oneof(TEXT, VERSION),
  number: NUMBER,
  'truth value': fc.boolean(),
}
const WILD = fc.oneof(anyValue(), fc.array(TEXT, { maxLength: 2 }), fc.constant({ a: 1 }))

const KEY = fc.constantFrom('1', '2', '3', 'anna', '18', 'true')

/** Attributes as applications send them, including invalid ones. */
export interface RandomPerson {
  readonly key: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns users whose attributes have the types that documents compare, or any type. */
export function people({
  isTyped,
  hasKey,
}: {
  readonly isTyped: boolean
  readonly hasKey: boolean
}): fc.Arbitrary<RandomPerson> {
  const field = (type: AttributeType) => fc.option(isTyped ? PARTS[type] : WILD, { freq: 4, nil: undefined })
  const fields = Object.entries(ATTRIBUTES).map(([name, type]) => [name, field(type)] as const)
  return fc.record({
    key: hasKey ? KEY : fc.option(KEY, { freq: 6, nil: undefined }),
    fields: fc
      .record(Object.fromEntries(fields))
      .map((all) => JSON.parse(JSON.stringify(all)) as object as Record<string, unknown>),
  })
}

/** Converts a user to a Burgee context. */
export function contextOf({ key, fields }: RandomPerson): Context {
  return { ...(key === undefined ? {} : { userId: key }), properties: fields }
}

/** Contents of the report about a flag. */
interface Said {
  readonly isExact: boolean
  readonly hasLine: boolean
  /** Types that context attributes must have, by attribute, for all attributes that the report mentions. */
  readonly types: ReadonlyMap<string, string>
}

/** Parses the report lines about a flag, except for lines that the test expects. */
function saidOf({ notes }: Installation, flag: string, known?: RegExp): Said {
  const own = notes.filter(({ name }) => name === flag || name.startsWith(`${flag} in `))
  const typed = own.flatMap(({ words }) => [...words.matchAll(/"([^"]+)" as a (text|number|truth value)/g)])
  return {
    isExact: own.every(({ fidelity, words }) => fidelity === 'exact' || known?.test(words) === true),
    hasLine: own.length > 0,
    types: new Map(typed.map(([, name = '', type = '']) => [name, type])),
  }
}

/** Returns true if the attributes that the report names have the types that it names. */
function fitsTypes({ fields }: RandomPerson, { types }: Said): boolean {
  const nameOf: Readonly<Record<string, string>> = { string: 'text', number: 'number', boolean: 'truth value' }
  return [...types].every(([name, type]) => {
    const value = fields[name]
    return value === undefined || value === null || nameOf[typeof value] === type
  })
}

/** Flags of an imported document, and functions that evaluate them on both sides. */
export interface Comparison {
  readonly installation: Installation
  readonly flags: readonly string[]
  readonly people: readonly RandomPerson[]
  readonly here: (flag: string, person: RandomPerson) => string
  readonly there: (flag: string, person: RandomPerson) => string | Promise<string>
  /** Pattern of report lines about differences that do not appear in the results. */
  readonly known?: RegExp
}

/**
 * Returns decisions that differ although no report line mentions the difference. Flags without a report line are
 * evaluated for all users. Flags that are exact according to their report lines are evaluated only for users whose
 * attributes have the types in these lines.
 */
export async function unreportedDifferences({ installation, flags, people: all, here, there, known }: Comparison) {
  const counts = { silent: 0, exact: 0, reported: 0, decisions: 0, on: 0 }
  const different: object[] = []
  for (const flag of flags) {
    const said = saidOf(installation, flag, known)
    if (!said.hasLine) counts.silent += 1
    else counts[said.isExact ? 'exact' : 'reported'] += 1
    const asked = said.isExact ? all.filter((person) => fitsTypes(person, said)) : []
    for (const person of asked) {
      const answers = { here: here(flag, person), there: await there(flag, person) }
      counts.decisions += 1
      if (answers.there !== 'off') counts.on += 1
      if (answers.here !== answers.there) different.push({ flag, person, ...answers })
    }
  }
  return { counts, different }
}

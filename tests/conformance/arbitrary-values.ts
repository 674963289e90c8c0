import * as fc from 'fast-check'
import { EDGES, KINDS, type Kind } from './edge-values.ts'

const LONG = 'x'.repeat(300)

const digits = fc.integer({ min: 0, max: 12 }).map(String)

/** Values composed of parts, so that two values are often similar. */
const BUILT: Readonly<Record<Kind, fc.Arbitrary<string>>> = {
  text: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom(LONG, `a${LONG}`),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'A'), maxLength: 4 }),
  ),
  number: fc.oneof(fc.integer({ min: -5, max: 20 }).map(String), fc.double({ noDefaultInfinity: true }).map(String)),
  date: fc
    .date({ noInvalidDate: false })
    .map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString())),
  version: fc
    .tuple(
      fc.oneof(
        fc.constant('1.2.3'),
        fc.tuple(digits, digits, digits).map((numbers) => numbers.join('.')),
      ),
      fc.constantFrom('', '-alpha', '-9', '-10', '-9', '-10', '-rc.9', '-rc.10', '-beta.2', '+x'),
      fc.constantFrom('', '', '', 'v', ' '),
    )
    .map(([core, tail, head]) => head + core + tail),
  pattern: fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '+', '?', '^', '$', '|', '(', ')', '[', ']', '\\', 'd', '{2}'),
    maxLength: 6,
  }),
  address: fc.oneof(
    fc
      .tuple(
        fc.constantFrom('10', '192', '1'),
        fc.constantFrom('0', '1', '168'),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 300 }),
        fc.constantFrom('', '', '/8', '/16', '/24', '/31', '/32', '/0'),
      )
      .map(([a, b, c, d, p]) => `${a}.${b}.${c}.${d}${p}`),
    fc
      .tuple(
        fc.string({ unit: fc.constantFrom('1', 'a', 'F', ':', '::', '0', '1:'), maxLength: 12 }),
        fc.constantFrom('', '', '/16', '/64', '/0', '%e', '1.2.3.4'),
      )
      .map(([a, b]) => a + b),
  ),
}

/** Returns an almost valid string: one of its characters is removed, doubled or replaced. */
function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.constantFrom('', '.', ':', '0', ' ', '/', '-', 'v', 'é'))
    .map(([value, at, put]) => {
      const i = at % (value.length + 1)
      return value.slice(0, i) + put + value.slice(i + (at % 3 === 0 ? 0 : 1))
    })
}

/** Returns a string, mostly of the given kind. */
export function textOfKind(kind: Kind): fc.Arbitrary<string> {
  const edge = fc.constantFrom(...EDGES[kind])
  return fc.oneof(
    { weight: 8, arbitrary: edge },
    { weight: 8, arbitrary: BUILT[kind] },
    { weight: 2, arbitrary: mutated(edge) },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS).chain((other) => fc.constantFrom(...EDGES[other])) },
  )
}

/** Values of the wrong type that JSON can represent. */
export const junk: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  undefined,
  0,
  5,
  -1,
  '',
  'x',
  true,
  false,
  [],
  {},
  [null],
  [5],
  [' '],
  { a: 1 },
)

/** Returns a generator that yields values of `arbitrary` and occasionally a value of the wrong type. */
export function sometimesJunk<T>(arbitrary: fc.Arbitrary<T>, oneIn = 60): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: oneIn - 1, arbitrary }, { weight: 1, arbitrary: junk })
}

/** Returns a generator that yields values of `arbitrary` or undefined, which represents a missing property. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>, freq = 3): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq })
}

/** Context. Every field may be missing, null, of another type, or present both at the top level and in `properties`. */
export const contextOf: fc.Arbitrary<Record<string, unknown>> = fc
  .record(
    {
      userId: fieldValue(fc.oneof(userIds(), textOfKind('text'))),
      sessionId: fieldValue(fc.oneof(userIds(), textOfKind('text'))),
      remoteAddress: fieldValue(textOfKind('address')),
      appName: fieldValue(textOfKind('text')),
      environment: fieldValue(fc.constantFrom('default', 'production', '')),
      currentTime: fc.oneof(
        fc.date({ noInvalidDate: true }),
        fc.constant(new Date('2022-01-29T13:00:00Z')),
        fc.constantFrom('2022-01-30', 'x'),
      ),
      text: fc.oneof(fieldValue(textOfKind('text')), fc.constantFrom('', '', null)),
      number: fieldValue(textOfKind('number')),
      properties: fc.record(
        {
          ...fields(),
          userId: fieldValue(userIds()),
          random: fieldValue(userIds()),
          default: userIds(),
          '': fieldValue(textOfKind('text')),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['currentTime', 'properties'] },
  )
  .map(withoutUndefined)

/** Values that are distinct or equal, depending on how they are parsed. */
const alike = fc.constantFrom<unknown>(
  'u1',
  'u2',
  '',
  ' ',
  '5',
  5,
  0,
  null,
  undefined,
  false,
  true,
  'true',
  [],
  ['5'],
  {},
)

/** A context, and variants of it that differ in one or two fields. A field may be present, null, empty or missing. */
export const similarContextsOf: fc.Arbitrary<Record<string, unknown>[]> = fc
  .tuple(contextOf, fc.array(fc.tuple(fc.nat(), fc.boolean(), alike), { minLength: 2, maxLength: 12 }))
  .map(([context, changes]) => [context, ...changes.map((change) => changed(context, ...change))])

function changed(context: Record<string, unknown>, at: number, isProperty: boolean, value: unknown) {
  const properties = { ...(context.properties as Record<string, unknown>) }
  const names = ['userId', 'sessionId', 'remoteAddress', 'currentTime', 'appName', 'unread', ...KINDS]
  const name = names[at % names.length] ?? ''
  if (isProperty)
    return withoutUndefined({ ...context, properties: withoutUndefined({ ...properties, [name]: value }) })
  return withoutUndefined({ ...context, [name]: value })
}

function fields(): Record<Kind, fc.Arbitrary<unknown>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, fieldValue(textOfKind(kind))])) as Record<
    Kind,
    fc.Arbitrary<unknown>
  >
}

function fieldValue(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return sometimesJunk(text, 30)
}

/** Returns ids that are spread over the buckets. Some of the ids are not ASCII. */
export function userIds(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.nat({ max: 99 }).map((n) => `u${n}`),
    fc.nat({ max: 99 }).map((n) => `é${n}用`),
    fc.uuid(),
  )
}

function withoutUndefined<T extends object>(holder: T): T {
  return Object.fromEntries(Object.entries(holder).filter(([, value]) => value !== undefined)) as T
}

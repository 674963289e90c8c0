import * as fc from 'fast-check'

/** Kinds of values that constraints compare. A context field is named after the kind it mostly holds. */
export const KINDS = ['text', 'number', 'date', 'version', 'pattern', 'address'] as const
export type Kind = (typeof KINDS)[number]

const EDGES: Readonly<Record<Kind, readonly string[]>> = {
  text: [
    '',
    ' ',
    'a',
    'A',
    'ab',
    ' a ',
    'abc',
    'é',
    'ß',
    'ΑΣ',
    'σ',
    'ς',
    '用户',
    '😀',
    'İ',
    'true',
    'null',
    'undefined',
    'a,b',
  ],
  number: [
    '0',
    '-0',
    '1',
    '1.0',
    '5',
    ' 5 ',
    '5.5',
    '-3',
    '0x10',
    '16',
    '1e3',
    '1000',
    'Infinity',
    '-Infinity',
    'NaN',
    '1_000',
    '1,5',
    '',
    ' ',
    '9007199254740993',
    '.5',
    '0b11',
    '\t7\n',
  ],
  date: [
    '2022-01-29',
    '2022-01-29T13:00:00Z',
    '2022-01-29T13:00:00.000+02:00',
    '2022-01-29T13:00',
    'Sat Jan 29 2022',
    '1643461200000',
    '',
    'tomorrow',
    '2023-13-01',
    '+010000-01-01T00:00:00Z',
    '1970-01-01',
  ],
  version: [
    '1.2.3',
    'v1.2.3',
    ' v1.2.3',
    ' 1.2.3 ',
    '=1.2.3',
    'V1.2.3',
    '1.2',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-alpha',
    '1.2.3-alpha.1',
    '1.2.3-alpha.beta',
    '1.2.3-alpha.01',
    '1.2.3-1',
    '1.2.3-10',
    '1.2.3-9',
    '1.2.3+build',
    '1.2.3-rc.1+build.5',
    '1.10.0',
    '1.9.0',
    '2.0.0',
    '9007199254740991.0.0',
    '9007199254740992.0.0',
    '1.2.3-9007199254740993',
    '1.2.3-9007199254740992',
    '1.2.3-',
    '1.2.3--',
    '1.2.3-A',
    '1.2.3-a',
  ],
  pattern: [
    'a',
    '^a',
    'a$',
    '^a.c$',
    '(?i)AB',
    '[[:alpha:]]+',
    '\\d+',
    '\\w',
    '\\pL',
    '(?s)a.b',
    '(?m)^b$',
    '\\Aa\\z',
    '\\Qa.c\\E',
    '(?=a)',
    '(a)\\1',
    '[',
    '(',
    '',
    '.*',
    'x{2,3}',
    'x{1001}',
    '(?P<n>a)',
    '(?<n>a)',
    '\\bab\\b',
    'é',
    'σ',
    '[^a]',
    '$',
    'a|b',
    '\\C',
    '(?<!a)b',
    'a++',
    '\\p{Greek}',
  ],
  address: [
    '10.0.0.1',
    '10.1.1.1/16',
    '10.0.0.0/8',
    '10.0.0.0/08',
    '10.0.0.0/33',
    '010.0.0.1',
    '10.0.0',
    '256.1.1.1',
    '10.0.0.1/0',
    '0.0.0.0/0',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '::1',
    '::',
    '::/0',
    '::ffff:10.0.0.1',
    '::FFFF:10.0.0.0/104',
    '2001:db8::1',
    '2001:DB8::/32',
    '2001:db8::/129',
    '2001:db8::1/128',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '1:2:3:4:5:6:7:8::',
    '::2:3:4:5:6:7:8',
    '1::2::3',
    'fe80::1%eth0',
    'fe80::1%eth0/64',
    'fe80::1/64%eth0',
    '1:2:3:4:5:6:1.2.3.4',
    '::1.2.3.400',
    '::01.2.3.4',
    '12345::',
    ':::',
    ':',
    '1:',
    ':1',
    '::g',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '::1/',
    '%',
    '::%',
    '10.0.0.1%eth0',
  ],
}

const LONG = 'x'.repeat(300)

const digits = fc.integer({ min: 0, max: 12 }).map(String)

/** Values built from parts, so that two of them are often close to each other. */
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
      digits,
      digits,
      digits,
      fc.constantFrom('', '', '-alpha', '-1', '-beta.2', '+x'),
      fc.constantFrom('', '', '', 'v', ' '),
    )
    .map(([a, b, c, tail, head]) => `${head}${a}.${b}.${c}${tail}`),
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

/** A text with one character dropped, doubled or replaced: nearly valid. */
function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(text, fc.nat(), fc.constantFrom('', '.', ':', '0', ' ', '/', '-', 'v', 'é'))
    .map(([value, at, put]) => {
      const i = at % (value.length + 1)
      return value.slice(0, i) + put + value.slice(i + (at % 3 === 0 ? 0 : 1))
    })
}

/** A text, mostly of the given kind. */
export function textOfKind(kind: Kind): fc.Arbitrary<string> {
  const edge = fc.constantFrom(...EDGES[kind])
  return fc.oneof(
    { weight: 8, arbitrary: edge },
    { weight: 8, arbitrary: BUILT[kind] },
    { weight: 2, arbitrary: mutated(edge) },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS).chain((other) => fc.constantFrom(...EDGES[other])) },
  )
}

/** Values of the wrong type, as far as JSON can carry them. */
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

/** `arbitrary`, once in a while replaced by a value of the wrong type. */
export function sometimesJunk<T>(arbitrary: fc.Arbitrary<T>, oneIn = 60): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: oneIn - 1, arbitrary }, { weight: 1, arbitrary: junk })
}

/** `arbitrary` or undefined, which stands for a missing part. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>, freq = 3): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq })
}

/** A context. Every field may be missing, null, of another type, and be both at top level and in properties. */
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
      text: fieldValue(textOfKind('text')),
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

function fields(): Record<Kind, fc.Arbitrary<unknown>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, fieldValue(textOfKind(kind))])) as Record<
    Kind,
    fc.Arbitrary<unknown>
  >
}

function fieldValue(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return sometimesJunk(text, 30)
}

/** Ids, so that buckets are spread; some are not ASCII. */
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

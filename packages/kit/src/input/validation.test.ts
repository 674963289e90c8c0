import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { DEFAULT_MAX_ITEMS } from './list-limit.ts'
import { compileValidator, InvalidRequest } from './validation.ts'

const Text = Type.String()
const Num = Type.Number()
const Int = Type.Integer({ minimum: 1 })
const Bool = Type.Boolean()
const Null = Type.Null()
const Texts = Type.Array(Text)
const Thing = Type.Object({ name: Text })
const TextOrNull = Type.Union([Text, Null])
const DateOrNumber = Type.Union([Type.String({ format: 'date-time' }), Num])
const OnOff = Type.Union([Type.Literal('on'), Type.Literal(1)])
const Record = Type.Record(Text, Text)
const Named = Type.Object({ 'a.b': Type.Optional(Num) }, { additionalProperties: Bool })
const Patterned = Type.Unsafe<object>({
  type: 'object',
  patternProperties: { '^n_': { type: 'number' }, '^t_': { type: 'string' } },
  additionalProperties: { type: 'boolean' },
})
const Closed = Type.Object({ a: Type.Optional(Text) }, { additionalProperties: false })
const Both = Type.Intersect([Type.Object({ a: Text }), Type.Object({ b: Num })])
const Pair = Type.Tuple([Text, Num])
const Defaults = Type.Object({
  limit: Type.Integer({ default: 100, maximum: 1000 }),
  tags: Type.Optional(Type.Array(Text, { default: ['x'] })),
  default: Type.Optional(Text),
})

const own = (text: string): unknown => JSON.parse(text)

describe('taken', () => {
  test.each<[string, TSchema, unknown, unknown]>([
    ['text', Text, 'a', 'a'],
    ['number as text', Text, 7, '7'],
    ['fraction as text', Text, 1.5, '1.5'],
    ['true as text', Text, true, 'true'],
    ['null as empty text', Text, null, ''],
    ['number', Num, 1.5, 1.5],
    ['digits as number', Num, '12', 12],
    ['other numeric text as number', Num, ' -1.5e3 ', -1500],
    ['true as 1', Num, true, 1],
    ['null as 0', Num, null, 0],
    ['digits as integer', Int, '3', 3],
    ['boolean', Bool, false, false],
    ["'true' as boolean", Bool, 'true', true],
    ["'false' as boolean", Bool, 'false', false],
    ['1 as boolean', Bool, 1, true],
    ['0 as boolean', Bool, 0, false],
    ['null as false', Bool, null, false],
    ['items one by one', Texts, ['a', 1, true, null], ['a', '1', 'true', '']],
    ['members one by one', Thing, { name: 1 }, { name: '1' }],
    ['further members as they are', Thing, { name: 'a', b: [1, { c: null }] }, { name: 'a', b: [1, { c: null }] }],
    ['null where null is meant', TextOrNull, null, null],
    ['number where text or null is meant', TextOrNull, 7, '7'],
    ['a date', DateOrNumber, '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['digits that are no date', DateOrNumber, '1700000000000', 1_700_000_000_000],
    ['a number that may be a date', DateOrNumber, 5, 5],
    ['true, which is no date', DateOrNumber, true, 1],
    ['a literal', OnOff, 'on', 'on'],
    ['a literal number as text', OnOff, '1', 1],
    ['records', Record, { a: 1, '': null, 'line\nbreak': 2 }, { a: '1', '': '', 'line\nbreak': '2' }],
    [
      'a name of every object',
      Record,
      own('{"__proto__":1,"constructor":2,"toString":3}'),
      own('{"__proto__":"1","constructor":"2","toString":"3"}'),
    ],
    ['known and other members', Named, { 'a.b': '1', c: 'true' }, { 'a.b': 1, c: true }],
    ['members by pattern', Patterned, { n_a: '1', t_a: 1, x: 1 }, { n_a: 1, t_a: '1', x: true }],
    ['intersections', Both, { a: 1, b: '2' }, { a: '1', b: 2 }],
    ['tuples', Pair, [1, '2'], ['1', 2]],
    ['anything', Type.Unknown(), { a: [null] }, { a: [null] }],
    ['defaults', Defaults, {}, { limit: 100, tags: ['x'] }],
    ['given values before defaults', Defaults, { limit: '5', tags: [] }, { limit: 5, tags: [] }],
  ])('%s', (_name, schema, given, expected) => {
    const before = structuredClone(given)
    const taken = compileValidator(schema, 'body')(given)
    expect(taken).toEqual(expected)
    if (typeof taken === 'object' && taken !== null) expect(Object.keys(taken)).toEqual(Object.keys(expected as object))
    expect(given).toEqual(before)
  })

  test.each<[string, TSchema, string, unknown]>([
    ['an integer', Int, '12', 12],
    ['a negative number', Num, '-12', -12],
    ['zero', Num, '0', 0],
    ['a fraction', Num, '-0.25', -0.25],
    ['a number or a date', DateOrNumber, '5', 5],
  ])('%s in the canonical form of a query or path', (_name, schema, text, expected) => {
    for (const part of ['query', 'params']) {
      expect(compileValidator(Type.Object({ x: schema }), part)({ x: text })).toEqual({ x: expected })
    }
  })

  test.each([
    ...[
      '0x10',
      '0b1',
      '0o7',
      '1e0',
      '1E2',
      ' 1',
      '1 ',
      '+1',
      '01',
      '-01',
      '1.0',
      '1.',
      '.5',
      '-0',
      '',
      '-',
      '1_0',
      '1n',
    ],
    ...['NaN', 'Infinity', '\u0661', '1,000', '0x', '1e400', '00', '1\n', '\t1'],
  ])('not %j in a query or path', (text) => {
    for (const part of ['query', 'params']) {
      const validate = compileValidator(Type.Object({ x: Num }), part)
      expect(() => validate({ x: text })).toThrow(`/${part}/x must be number`)
    }
  })

  test('a good value is not even copied', () => {
    const given = { name: 'a' }
    expect(compileValidator(Thing, 'body')(given)).toBe(given)
  })

  test('a default is not shared between requests', () => {
    const validate = compileValidator(Defaults, 'query')
    const first = validate({}) as { tags: string[] }
    first.tags.push('y')
    expect(validate({})).toEqual({ limit: 100, tags: ['x'] })
  })

  test('treats a member named __proto__ as data', () => {
    const taken = compileValidator(Record, 'body')(own('{"a":1,"__proto__":"x"}')) as object
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype)
    expect(Object.hasOwn(taken, '__proto__')).toBe(true)
  })

  test('objects without prototype, as query parsers make them', () => {
    const query = Object.assign(Object.create(null), { limit: '7' })
    expect(compileValidator(Defaults, 'query')(query)).toEqual({ limit: 7, tags: ['x'] })
  })
})

function errorsOf(schema: TSchema, value: unknown) {
  try {
    compileValidator(schema, 'body')(value)
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors
    throw error
  }
  return []
}

describe('refused', () => {
  test.each<[string, TSchema, unknown, string]>([
    ['object as text', Text, {}, '/body type'],
    ['array as text', Text, [], '/body type'],
    ['one text in an array', Text, ['a'], '/body type'],
    ['nothing', Text, undefined, '/body type'],
    ['text as number', Num, 'a', '/body type'],
    ['blank as number', Num, ' ', '/body type'],
    ['infinity as number', Num, 'Infinity', '/body type'],
    ['fraction as integer', Int, 1.5, '/body type'],
    ['fraction in text as integer', Int, '1.5', '/body type'],
    ['less than the least, in text', Int, '0', '/body minimum'],
    ['word as boolean', Bool, 'yes', '/body type'],
    ['2 as boolean', Bool, 2, '/body type'],
    ['text as array', Texts, 'a', '/body type'],
    ['null as array', Texts, null, '/body type'],
    ['object as array', Texts, { 0: 'a' }, '/body type'],
    ['array as object', Thing, [], '/body type'],
    ['null as object', Thing, null, '/body type'],
    ['text as object', Thing, 'name', '/body type'],
    ['object in an array', Texts, ['a', {}], '/body/1 type'],
    ['array in an object', Thing, { name: [] }, '/body/name type'],
    ['missing member', Thing, {}, '/body required'],
    ['inherited member', Type.Object({ toString: Text }), {}, '/body/toString type'],
    ['object in a record', Record, { a: {} }, '/body/a type'],
    ['behind a name with a line break', Record, { 'a\nb': {} }, '/body/a\nb type'],
    ['behind __proto__', Record, own('{"__proto__":{}}'), '/body/__proto__ type'],
    ['further member', Closed, { b: 1 }, '/body additionalProperties'],
    ['a value where none may be', Type.Never(), 1, '/body not'],
    ['no branch', TextOrNull, {}, '/body type'],
    ['no date', DateOrNumber, 'soon', '/body format'],
    ['no literal', OnOff, 'off', '/body const'],
    ['second place of a tuple', Pair, ['a', 'b'], '/body/1 type'],
    ['a name with a slash', Record, { 'a/b': [] }, '/body/a~1b type'],
  ])('%s', (_name, schema, value, expected) => {
    const [first] = errorsOf(schema, value)
    expect(`${first?.instancePath} ${first?.keyword}`).toBe(expected)
  })

  test('an error names the place in the value and in the schema, and the reason', () => {
    const schema = Type.Object({ list: Type.Array(Thing) })
    expect(errorsOf(schema, { list: [{ name: 'a' }, { name: {} }] })).toEqual([
      {
        instancePath: '/body/list/1/name',
        schemaPath: '#/properties/list/items/properties/name/type',
        keyword: 'type',
        params: { type: 'string' },
        message: 'must be string',
      },
    ])
  })

  test('the message names every error', () => {
    const validate = compileValidator(Type.Object({ a: Text, b: Num }), 'query')
    expect(() => validate({ a: [], b: 'x' })).toThrow('/query/a must be string; /query/b must be number')
  })

  test('a long list of errors is cut', () => {
    expect(errorsOf(Texts, Array(10_000).fill({}))).toHaveLength(50)
  })

  test.each<[string, TSchema, (items: readonly string[]) => unknown, string]>([
    ['itself', Texts, (items) => items, '/body'],
    ['of a property', Type.Object({ properties: Texts }), (properties) => ({ properties }), '/body/properties'],
    ['of an item', Type.Array(Type.Object({ items: Texts })), (items) => [{ items: [] }, { items }], '/body/1/items'],
    ['of any property', Type.Record(Text, Texts), (a) => ({ a }), '/body/a'],
    ['of a part', Type.Intersect([Type.Object({ a: Texts }), Type.Object({})]), (a) => ({ a }), '/body/a'],
  ])('a list %s without its own bound has the default one', (_, schema, make, place) => {
    const validate = compileValidator(schema, 'body')
    const items = Array.from({ length: DEFAULT_MAX_ITEMS }, () => 'a')
    expect(validate(make(items))).toEqual(make(items))
    expect(errorsOf(schema, make([...items, 'a']))).toMatchObject([
      { instancePath: place, keyword: 'maxItems', params: { limit: DEFAULT_MAX_ITEMS } },
    ])
  })

  test('a list with a bound of its own keeps it, also above the default, and schemas are not modified', () => {
    const wide = Type.Array(Text, { maxItems: DEFAULT_MAX_ITEMS + 1 })
    const items = Array.from({ length: DEFAULT_MAX_ITEMS + 1 }, () => 'a')
    expect(compileValidator(wide, 'body')(items)).toBe(items)
    expect(() => compileValidator(Type.Array(Text, { maxItems: 1 }), 'body')(['a', 'b'])).toThrow(InvalidRequest)
    expect(compileValidator(Pair, 'body')(['a', 1])).toEqual(['a', 1])
    expect(Texts).not.toHaveProperty('maxItems')
  })

  test('many further members are one error', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, 1]))
    expect(errorsOf(Closed, many)).toMatchObject([
      { keyword: 'additionalProperties', params: { additionalProperties: Object.keys(many) } },
    ])
  })
})

describe('nested 10,000 levels', () => {
  const nested = (wrap: (inner: unknown) => unknown) => {
    let value: unknown = 'bottom'
    for (let level = 0; level < 10_000; level++) value = wrap(value)
    return value
  }
  const Tree = Type.Cyclic({ Node: Type.Object({ children: Type.Array(Type.Ref('Node')) }) }, 'Node')
  test.each<[string, TSchema, unknown, string]>([
    ['where text is meant', Text, nested((inner) => [inner]), '/body type'],
    ['in a record', Record, { a: nested((a) => ({ a })) }, '/body/a type'],
    ['where the schema recurs', Tree, nested((inner) => ({ children: [inner] })), '/body depth'],
  ])('yields an error %s', (_name, schema, value, expected) => {
    const [first] = errorsOf(schema, value)
    expect(`${first?.instancePath} ${first?.keyword}`).toBe(expected)
  })
})

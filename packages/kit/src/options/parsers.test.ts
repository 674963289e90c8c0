import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  apiUrl,
  basePath,
  fetchUrl,
  flag,
  headerName,
  httpUrl,
  inCode,
  inHeader,
  integer,
  list,
  listenAddress,
  oneOf,
  type Parser,
  text,
  textOrEmpty,
} from './parsers.ts'

const ERROR = Symbol('error')

type Row = readonly [given: unknown, parsed: unknown]

function table(parser: Parser<unknown>, rows: readonly Row[]): void {
  const named = rows.map(([given, parsed]) => ({ name: `${inspect(given)} → ${inspect(parsed)}`, given, parsed }))
  test.each(named)('$name', ({ given, parsed }) => {
    if (parsed === ERROR) expect(() => parser.parse(given)).toThrow()
    else expect(parser.parse(given)).toEqual(parsed)
  })
}

/** Values that no text parser accepts. */
const NO_TEXT: readonly Row[] = [7, true, null, undefined, {}, ['a'], Symbol('s'), () => 'a'].map((v) => [v, ERROR])

describe('text', () => {
  table(text, [['a', 'a'], [' a b ', 'a b'], ['', ERROR], ['  ', ERROR], ...NO_TEXT])
})

describe('textOrEmpty', () => {
  table(textOrEmpty, [['a', 'a'], [' a ', 'a'], ['', ''], ['  ', ''], ...NO_TEXT])
})

describe('list', () => {
  table(list, [
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['a,,b,', ['a', 'b']],
    [
      ['a', ' b ', ''],
      ['a', 'b'],
    ],
    [['a,b'], ['a,b']],
    ['', ERROR],
    [' , ,', ERROR],
    [[], ERROR],
    [[''], ERROR],
    [['a', 7], ERROR],
    [['a', null], ERROR],
    [7, ERROR],
    [null, ERROR],
    [{ 0: 'a' }, ERROR],
  ])
})

describe('inHeader', () => {
  table(inHeader(text), [
    [' a\tb ', 'a\tb'],
    ['*:default.abc~', '*:default.abc~'],
    ['ünï', 'ünï'],
    ['a\r\nx: b', ERROR],
    ['a\nb', ERROR],
    ['a\0b', ERROR],
    ['日本', ERROR],
    ['', ERROR],
  ])
  table(inHeader(list), [
    ['a, b', ['a', 'b']],
    [['a', 'b\nc'], ERROR],
  ])
})

describe('headerName', () => {
  table(headerName, [[' X-My_Key ', 'X-My_Key'], ...['', 'a b', 'a:', 'a\nb', 'ü'].map((v): Row => [v, ERROR])])
})

describe('fetchUrl', () => {
  table(fetchUrl, [
    ['https://a/b?c=d', 'https://a/b?c=d'],
    ['https://user@a/', ERROR],
    ['https://user:word@a/', ERROR],
    ['nowhere', ERROR],
  ])
})

describe('apiUrl', () => {
  table(apiUrl, [
    [' http://a:1/api/ ', 'http://a:1/api/'],
    ['http://a/api?', ERROR],
    ['http://a/api?b=c', ERROR],
    ['http://a/api#b', ERROR],
    ['http://user:word@a/api', ERROR],
  ])
})

describe('flag', () => {
  table(flag, [
    ...[true, 'true', 'TRUE', ' True ', '1', 1, 't', 'yes', 'on'].map((v): Row => [v, true]),
    ...[false, 'false', 'FALSE', '0', 0, 'f', 'no', 'off'].map((v): Row => [v, false]),
    ...['', 'y', 'tru', '2', 2, -1, null, undefined, [true], ['true'], {}].map((v): Row => [v, ERROR]),
  ])
  test('needs no value on the command line', () => expect(flag.isSwitch).toBe(true))
})

describe('integer(1, 10)', () => {
  table(integer(1, 10), [
    ['1', 1],
    [' 10 ', 10],
    ['007', 7],
    [3, 3],
    ...['0', '11', '-1', '', ' ', '1.5', '1.0', '1e0', '0x1', '1ms', '1,0', '+1', '٣', 'NaN'].map(
      (v): Row => [v, ERROR],
    ),
    ...[0, 11, 1.5, Number.NaN, Infinity, 1n, true, null, undefined, [1], {}].map((v): Row => [v, ERROR]),
  ])
  test.each([
    [integer(1, 10), 'an integer from 1 to 10'],
    [integer(0), 'an integer ≥ 0'],
  ])('expects %#', (parser, expects) => expect(parser.expects).toBe(expects))
})

describe('integer(-5)', () => {
  table(integer(-5), [
    ['-5', -5],
    ['-6', ERROR],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', ERROR],
    [1e21, ERROR],
  ])
})

describe('oneOf', () => {
  table(oneOf(['debug', 'openSource']), [
    ['debug', 'debug'],
    [' DEBUG ', 'debug'],
    ['opensource', 'openSource'],
    ['', ERROR],
    ['trace', ERROR],
    [['debug'], ERROR],
    [null, ERROR],
  ])
})

describe('httpUrl', () => {
  table(httpUrl, [
    ['http://a', 'http://a'],
    [' https://user:pw@a:8080/api?x=1 ', 'https://user:pw@a:8080/api?x=1'],
    ['HTTP://A/', 'HTTP://A/'],
    ['http://[::1]:4242/api', 'http://[::1]:4242/api'],
    ...['a', '/api', 'a:80', 'ftp://a', 'file:///etc', 'http:', 'http://', 'http:a', 'http:/a', 'javascript:1'].map(
      (v): Row => [v, ERROR],
    ),
    ...['http://a b', 'http://a\nb', 'http://a:99999', '', 7, null, new URL('http://a')].map((v): Row => [v, ERROR]),
  ])
})

describe('basePath', () => {
  table(basePath, [
    ['', ''],
    ['/', ''],
    ['//', ''],
    ['base', '/base'],
    ['/base/', '/base'],
    [' base/path ', '/base/path'],
    ['//base//path//', '/base/path'],
    ['/a:b', '/a:b'],
    ...['/a?x', '/a#x', '/a b', '/a*', '/%zz', '/a\\b', 7, null].map((v): Row => [v, ERROR]),
  ])
})

describe('inCode', () => {
  const isFunction = (value: unknown): value is () => void => typeof value === 'function'
  const given = () => {}
  table(inCode('a function', isFunction), [
    [given, given],
    ['text', ERROR],
  ])
})

test.each([
  ['[::]', '::'],
  ['[::1]', '::1'],
  ['::', '::'],
  ['0.0.0.0', '0.0.0.0'],
  ['localhost', 'localhost'],
  ['[name]', '[name]'],
])('listenAddress reads %s as %s', (given, address) => {
  expect(listenAddress.parse(given)).toBe(address)
})

import { expect, test } from 'vitest'
import { SILENT } from '../log/logger.ts'
import { type Method, Reply, type Route, routesFor } from './route.ts'
import { Router } from './router.ts'

const routeOf = (method: Method, url: string) =>
  routesFor<string>()({
    method,
    url,
    summary: 'S.',
    tag: 't',
    permission: null,
    problems: [],
    replies: { 201: { description: 'B' }, 200: { description: 'A' } },
    handle: () => url,
  }) as Route<string>

const routerOf = (routes: Route<string>[], basePath = '/base') =>
  new Router<string>({
    routes,
    basePath,
    world: undefined,
    order: 'authorize-first',
    bodyLimitBytes: 10,
    logger: SILENT,
    authorize: () => '',
    renderError: () => new Reply(500),
    parseQuery: () => ({}),
  })

const router = routerOf([
  routeOf('GET', '/things'),
  routeOf('GET', '/things/:id'),
  routeOf('GET', '/things/new'),
  routeOf('PUT', '/things/:id/parts/:part'),
  routeOf('GET', '/files/*'),
])

test.each<[string, string, string, object, boolean]>([
  ['GET', '/base/things', '/things', {}, true],
  ['HEAD', '/base/things', '/things', {}, true],
  ['GET', '/base/things?a=/b', '/things', {}, true],
  ['GET', '/base/things/', '/things', {}, false],
  ['GET', '//base///things', '/things', {}, false],
  ['GET', '/BASE/Things', '/things', {}, false],
  ['GET', '/base/%74hings', '/things', {}, false],
  ['GET', 'http://h/base/things', '/things', {}, false],
  ['GET', '/base/things#x?y', '/things', {}, false],
  ['GET', '/base/things/new', '/things/new', {}, true],
  ['GET', '/base/things/New', '/things/new', {}, false],
  ['GET', '/base/things/a%2Fb', '/things/:id', { id: 'a/b' }, false],
  ['PUT', '/base/things/1/parts/2', '/things/:id/parts/:part', { id: '1', part: '2' }, false],
  ['GET', '/base/files/a/b', '/files/*', { '*': 'a/b' }, false],
  ['POST', '/base/things', 'unknown', {}, false],
  ['PROPFIND', '/base/things', 'unknown', {}, false],
  ['constructor', '/base/things', 'unknown', {}, false],
  ['GET', '/things', 'unknown', {}, false],
  ['GET', '', 'unknown', {}, false],
  ['GET', '*', 'unknown', {}, false],
  ['GET', '/base/%zz', 'unknown', {}, false],
])('%s %s leads to %s with %j', (method, url, name, params, isExact) => {
  const found = router.find(method, url)
  expect([found.endpoint.name, { ...found.params }]).toEqual([name, params])
  expect(router.findExact(method, url)?.endpoint.name).toBe(isExact ? name : undefined)
})

test('a route that is there twice is an error', () => {
  expect(() => routerOf([routeOf('GET', '/a'), routeOf('GET', '/a')])).toThrow("Method 'GET' already declared")
})

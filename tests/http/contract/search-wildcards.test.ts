import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Characters with a special meaning in LIKE, in regular expressions and in globs match only themselves in every search.
 * The seed creates one object per character, and one object that only a wildcard matches.
 */
const NAMES = {
  percent: 'p%q',
  underscore: 'p_q',
  backslash: 'p\\q',
  caret: 'p^q',
  star: 'p*q',
  dot: 'p.q',
  other: 'pxyzq',
}
type Kind = keyof typeof NAMES
const KINDS = Object.keys(NAMES) as Kind[]
const A = '/api/admin'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  for (const kind of KINDS) await seed(kind)
})
afterAll(() => server.close())

/** Creates objects whose searched columns contain the name for one kind of character. */
async function seed(kind: Kind): Promise<void> {
  const name = NAMES[kind]
  const { admin } = server
  await admin(`POST ${A}/tags`, { type: 'simple', value: name })
  await admin(`POST ${A}/projects/default/features`, { name: `flag-${kind}`, description: name })
  await admin(`POST ${A}/features/flag-${kind}/tags`, { type: 'simple', value: name })
  await admin(`POST ${A}/user-admin`, { username: `user-${kind}`, name, rootRole: 3, sendEmail: false })
  const { id } = await admin(`POST ${A}/segments`, { name, constraints: [] })
  await admin(`POST ${A}/projects/default/features/flag-${kind}/environments/development/strategies`, {
    name: 'default',
    segments: [id],
  })
  const body = { appName: name, instanceId: kind, interval: 1000, started: new Date(0).toISOString(), strategies: [] }
  const registered = await server.call({ as: 'client', call: 'POST /api/client/register', body })
  expect(registered.statusCode).toBe(202)
  const stop = new Date(Date.now()).toISOString()
  const bucket = { start: stop, stop, toggles: { [`flag-${kind}`]: { yes: 1, no: 0 } } }
  const metrics = { appName: name, instanceId: kind, bucket }
  expect((await server.call({ as: 'client', call: 'POST /api/client/metrics', body: metrics })).statusCode).toBe(202)
}

type Json = Readonly<Record<string, unknown>>
const read = (url: string): Promise<Json> => server.admin(`GET ${A}/${url}`)
const list = (value: unknown): Json[] => value as Json[]
const featuresOf = ({ features }: Json) => list(features).map(({ name }) => String(name).replace('flag-', ''))
const kindsOf = (names: readonly unknown[]) => KINDS.filter((kind) => names.includes(NAMES[kind]))
const eventsOf = ({ events }: Json) =>
  list(events).flatMap(({ type, featureName }) => (type === 'feature-created' ? [String(featureName).slice(5)] : []))

/** Searches that take the text as a parameter. They return the kinds of the objects that were found. */
const SEARCHES: Readonly<Record<string, (text: string) => Promise<string[]>>> = {
  'flags by text': async (text) => featuresOf(await read(`search/features?query=${text}`)),
  'flags by tag': async (text) => featuresOf(await read(`search/features?tag=INCLUDE:simple:${text}`)),
  'flags by segment': async (text) => featuresOf(await read(`search/features?segment=INCLUDE:${text}`)),
  'flags of a project by tag': async (text) => featuresOf(await read(`projects/default/features?tag=simple:${text}`)),
  'users by text': async (text) => {
    const users = await server.admin(`GET ${A}/user-admin/search?q=${text}`)
    return kindsOf(list(users).map(({ name }) => name))
  },
  'applications by text': async (text) => {
    const { applications } = await read(`metrics/applications?query=${text}`)
    return kindsOf(list(applications).map(({ appName }) => appName))
  },
  'applications of a project by text': async (text) => {
    const { applications } = await read(`projects/default/applications?query=${text}`)
    return kindsOf(list(applications).map(({ name }) => name))
  },
  'events by text': async (text) => eventsOf(await read(`search/events?limit=1000&query=${text}`)),
  'events by text, in the older form': async (text) =>
    eventsOf(await server.admin(`POST ${A}/events/search`, { query: decodeURIComponent(text), limit: 1000 })),
}

describe.each(Object.keys(SEARCHES))('a search for %s', (name) => {
  const search = (text: string) => SEARCHES[name]?.(encodeURIComponent(text)) ?? Promise.reject(new Error(name))

  test.each(KINDS)('finds the object with %s only', async (kind) => {
    await expect.poll(() => search(NAMES[kind])).toEqual([kind])
  })

  test.each(['p%', '%', 'p%%q', 'p__zq', 'p.*q', 'p*z', '_xy_', '.+', '[a-z]', 'p\\\\q'])(
    'finds no others with %j',
    async (text) => {
      const found = await search(text)
      expect(found.filter((kind) => !NAMES[kind as Kind].includes(text))).toEqual([])
    },
  )
})

describe('names with an underscore', () => {
  const names = ['a_b', 'axb']
  beforeAll(async () => {
    for (const name of names) {
      await server.admin(`POST ${A}/projects`, { id: name, name })
      await server.admin(`POST ${A}/projects/${name}/features`, { name: `${name}-flag` })
      await server.admin(`POST ${A}/projects/${name}/features/${name}-flag/changeProject`, { newProjectId: 'default' })
      await server.admin(`POST ${A}/context`, { name })
      const constraints = [{ contextName: name, operator: 'IN', values: ['x'] }]
      const url = `${A}/projects/default/features/${name}-flag/environments/development/strategies`
      await server.admin(`POST ${url}`, { name: 'default', constraints })
    }
  })

  test.each(names)('events of the project %s do not include those of another', async (name) => {
    const { events } = await read(`search/events?project=IS:${name}&limit=1000`)
    const moved = list(events).filter(({ type }) => type === 'feature-project-change')
    expect(moved.map(({ featureName }) => featureName)).toEqual([`${name}-flag`])
  })

  test.each(names)('usages of the context field %s do not include those of another', async (name) => {
    const { strategies } = await read(`context/${name}/strategies`)
    expect(list(strategies).map(({ featureName }) => featureName)).toEqual([`${name}-flag`])
  })

  test.each(names)('flags whose name begins with %s', async (name) => {
    const found = await read(`projects/default/features?namePrefix=${name}`)
    expect(list(found.features).map(({ name: flag }) => flag)).toEqual([`${name}-flag`])
  })
})

import { ask, type Draft, post } from './build.ts'

const SEED = 20_240_601
const MANY = 60

/** Returns a seeded generator of numbers in [0, 1) (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  userId: ['1', '7', 'u7', 'anna', 'Ünï', '  ', 'a,b', '99999999999'],
  sessionId: ['s1', '2', '0'],
  appName: ['web', 'peer-app', 'ios'],
  environment: ['default', 'forced', 'test'],
  remoteAddress: ['127.0.0.1', '192.0.2.9', '10.1.2.3', '::1', 'x'],
  currentTime: ['2024-01-01T00:00:00Z', '2024-06-01T00:00:00.000Z', '2030-01-01', 'never'],
}
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  region: ['eu', 'us', ' eu', 'EU', ''],
  email: ['a@x.org', 'b@X.ORG', 'axe', ''],
  age: ['17', '18', '18.0', '1e2', 'old', ''],
  version: ['1.2.3', '1.2.4', '1.2.3-beta', '2', 'v3.0.0', '1.2.3+build'],
}

interface Drawn {
  readonly fields: [string, string][]
  readonly properties: [string, string][]
}

function draw(random: () => number): Drawn {
  const some = (table: typeof VALUES): [string, string][] =>
    Object.entries(table)
      .filter(() => random() < 0.5)
      .map(([name, values]) => [name, values[Math.floor(random() * values.length)] ?? ''])
  return { fields: some(VALUES), properties: some(PROPERTIES) }
}

function query({ fields, properties }: Drawn): string {
  const inBrackets = properties.map(([name, value]): [string, string] => [`properties[${name}]`, value])
  return String(new URLSearchParams([...fields, ...inBrackets]))
}

/** Returns requests with seeded random contexts, in the three forms that SDKs use. */
export function generatedRequests(names: readonly string[]): Draft[] {
  const random = numbers(SEED)
  return Array.from({ length: MANY }, () => draw(random)).flatMap((drawn) => {
    const context = { ...Object.fromEntries(drawn.fields), properties: Object.fromEntries(drawn.properties) }
    return [ask(`/proxy?${query(drawn)}`), post('/proxy', { context }), post('/proxy', { context, toggles: names })]
  })
}

import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBroadcast } from '../../../delivery/events/broadcast.ts'
import { createTokenCache } from './token-cache.ts'

const HOUR_MS = 3_600_000
const SECRET = '*:development.some-secret'
const ROW = {
  id: 'known',
  name: 'n',
  type: 'client',
  environment: 'development',
  all_projects: 1,
  expires_at: null,
}

/** Response of the stub database: one token, or a failure. */
let answer: () => Promise<object[]>
let asked: number
let now: number
let broadcast: ReturnType<typeof createBroadcast>
let find: (secret?: string) => Promise<string | undefined>
const event = (type: string, id = 'known') => broadcast.publish([{ type, preData: { id } } as never])
const away = () => Promise.reject(new Error('away'))

beforeEach(() => {
  now = 1_000_000
  asked = 0
  answer = async () => [ROW]
  broadcast = createBroadcast(SILENT)
  const query = (table: string) => {
    const chain = new Proxy(
      {},
      {
        get: (_target, name) =>
          name === 'execute'
            ? async () => {
                if (table !== 'api_tokens') return []
                asked += 1
                return answer()
              }
            : () => chain,
      },
    )
    return chain
  }
  const db = { reader: { selectFrom: query } }
  const cache = createTokenCache({
    db,
    broadcast,
    clock: () => now,
    monotonic: monotonicClock(() => now),
    logger: SILENT,
  } as never)
  find = async (secret = SECRET) => (await cache.find(secret))?.id
})

describe('a cached token, after a change of tokens', () => {
  test('gets read from the database again', async () => {
    await find()
    await event('api-token-created', 'other')
    answer = async () => []
    expect(await find()).toBeUndefined()
  })

  test('stays as it was while the database is unavailable, without a query each time', async () => {
    await find()
    await event('api-token-created', 'other')
    answer = away
    for (let time = 0; time < 10; time += 1) expect(await find()).toBe('known')
    expect(asked).toBe(2)
    now += 6000
    answer = async () => []
    expect(await find()).toBeUndefined()
  })

  test('stays what it was while nothing at all comes back', async () => {
    await find()
    await event('project-deleted', 'other')
    answer = () => new Promise(() => {})
    expect(await find()).toBe('known')
    expect(await find()).toBe('known')
  })

  test('fails at once when it was deleted and the database is unavailable', async () => {
    await find()
    answer = away
    await event('api-token-deleted')
    await expect(find()).rejects.toThrow('away')
  })

  test('fails after a day without the database', async () => {
    await find()
    now += 25 * HOUR_MS
    await event('api-token-created', 'other')
    answer = away
    await expect(find()).rejects.toThrow('away')
  })

  test('an unknown token is reported as a failure, not as unknown', async () => {
    await find()
    answer = away
    await expect(find('*:development.made-up')).rejects.toThrow('away')
  })
})

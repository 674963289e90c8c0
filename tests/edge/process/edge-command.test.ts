import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../../support/burgee.ts'

const folder = temporaryFolder()
const file = join(folder.path, 'flags.json')
writeFileSync(file, JSON.stringify({ one: { enabled: true } }))
afterAll(folder.remove)
const OFFLINE = { PORT: '0', INTERFACE: '127.0.0.1', BOOTSTRAP_FILE: file, CLIENT_TOKENS: 'token' }

describe('burgee edge', () => {
  test('offline: starts, is well and ready for the probes, and ends in order', async () => {
    const edge = runBurgee(['edge', 'offline'], {
      ...OFFLINE,
      S3_BUCKET_NAME: 'x',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'warn',
    })
    const port = await edge.find(/listening on port (\d+)/)
    const url = `http://127.0.0.1:${port}`
    const reply = await fetch(`${url}/api/client/features`, { headers: { authorization: 'token' } })
    expect(((await reply.json()) as { features: object[] }).features).toHaveLength(1)
    for (const probe of ['health', 'ready']) {
      for (const [args, env] of [
        [['edge', probe, '-e', url], {}],
        [['edge', probe], { EDGE_URL: url }],
      ] as const) {
        const asked = runBurgee(args, env)
        expect([await asked.ended, asked.output()]).toEqual([0, `${url}/internal-backstage/${probe} returned 200\n`])
      }
    }
    for (const [given, base] of [
      [url, `${url}/wrong`],
      [`${url}/wrong`, `${url}/wrong`],
    ] as const) {
      const asked = runBurgee(['edge', 'health', '-e', given], { BASE_PATH: '/wrong' })
      expect([await asked.ended, asked.output()]).toEqual([
        1,
        `${base}/internal-backstage/health returned 404: not well\n`,
      ])
    }
    expect(edge.output()).toContain('S3_BUCKET_NAME')
    edge.kill('SIGTERM')
    expect(await edge.ended).toBe(0)
    expect(edge.output()).toContain('Burgee has stopped')
    const gone = runBurgee(['edge', 'health', '-e', url])
    expect([await gone.ended, gone.output()]).toEqual([1, expect.stringContaining('Cannot reach')])
  })

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no upstream', ['edge'], {}, /UPSTREAM_URL/],
    ['no tokens', ['edge', '-u', 'http://127.0.0.1:9'], {}, /TOKENS/],
    [
      'two that exclude each other',
      ['edge', '--strict', '--dynamic'],
      { UPSTREAM_URL: 'http://u', TOKENS: 'a' },
      /STRICT and DYNAMIC/,
    ],
    ['an unknown option', ['edge', '--nonsense'], { UPSTREAM_URL: 'http://u', TOKENS: 'a' }, /--nonsense/],
  ])('%s ends the start with a line', async (_name, args, env, says) => {
    const edge = runBurgee(args, env)
    expect(await edge.ended).toBe(1)
    expect(edge.errors()).toMatch(says)
  })
})

import { splitList } from '@burgee/kit/split-list'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import type { Discrepancy } from './compare.ts'
import { CONFIGURATIONS } from './configurations.ts'
import { DIFFERENCES } from './differences.ts'
import { DOCUMENT } from './feature-document.ts'
import { Ledger } from './ledger.ts'
import { aim } from './requests/build.ts'
import { type Rig, startRig } from './rig.ts'
import { playRestart, playScene, SCENES } from './upstream-scenes.ts'

/**
 * Unleash Proxy and Burgee have the same upstream and receive the same requests. A difference between their replies
 * fails the test unless `differences.ts` lists it.
 */
const LIMIT_MS = 120_000
const AT_ONCE = 8
const ledger = new Ledger()
const folder = temporaryFolder()
afterAll(folder.remove)

describe.each(CONFIGURATIONS)('$name', ({ name, env, requests, base = '', keyHeader = 'authorization', isUnready }) => {
  let upstream: FakeUpstream
  let rig: Rig

  beforeAll(async () => {
    upstream = await startUpstream(DOCUMENT)
    if (isUnready) upstream.answerWith((_request, response) => void response.writeHead(404).end())
    rig = await startRig({
      upstream,
      env,
      folder: folder.path,
      readyPath: isUnready ? undefined : `${base}/proxy/health`,
    })
  })
  afterAll(async () => {
    await rig.stop()
    await upstream.close()
  })

  test(`answers ${requests.length} requests as the peer does, or differs on purpose`, {
    timeout: LIMIT_MS,
  }, async () => {
    const unexplained: string[] = []
    for (const part of splitList(requests, AT_ONCE)) {
      const situations = part.map(async (draft) => {
        const request = aim(draft, { base, keyHeader })
        return { configuration: name, request, ...(await rig.play(request)) }
      })
      for (const situation of await Promise.all(situations)) unexplained.push(...ledger.enter(situation))
    }
    expect(unexplained).toEqual([])
  })
})

describe('towards the upstream', () => {
  const judge = (name: string, found: Discrepancy[]): string[] => {
    const nothing = { status: 0, headers: {}, body: '' }
    const request = { method: 'upstream', path: name, headers: [] }
    return ledger.enterAll(found, { configuration: name, request, peer: nothing, ours: nothing })
  }

  test.each(SCENES)('$name', { timeout: LIMIT_MS }, async (scene) => {
    expect(judge(scene.name, await playScene(scene, folder.path))).toEqual([])
  })

  test('restart while the upstream is gone', { timeout: LIMIT_MS }, async () => {
    expect(judge('restart', await playRestart(folder.path))).toEqual([])
  })
})

describe('all configurations', () => {
  test('every difference in the table was met', () => {
    process.stdout.write(`peer: ${ledger.summary()}\n`)
    expect(DIFFERENCES.map(({ id }) => id).filter((id) => !ledger.met.has(id))).toEqual([])
    expect(ledger.differing).toBe(0)
  })
})

import { SILENT } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Intake } from '@burgee/serving/document/intake'
import { expect, test } from 'vitest'
import type { ToPrimary, ToWorker } from './messages.ts'
import { Hub } from './worker-coordinator.ts'

const flag = (name: string, more: object = {}) => ({ name, project: 'shop', enabled: true, strategies: [], ...more })
const document = (...features: object[]) => ({ version: 2, features, segments: [] }) as unknown as FeatureDocument

function hubOf(): { hub: Hub; join: () => FeatureDocument[] } {
  const intake = new Intake({ logger: SILENT, projectName: 'shop' })
  const bucket = { restore: () => {} }
  const hub = new Hub({ intake, workers: 2, bucket, registry: new SeriesRegistry(), onReady: () => {}, port: 0 })
  /** A worker; the result grows with each configuration that it is told. */
  const join = () => {
    const told: FeatureDocument[] = []
    let say: (message: ToPrimary) => void = () => {}
    hub.join({
      send: (message: ToWorker) => {
        const { configuration } = message as { configuration?: { text: string } }
        if (configuration !== undefined) told.push(JSON.parse(configuration.text))
      },
      listen: (listener) => {
        say = listener
      },
    })
    say({ kind: 'hello' })
    return told
  }
  return { hub, join }
}

test('every worker gets what was taken, also one that comes later and never saw the good flag', () => {
  const { hub, join } = hubOf()
  const first = join()
  hub.replace(document(flag('a'), flag('theirs', { project: 'other' })), 'upstream')
  const taken = hub.replace(document(flag('a', { strategies: 'x' }), flag('b')), 'upstream')
  const late = join()
  const expected = [flag('a'), flag('b')]
  expect(taken?.features).toEqual(expected)
  expect(first.map(({ features }) => features)).toEqual([[flag('a')], expected])
  expect(late.map(({ features }) => features)).toEqual([expected])
})

test('what bridges does not replace what the upstream sent, and is nothing without a flag of the project', () => {
  const { hub, join } = hubOf()
  const told = join()
  expect(hub.replace(document(flag('theirs', { project: 'other' })), 'bootstrap')).toBeUndefined()
  expect(hub.replace(document(flag('a')), 'backup')?.features).toEqual([flag('a')])
  expect(hub.replace(document(), 'upstream')?.features).toEqual([])
  expect(hub.replace(document(flag('b')), 'bootstrap')).toBeUndefined()
  expect(told).toHaveLength(2)
})

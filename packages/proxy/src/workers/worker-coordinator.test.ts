import { SILENT } from '@burgee/kit/log/logger'
import { SeriesRegistry } from '@burgee/kit/series/series'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Intake } from '@burgee/serving/document/intake'
import { expect, test } from 'vitest'
import type { ToPrimary, ToWorker } from './messages.ts'
import { WorkerCoordinator } from './worker-coordinator.ts'

const flag = (name: string, more: object = {}) => ({ name, project: 'shop', enabled: true, strategies: [], ...more })
const document = (...features: object[]) => ({ version: 2, features, segments: [] }) as unknown as FeatureDocument

function hubOf(): { coordinator: WorkerCoordinator; join: () => FeatureDocument[] } {
  const intake = new Intake({ logger: SILENT, projectName: 'shop' })
  const bucket = { restore: () => {} }
  const coordinator = new WorkerCoordinator({
    intake,
    workers: 2,
    bucket,
    registry: new SeriesRegistry(),
    onReady: () => {},
  })
  /** A worker; the result grows with each configuration that it is told. */
  const join = () => {
    const told: FeatureDocument[] = []
    let say: (message: ToPrimary) => void = () => {}
    coordinator.join({
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
  return { coordinator, join }
}

test('every worker gets what was taken, also one that comes later and never saw the good flag', () => {
  const { coordinator, join } = hubOf()
  const first = join()
  coordinator.replace(document(flag('a'), flag('theirs', { project: 'other' })), 'upstream')
  const taken = coordinator.replace(document(flag('a', { strategies: 'x' }), flag('b')), 'upstream')
  const late = join()
  const expected = [flag('a'), flag('b')]
  expect(taken?.features).toEqual(expected)
  expect(first.map(({ features }) => features)).toEqual([[flag('a')], expected])
  expect(late.map(({ features }) => features)).toEqual([expected])
})

test('what bridges does not replace what the upstream sent, and is nothing without a flag of the project', () => {
  const { coordinator, join } = hubOf()
  const told = join()
  expect(coordinator.replace(document(flag('theirs', { project: 'other' })), 'bootstrap')).toBeUndefined()
  expect(coordinator.replace(document(flag('a')), 'backup')?.features).toEqual([flag('a')])
  expect(coordinator.replace(document(), 'upstream')?.features).toEqual([])
  expect(coordinator.replace(document(flag('b')), 'bootstrap')).toBeUndefined()
  expect(told).toHaveLength(2)
})

import { SILENT } from '@burgee/kit/log/logger'
import { DocumentFilter } from '@burgee/serving/document/document-filter'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { expect, test } from 'vitest'
import { ConfigurationPublisher } from './configuration-publisher.ts'
import type { WorkerUpdate } from './proxy-messages.ts'

const flag = (name: string, more: object = {}) => ({ name, project: 'shop', enabled: true, strategies: [], ...more })
const document = (...features: object[]) => ({ version: 2, features, segments: [] }) as unknown as FeatureDocument

function hubOf() {
  const intake = new DocumentFilter({ logger: SILENT, projectName: 'shop' })
  const workers: FeatureDocument[][] = []
  const read = (news: WorkerUpdate) => (news.kind === 'configuration' ? [JSON.parse(news.configuration.text)] : [])
  const profile = new AnnouncedProfile({ configured: undefined, fallback: 'node' })
  const profiles: string[] = []
  const configuration: ConfigurationPublisher = new ConfigurationPublisher(intake, profile, (news) => {
    if (news.kind === 'configuration') profiles.push(news.configuration.profile)
    for (const told of workers) told.push(...read(news))
  })
  /** Adds a worker. Returns a list of the configurations that the worker has received so far. */
  const join = () => {
    const told: FeatureDocument[] = configuration.initialUpdates.flatMap(read)
    workers.push(told)
    return told
  }
  return { configuration, profile, profiles, join }
}

test('every worker gets what was taken, also one that comes later and never saw the good flag', () => {
  const { configuration, join } = hubOf()
  const first = join()
  configuration.replace(document(flag('a'), flag('theirs', { project: 'other' })), 'upstream')
  const taken = configuration.replace(document(flag('a', { strategies: 'x' }), flag('b')), 'upstream')
  const late = join()
  const expected = [flag('a'), flag('b')]
  expect(taken?.features).toEqual(expected)
  expect(first.map(({ features }) => features)).toEqual([[flag('a')], expected])
  expect(late.map(({ features }) => features)).toEqual([expected])
})

test('a bridging configuration never replaces one from the upstream, and is ignored without a flag of the project', () => {
  const { configuration, join } = hubOf()
  const told = join()
  expect(configuration.replace(document(flag('theirs', { project: 'other' })), 'bootstrap')).toBeUndefined()
  expect(configuration.replace(document(flag('a')), 'backup')?.features).toEqual([flag('a')])
  expect(configuration.replace(document(), 'upstream')?.features).toEqual([])
  expect(configuration.replace(document(flag('b')), 'bootstrap')).toBeUndefined()
  expect(told).toHaveLength(2)
})

test('workers get the configuration again when the upstream announces another profile', () => {
  const { configuration, profile, profiles } = hubOf()
  profile.applyAnnouncement('yggdrasil')
  configuration.replace(document(flag('a')), 'upstream')
  profile.applyAnnouncement('node')
  profile.applyAnnouncement('node')
  expect(profiles).toEqual(['yggdrasil', 'node'])
})

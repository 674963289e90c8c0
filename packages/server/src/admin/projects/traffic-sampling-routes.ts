import { TrafficSampling, TrafficSamplingInput } from '@burgee/protocol/administration/impact'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { setTrafficSampling } from '../impact/sampling-setting.ts'
import type { TrafficSamples } from '../impact/traffic-samples.ts'
import { requireEnvironment } from './environments.ts'

const common = {
  url: '/api/admin/environments/:name/traffic-sampling',
  permission: 'ADMIN',
  tag: 'Environments',
  params: Type.Object({ name: Type.String() }),
  replies: { 200: { description: 'Sampling', schema: TrafficSampling } },
} as const

/**
 * Routes that turn the sampling of evaluation contexts in an environment on and off. The samples are needed for
 * previewing edits. The samples are stored only in memory. The routes are not part of the wire protocol.
 */
export const trafficSamplingRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    summary: 'Returns whether contexts of an environment are sampled, and how many this node has in memory.',
    problems: REMOVE,
    handle: async ({ params: { name } }, world) => {
      await requireEnvironment(world.db.reader, name)
      return view(world.traffic, name)
    },
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Enables sampling of contexts of an environment, or disables it and deletes them; no-op if unchanged.',
    description:
      'Samples the contexts for which servers evaluate flags, for front ends and OpenFeature. Samples are held in memory, ' +
      'never on disk: at most 10,000, each for at most a day.',
    body: TrafficSamplingInput,
    problems: WRITE,
    handle: async ({ params: { name }, body: { enabled }, access }, world) => {
      await execute(world, access.actor, setTrafficSampling, { name, enabled })
      return view(world.traffic, name)
    },
  }),
]

function view(traffic: TrafficSamples, environment: string): TrafficSampling {
  const size = traffic.get(environment)?.size
  const { contexts = 0, bytes = 0, leftOut = 0, sinceMs } = size ?? {}
  const since = sinceMs === undefined ? null : new Date(sinceMs).toISOString()
  return { enabled: size !== undefined, contexts, bytes, leftOut, since }
}

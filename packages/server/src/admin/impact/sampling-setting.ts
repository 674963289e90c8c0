import { listSampledEnvironments, putSampled } from '@burgee/storage/queries/impact/sampled-environments'
import { toEnvironmentState } from '@burgee/storage/queries/projects/environments'
import type { Change } from '../../core/execute.ts'
import { requireEnvironment } from '../projects/environments.ts'

/** Turns traffic sampling of an environment on or off. An unchanged setting creates no event. Throws NotFoundError. */
export const setTrafficSampling: Change<{ name: string; enabled: boolean }, void> = async (tx, { name, enabled }) => {
  const state = toEnvironmentState(await requireEnvironment(tx, name))
  const isSampled = (await listSampledEnvironments(tx)).includes(name)
  if (isSampled === enabled) return { result: undefined, events: [] }
  await putSampled(tx, name, enabled)
  const states = {
    data: { ...state, trafficSampling: enabled },
    preData: { ...state, trafficSampling: isSampled },
  }
  return { result: undefined, events: [{ type: 'environment-updated', environment: name, ...states }] }
}

import type { TrafficSampling } from '@burgee/protocol/administration/impact'
import type { CloneEnvironment, CreateEnvironment, UpdateEnvironment } from '@burgee/protocol/environment'
import type { Environment } from '@burgee/protocol/project'
import { buildPath, call } from './http.ts'

const ENVIRONMENTS = '/api/admin/environments'
const SORT_STEP = 100

/** Creates an environment. */
export const createEnvironment = (body: CreateEnvironment) => call<Environment>('POST', ENVIRONMENTS, body)

/** Clones an environment. If cloning fails, no environment is created. */
export const cloneEnvironment = (from: string, body: CloneEnvironment) =>
  call<Environment>('POST', `${ENVIRONMENTS}${buildPath(from, 'clone')}`, body)

/** Changes the type of an environment. */
export const updateEnvironment = (name: string, body: UpdateEnvironment) =>
  call<Environment>('PUT', `${ENVIRONMENTS}${buildPath('update', name)}`, body)

/** Sorts environments into the order of `names`. */
export const sortEnvironments = (names: readonly string[]) =>
  call<void>(
    'PUT',
    `${ENVIRONMENTS}/sort-order`,
    Object.fromEntries(names.map((name, index) => [name, (index + 1) * SORT_STEP])),
  )

/** Sets whether an environment is enabled for new projects. */
export const setEnvironmentEnabled = (name: string, on: boolean) =>
  call<void>('POST', `${ENVIRONMENTS}${buildPath(name, on ? 'on' : 'off')}`)

/** Deletes an environment with its API tokens and removes it from all projects. */
export const removeEnvironment = (name: string) => call<void>('DELETE', `${ENVIRONMENTS}${buildPath(name)}`)

const getSamplingPath = (name: string) => `${ENVIRONMENTS}${buildPath(name, 'traffic-sampling')}`

/** Returns the query for the traffic-sampling setting of an environment. */
export const getSamplingQuery = (name: string) => ({
  queryKey: ['traffic-sampling', name],
  queryFn: () => call<TrafficSampling>('GET', getSamplingPath(name)),
})

/** Turns traffic sampling on in an environment, or turns it off and deletes the samples. */
export const setSampling = (name: string, enabled: boolean) =>
  call<TrafficSampling>('PUT', getSamplingPath(name), { enabled })

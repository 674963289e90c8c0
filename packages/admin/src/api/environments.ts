import type { TrafficSampling } from '@burgee/protocol/administration/impact'
import type { CloneEnvironment, CreateEnvironment, UpdateEnvironment } from '@burgee/protocol/environment'
import type { Environment } from '@burgee/protocol/project'
import { call, path } from './http.ts'

const ENVIRONMENTS = '/api/admin/environments'
const STEP = 100

/** Adds an environment. */
export const createEnvironment = (body: CreateEnvironment) => call<Environment>('POST', ENVIRONMENTS, body)

/** Makes an environment of another one, or not at all. */
export const cloneEnvironment = (from: string, body: CloneEnvironment) =>
  call<Environment>('POST', `${ENVIRONMENTS}${path(from, 'clone')}`, body)

/** Changes what kind of environment it is. */
export const updateEnvironment = (name: string, body: UpdateEnvironment) =>
  call<Environment>('PUT', `${ENVIRONMENTS}${path('update', name)}`, body)

/** Puts environments into the order of the names. */
export const sortEnvironments = (names: readonly string[]) =>
  call<void>(
    'PUT',
    `${ENVIRONMENTS}/sort-order`,
    Object.fromEntries(names.map((name, index) => [name, (index + 1) * STEP])),
  )

/** Says whether projects to come use an environment. */
export const switchEnvironment = (name: string, on: boolean) =>
  call<void>('POST', `${ENVIRONMENTS}${path(name, on ? 'on' : 'off')}`)

/** Removes an environment that nothing uses. */
export const removeEnvironment = (name: string) => call<void>('DELETE', `${ENVIRONMENTS}${path(name)}`)

const samplingPath = (name: string) => `${ENVIRONMENTS}${path(name, 'traffic-sampling')}`

/** Whether contexts of an environment are sampled. */
export const samplingQuery = (name: string) => ({
  queryKey: ['traffic-sampling', name],
  queryFn: () => call<TrafficSampling>('GET', samplingPath(name)),
})

/** Lets contexts of an environment be sampled, or forgets them. */
export const setSampling = (name: string, enabled: boolean) =>
  call<TrafficSampling>('PUT', samplingPath(name), { enabled })

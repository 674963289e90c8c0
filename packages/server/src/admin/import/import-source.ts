import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { ImportSource } from '@burgee/import/model/source'
import { createUnleashApiSource } from '@burgee/import/unleash/api/unleash-api-source'
import {
  createClientFeaturesSource,
  createUnleashExportSource,
  createUnleashStateSource,
  type EnvironmentFile,
} from '@burgee/import/unleash/documents/unleash-files'
import { invalid } from '@burgee/kit/input/refusals'
import type { ImportKind, ImportPlanRequest } from '@burgee/protocol/administration/import'
import { createGuardedFetch } from '../integrations/guarded-fetch.ts'
import type { CallGuard } from '../integrations/guarded-request.ts'

type FileKind = Exclude<ImportKind, 'unleash-api' | 'unleash-state' | 'launchdarkly'>

/** Kinds of source that are files with the flags of a single, unnamed environment. */
const SINGLE_ENVIRONMENT_SOURCES: Readonly<
  Record<FileKind, (place: EnvironmentFile, clock: () => number) => ImportSource>
> = {
  'unleash-export': createUnleashExportSource,
  'client-features': createClientFeaturesSource,
  flagd: createFlagdSource,
  flagsmith: createFlagsmithSource,
}

/** Name for the uploaded content in messages. */
const FILE = 'the file'
const DEFAULT_PROJECT = 'default'
const PRINTABLE = /^[\x21-\x7e]+$/

/** Dependencies for reading a source. */
export interface SourceDeps {
  readonly clock: () => number
  /** Guard for outgoing requests, the same as for integrations. */
  readonly guard: CallGuard
  /** Aborts reads that take too long. */
  readonly ending: AbortSignal
}

/**
 * Creates the source that an import request names. Throws ValidationError for missing properties, and for properties
 * that do not apply to this kind of source.
 */
export function createImportSource(request: ImportPlanRequest, { clock, guard, ending }: SourceDeps): ImportSource {
  const { kind, environment, project = DEFAULT_PROJECT } = request
  if (kind === 'unleash-api') {
    rejectProperties(request, ['content', 'project', 'environment'])
    const [url, token] = [requireProperty(request, 'address'), requireProperty(request, 'token')]
    if (!isAddress(url))
      throw invalid('"address" must be an HTTP address without user, password and query.', 'body/address')
    if (!PRINTABLE.test(token)) throw invalid('"token" must be printable ASCII without spaces.', 'body/token')
    return createUnleashApiSource({ url, token, pauseMs: 0, ending, send: createGuardedFetch(guard, ending) }, clock)
  }
  rejectProperties(request, ['address', 'token'])
  const file = { path: FILE, content: requireProperty(request, 'content') }
  if (kind === 'unleash-state') {
    rejectProperties(request, ['project', 'environment'])
    return createUnleashStateSource(file, clock)
  }
  if (kind === 'launchdarkly') return createLaunchDarklySource({ ...file, project, environment }, clock)
  return SINGLE_ENVIRONMENT_SOURCES[kind](
    { ...file, project, environment: requireProperty(request, 'environment') },
    clock,
  )
}

type Property = Exclude<keyof ImportPlanRequest, 'kind' | 'closeUnguarded'>

function requireProperty(request: ImportPlanRequest, name: Property): string {
  const value = request[name]
  if (value === undefined) throw invalid(`"${name}" is required for the kind "${request.kind}".`, `body/${name}`)
  return value
}

function rejectProperties(request: ImportPlanRequest, names: readonly Property[]): void {
  const name = names.find((one) => request[one] !== undefined)
  if (name !== undefined) throw invalid(`"${name}" is not allowed for the kind "${request.kind}".`, `body/${name}`)
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && search === ''
}
